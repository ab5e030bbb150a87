import type { CanonicalColumn, Finding, Place } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { cellAddress, parseAddress } from '../ooxml/cellAddress.ts';
import type { LogHazard, ReadLog } from '../reading/logModel.ts';
import { firstRowOf } from '../reading/readHazards.ts';
import { isPlaceholder } from '../reading/saysNothing.ts';
import type { SafetyReport } from './safetyReport.ts';

/** The input of a rule. */
export type RuleContext = {
  log: ReadLog;
  /** The ISO day for "older than twelve months"; null where none is known. */
  asOf: string | null;
  /** The safety case report that goes with the log, where one was given. */
  report: SafetyReport | null;
};

export type Draft = Omit<Finding, 'id' | 'rule' | 'level' | 'clause'> & {
  level?: Finding['level'];
  clause?: string | null;
};

/** One rule of docs/clinical-safety.md, section 7: its name, its level, the DCB0129 clause behind it, and its check. */
export type Rule = {
  name: string;
  level: Finding['level'];
  clause: string | null;
  find: (context: RuleContext) => Draft[];
};

/** From this many hazards on, one finding covers all of them. */
const MIN_GROUP_SIZE = 4;
/** More cells than this are written as ranges. */
const MAX_SINGLE_CELLS = 200;

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

/** The place of a finding about the whole table: its last heading row. */
export function headingPlace({ table: { grid, headerRows } }: ReadLog): Place {
  return { sheet: grid.name, cell: `A${Math.max(...headerRows)}` };
}

/** Lists the first ids, with a count of the rest. */
export function listIds(hazards: LogHazard[], most = 6): string {
  const ids = [...new Set(hazards.map(({ id }) => id))];
  return ids.length <= most ? joinWords(ids) : `${ids.slice(0, most).join(', ')} and ${ids.length - most} more`;
}

function joinWords(words: string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}

/** Turns hits into findings: one per hazard, or a single one where they are many or cover every hazard. */
export function groupHits(context: RuleContext, hits: Hit[], wording: Wording): Draft[] {
  const { log } = context;
  const hazards = [...new Set(hits.map(({ hazard }) => hazard))];
  const [first] = hits;
  if (!first) return [];
  const all = hazards.length === log.hazards.length && hazards.length > 1;
  if (all || hazards.length >= MIN_GROUP_SIZE)
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
  if (places.length <= MAX_SINGLE_CELLS) return places;
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

/** Whether somebody wrote into a cell: more than the placeholder of a template. */
const isFilled = (text: string) => text !== '' && !isPlaceholder(text);

/** Hazards that leave a column blank in every row. */
export function blankCells(
  log: ReadLog,
  column: CanonicalColumn,
  which: (hazard: LogHazard) => boolean = () => true,
): Hit[] {
  if (!log.has(column)) return [];
  return log.hazards
    .filter((hazard) => which(hazard) && hazard.rowNumbers.every((row) => !isFilled(log.text(row, column))))
    .map((hazard) => ({ hazard, row: firstRowOf(hazard), column }));
}

/** Groups items by hazard, in the order of their first item. */
export function groupByHazard<T extends { hazard: LogHazard }>(items: T[]): Map<LogHazard, T[]> {
  const groups = new Map<LogHazard, T[]>();
  for (const item of items) {
    const group = groups.get(item.hazard);
    if (group) group.push(item);
    else groups.set(item.hazard, [item]);
  }
  return groups;
}

const MAX_SINGLE_FINDINGS = 200;

/** Keeps the first findings of a kind and replaces the rest by one that counts them. */
export function capped(drafts: Draft[], what: string): Draft[] {
  const rest = drafts.slice(MAX_SINGLE_FINDINGS);
  if (rest.length === 0) return drafts;
  return [
    ...drafts.slice(0, MAX_SINGLE_FINDINGS),
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
