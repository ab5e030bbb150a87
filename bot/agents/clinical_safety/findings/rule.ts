import type { CanonicalColumn, Finding, Place } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { cellAddress, parseAddress } from '../ooxml/cellAddress.ts';
import type { LogHazard, ReadLog } from '../reading/logModel.ts';
import type { SafetyReport } from './safetyReport.ts';

/** What a rule looks at. */
export type RuleContext = {
  log: ReadLog;
  /** The day that "older than twelve months" counts from, ISO; null where none is known. */
  asOf: string | null;
  /** The safety case report that goes with the log, where one was given. */
  report: SafetyReport | null;
};

export type Draft = Omit<Finding, 'id' | 'rule' | 'level' | 'clause'> & {
  level?: Finding['level'];
  clause?: string | null;
};

/** One rule of docs/clinical-safety.md, 7: what it is called, how grave it is, the DCB0129 clause behind it, and how it looks. */
export type Rule = {
  name: string;
  level: Finding['level'];
  clause: string | null;
  find: (context: RuleContext) => Draft[];
};

/** Beyond so many hazards one line says it for all. */
const GROUP_FROM = 4;
/** Beyond so many cells they are written as ranges. */
const SINGLE_CELLS = 200;

/** One cell that shows a fault, and the hazard that it belongs to. */
export type Hit = {
  hazard: LogHazard;
  row: number;
  column: CanonicalColumn;
  found?: string | null;
  expected?: string | null;
};

type Wording = {
  one: (hazard: LogHazard, hit: Hit) => { title: string; message: string };
  many: (count: number, all: boolean, ids: string, first: Hit) => { title: string; message: string };
};

/** Where a finding stands that is about the table as a whole: in its last heading row. */
export function headingPlace({ table: { grid, headerRows } }: ReadLog): Place {
  return { sheet: grid.name, cell: `A${Math.max(...headerRows)}` };
}

/** Lists ids as people do: the first few, then how many more. */
export function listIds(hazards: LogHazard[], most = 6): string {
  const ids = [...new Set(hazards.map(({ id }) => id))];
  return ids.length <= most ? joined(ids) : `${ids.slice(0, most).join(', ')} and ${ids.length - most} more`;
}

function joined(words: string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}

/** Turns cells into findings: one each while they are few, one for all of them where they are many or the whole column. */
export function groupHits(context: RuleContext, hits: Hit[], wording: Wording): Draft[] {
  const { log } = context;
  const hazards = [...new Set(hits.map(({ hazard }) => hazard))];
  const [first] = hits;
  if (!first) return [];
  const all = hazards.length === log.hazards.length && hazards.length > 1;
  if (all || hazards.length >= GROUP_FROM)
    return [
      {
        ...wording.many(hazards.length, all, listIds(hazards), first),
        hazardId: null,
        places: compactPlaces(hits.map(({ row, column }) => log.place(row, column))),
        found: first.found ?? null,
        expected: first.expected ?? null,
      },
    ];
  return hazards.map((hazard) => {
    const own = hits.filter((hit) => hit.hazard === hazard);
    const [hit = first] = own;
    return {
      ...wording.one(hazard, hit),
      hazardId: hazard.id,
      places: compactPlaces(own.map(({ row, column }) => log.place(row, column))),
      found: hit.found ?? null,
      expected: hit.expected ?? null,
    };
  });
}

/** Writes long runs of cells in one column as ranges ("R2:R10001"), so that a result stays small. */
export function compactPlaces(places: Place[]): Place[] {
  if (places.length <= SINGLE_CELLS) return places;
  const compact: Place[] = [];
  let run: { sheet: string; column: number; from: number; to: number } | null = null;
  const flush = () => {
    if (run)
      compact.push({
        sheet: run.sheet,
        cell:
          run.from === run.to
            ? cellAddress(run.from, run.column)
            : `${cellAddress(run.from, run.column)}:${cellAddress(run.to, run.column)}`,
      });
  };
  for (const { sheet, cell } of places) {
    const at = parseAddress(cell);
    if (!at) continue;
    if (run && run.sheet === sheet && run.column === at.column && run.to + 1 === at.row) run.to = at.row;
    else {
      flush();
      run = { sheet, column: at.column, from: at.row, to: at.row };
    }
  }
  flush();
  return compact;
}

/** The hazards whose cells in a column are blank in every row. */
export function blankCells(
  log: ReadLog,
  column: CanonicalColumn,
  which: (hazard: LogHazard) => boolean = () => true,
): Hit[] {
  if (!log.has(column)) return [];
  return log.hazards
    .filter((hazard) => which(hazard) && hazard.rowNumbers.every((row) => !log.text(row, column)))
    .map((hazard) => ({ hazard, row: hazard.rows.first, column }));
}

/** What belongs to each hazard, in the order in which the hazards come. */
export function groupByHazard<T extends { hazard: LogHazard }>(items: T[]): Map<LogHazard, T[]> {
  const groups = new Map<LogHazard, T[]>();
  for (const item of items) {
    const group = groups.get(item.hazard);
    if (group) group.push(item);
    else groups.set(item.hazard, [item]);
  }
  return groups;
}

/** Beyond so many findings of one kind the rest is counted in one line. */
const MOST_SINGLE = 200;

/** Keeps the first findings one by one, and counts the rest in one. */
export function capped(drafts: Draft[], what: string): Draft[] {
  const rest = drafts.slice(MOST_SINGLE);
  if (rest.length === 0) return drafts;
  return [
    ...drafts.slice(0, MOST_SINGLE),
    {
      title: `${rest.length} ${what}`,
      message: `Besides those listed one by one, ${rest.length} ${what}.`,
      hazardId: null,
      places: compactPlaces(rest.flatMap(({ places }) => places)),
      found: null,
      expected: null,
    },
  ];
}
