import { type CanonicalColumn, RATING_COLUMNS } from '../../../../models/contracts/clinical_safety/hazards.ts';
import type { CountedRun, ReadLog } from './logModel.ts';

type Cells = Pick<ReadLog, 'text' | 'place'>;

/** The cells that are a hazard's own. */
const OWN: readonly CanonicalColumn[] = ['description', 'clinical_impact', ...RATING_COLUMNS];

/** A name without differences of case and spaces. Signs count: "+1+1" and "=1+1" are two names. */
export const normaliseName = (name: string) => name.trim().replace(/\s+/g, ' ').toLowerCase();

/** The last number of an id, and the id without it: "H9 (draft)" is 9 and "H# (draft)". */
function partsOf(id: string): { form: string; number: number } | null {
  const [, before = '', digits, after = ''] = /^(.{0,40}?)(\d{1,9})(\D{0,20})$/.exec(id.trim()) ?? [];
  return digits === undefined ? null : { form: `${before}#${after}`, number: Number(digits) };
}

/** Finds the runs of a log. A row without an id and a name belongs to the one above. */
export function findCountedRuns({ text, place }: Cells, dataRows: readonly number[]): CountedRun[] {
  const runs: CountedRun[] = [];
  const nameOf = (row: number) => normaliseName(text(row, 'name') || (text(row, 'description').split('\n')[0] ?? ''));
  const saysOwn = (row: number) => OWN.some((column) => text(row, column));
  let run: CountedRun = { rows: [], isBare: true };
  let name = '';
  let last = { row: 0, id: '', isBareHead: false };
  // Two hazards of one name in two situations have each its own id.
  const isTold = (one: number, other: number) => {
    const [before, after] = [one, other].map((at) => (text(at, 'name') ? normaliseName(text(at, 'description')) : ''));
    return before !== '' && after !== '' && before !== after;
  };
  const flush = () => {
    if (run.rows.length > 1) runs.push(run);
  };
  for (const row of dataRows) {
    const id = text(row, 'id');
    const isNext = row === last.row + 1 && place(row, 'id').sheet === place(last.row, 'id').sheet;
    if (!id && !text(row, 'name') && isNext) {
      last = { ...last, row };
      continue;
    }
    const [before, own] = [partsOf(last.id), partsOf(id)];
    const countsUp = isNext && before && own && own.form === before.form && own.number === before.number + 1;
    const isBare = !saysOwn(row) && last.isBareHead;
    const ownName = nameOf(row);
    if (countsUp && name !== '' && !isTold(last.row, row) && (ownName === name || (ownName === '' && isBare))) {
      run.rows.push(row);
      run.isBare &&= isBare;
    } else {
      flush();
      run = { rows: [row], isBare: true };
      name = ownName;
      last = { row, id, isBareHead: saysOwn(row) };
    }
    last = { ...last, row, id };
  }
  flush();
  return runs;
}
