import type { Entry } from './transcript.ts';

/** Replacement for a result that no longer fits. */
export const CUT = '[This result was left out to save space. Use the tool again if it is needed.]';

const sizeOf = (entry: Entry) =>
  entry.kind === 'reply' ? entry.text.length + JSON.stringify(entry.calls).length : entry.text.length;

/**
 * Cuts a transcript to at most `maxCharacters` characters. Only texts of results go, the oldest first, each replaced by a
 * sentence that says so. Results after the last reply stay: they are what the model asked for last.
 */
export function cutContext(entries: readonly Entry[], maxCharacters: number): Entry[] {
  const cut = [...entries];
  const last = cut.findLastIndex(({ kind }) => kind === 'reply');
  let size = cut.reduce((sum, entry) => sum + sizeOf(entry), 0);
  for (let at = 0; at < last && size > maxCharacters; at += 1) {
    const entry = cut[at];
    if (entry?.kind !== 'result' || entry.text.length <= CUT.length) continue;
    size += CUT.length - entry.text.length;
    cut[at] = { ...entry, text: CUT };
  }
  return cut;
}
