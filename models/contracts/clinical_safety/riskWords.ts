import type { LogShape, Rating } from './hazards.ts';
import { normaliseRatingWord } from './ratingWords.ts';

const SIGN = /\p{Extended_Pictographic}|\uFE0F/gu;
/** What stands behind the word of a risk: "Low — still to be verified", "4 (Critical-Improbable)". */
const BEHIND = /\s+[-–—]\s.*$|\s*[(;:,].*$/;

/** Words behind a risk that are longer than this are a sentence of their own. */
const MAX_WORDS = 40;

/** A risk in words as it is shown: without the sentence behind it, where that is long. */
export const shownRisk = (recorded: string): string =>
  recorded.length > MAX_WORDS ? recorded.replace(BEHIND, '') || recorded : recorded;

type Level = { word: string; sign: string };

/** "🟡 ALARP" has the sign 🟡 and the word "alarp"; "🟢" has the sign alone. */
function levelOf(text: string): Level {
  const sign = [...text.matchAll(SIGN)].map(([one]) => one.replace('\uFE0F', '')).join('');
  const words = text.replace(SIGN, '').trim();
  return { word: /\p{L}/u.test(words) ? normaliseRatingWord(words) : '', sign };
}

const isSame = (one: Level, other: Level) =>
  one.word && other.word ? one.word === other.word : one.sign !== '' && one.sign === other.sign;

/**
 * The word of a matrix that a recorded risk is, with or without what stands behind it; null where it is none of them, or
 * several.
 */
export function findLevel(levels: readonly string[], recorded: string): string | null {
  for (const text of [recorded, recorded.replace(BEHIND, '')]) {
    const own = levelOf(text);
    const fits = levels.filter((level) => isSame(levelOf(level), own));
    if (fits.length === 1) return fits[0] ?? null;
  }
  return null;
}

/** The risk as recorded, a number or words; null where the log records none. */
export const recordedRisk = ({ risk, riskWord }: Pick<Rating, 'risk' | 'riskWord'>): string | null =>
  risk === null ? (riskWord ?? null) : String(risk);

/** What the matrix gives where it differs from the recorded risk: a number, or the word of a matrix in words; null where it does not. */
export function differingRisk({ risk, riskWord, expectedRisk, expectedWord }: Rating): string | null {
  if (risk !== null) return expectedRisk !== null && risk !== expectedRisk ? String(expectedRisk) : null;
  return riskWord !== undefined && expectedWord !== undefined && findLevel([expectedWord], riskWord) === null
    ? expectedWord
    : null;
}

/** What a cell of a matrix says: its risk, or the word of a matrix in words. */
export const riskInCell = ({ cells, levels }: LogShape['matrix'], row: number, column: number): string =>
  levels?.[row]?.[column] ?? String(cells[row]?.[column] ?? 0);
