import type { CanonicalColumn, Unread } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { parseAddress } from '../ooxml/cellAddress.ts';
import { idPrefix } from '../reading/idForm.ts';
import { findImplausible } from '../reading/implausible.ts';
import type { ReadLog } from '../reading/logModel.ts';
import { firstRowOf, sameId } from '../reading/readHazards.ts';
import { weakened } from './assumption.ts';
import { compactPlaces, type Draft, type Rule } from './rule.ts';

const readingIsImplausible: Rule = {
  name: 'reading-may-be-wrong',
  level: 'check',
  clause: null,
  find: ({ log }) =>
    findImplausible(log).map(({ title, message, hazards, columns }) => ({
      title,
      message: `${message} Arc may have read this log wrongly: compare it with the file before you use what was found.`,
      hazardId: null,
      places: compactPlaces(
        hazards.map((hazard) =>
          log.place(firstRowOf(hazard), columns === 'all' ? 'name' : (columns.find((one) => log.has(one)) ?? 'name')),
        ),
      ),
      found: null,
      expected: null,
    })),
};

/** Makes findings ones to check where they rest on something that looks misread. */
export function underImplausible(log: ReadLog): (draft: Draft, columns: ReadonlySet<CanonicalColumn>) => Draft {
  const all = findImplausible(log);
  return (draft, columns) => {
    const found = all.find((one) => one.columns === 'all' || one.columns.some((column) => columns.has(column)));
    return found ? weakened(draft, `It may rest on a log read wrongly: ${found.title.toLowerCase()}.`) : draft;
  };
}

/** What a rule misses, as headings call it. */
const MISSED: Record<string, RegExp> = {
  'missing-name': /\b(?:names?|titles?|hazards?|descriptions?|failure modes?)\b/i,
  'missing-id': /(?:^|\b)(?:ids?|refs?|references?|numbers?|nr|no)\b|#/i,
  'missing-severity': /sever|consequen|impact/i,
  'missing-likelihood': /likel|probab|occurren|frequen/i,
  'missing-risk': /\brisk|rating|score|\brpn\b|class/i,
  'missing-clinical-impact': /effect|harm|impact|consequen|outcome|injur/i,
  'no-ratings': /sever|likel|probab|\brisk\b|rating|score|\brpn\b/i,
  'missing-residual': /\bresid|\bafter\b|\bpost\b|\bnew\b|\bfinal\b|\bres\b|\btarget\b/i,
};

/** Whether a table names at least half of the hazards by their ids: what it has is told of them. */
function tellsOf({ hazards }: ReadLog, texts: readonly string[]): boolean {
  const ids = new Set(hazards.flatMap(({ id, hasId }) => (hasId ? [sameId(id)] : [])));
  const named = new Set(texts.map(sameId).filter((text) => ids.has(text)));
  return named.size > 0 && named.size * 2 >= ids.size;
}

/** The headings of a column or table that was not read. A line of text is none: the title of a document names risks too. */
function headingsOf(log: ReadLog, { what, label, note, place }: Unread): string {
  // A column of ratings in words was read; only its numbers are wanting.
  if (what === 'column') return label.endsWith('(words without a number)') ? '' : label;
  if (what !== 'sheet' || /read for the (?:risk matrix|version) alone/.test(note)) return '';
  const rows = log.grids.find(({ name }) => name === place.sheet)?.rows ?? [];
  // Blank rows are holes of the list.
  const texts = Array.from(rows, (row) => (row ?? []).flatMap((cell) => cell?.text.trim() || []));
  return tellsOf(log, texts.flat()) ? (texts.find((row) => row.length > 0) ?? []).join(' | ') : '';
}

/** A line that is nothing but an id: the head of a card or of a table on its side. */
const isId = ({ what, label }: Unread) => what === 'rows' && idPrefix(label) !== undefined;

const rowsOf = ({ places }: Draft): number =>
  places.reduce((sum, { cell }) => {
    const [first, last] = cell.split(':').map((one) => parseAddress(one)?.row ?? 0);
    return sum + (last === undefined ? 1 : last - (first ?? 0) + 1);
  }, 0);

/**
 * Findings on what most hazards lack: to check where a part of the file that was not read is headed as what they lack.
 * One blank cell among filled ones stays as it is.
 */
export function underUnreadParts(log: ReadLog, rule: string, drafts: Draft[]): Draft[] {
  const words = MISSED[rule];
  const covered = rule === 'no-ratings' ? log.hazards.length : drafts.reduce((sum, draft) => sum + rowsOf(draft), 0);
  if (!words || drafts.length === 0 || covered * 2 < log.hazards.length) return drafts;
  const unread = log
    .findUnread()
    .find((one) => words.test(headingsOf(log, one)) || (rule === 'missing-id' && isId(one)));
  return unread ? drafts.map((draft) => weakened(draft, `“${unread.label}” was not read and may hold it.`)) : drafts;
}

export const plausibilityRules: Rule[] = [readingIsImplausible];
