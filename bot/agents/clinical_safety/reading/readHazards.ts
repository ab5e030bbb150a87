import type { CanonicalColumn, Rating } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { shownRisk } from '../../../../models/contracts/clinical_safety/riskWords.ts';
import { parseAddress } from '../ooxml/cellAddress.ts';
import type { GridCell } from '../ooxml/sheetScanner.ts';
import type { LogHazard, ReadLog } from './logModel.ts';
import { readControls } from './readControls.ts';
import { lookUpLevel, lookUpRank, lookUpRisk } from './riskMatrix.ts';
import { isPlaceholder, saysNothing } from './saysNothing.ts';
import { findTicketKeys } from './ticketKeys.ts';

type Source = Pick<
  ReadLog,
  'cell' | 'text' | 'textsOf' | 'place' | 'has' | 'matrix' | 'table' | 'isFalling' | 'likelihoodOf'
>;

/** Ids are compared without case and spaces: real logs carry both. */
export const sameId = (text: string) => text.replace(/\s+/g, '').toUpperCase();

/** Finds the hazards of an id. A log has thousands, so they are grouped when the first id is asked for. */
export function makeIdLookup<Hazard extends { id: string }>(
  hazards: readonly Hazard[],
): (id: string) => readonly Hazard[] {
  let known: Map<string, Hazard[]> | undefined;
  const group = () => {
    const byId = new Map<string, Hazard[]>();
    for (const hazard of hazards) {
      const key = sameId(hazard.id);
      const own = byId.get(key);
      if (own) own.push(hazard);
      else byId.set(key, [hazard]);
    }
    return byId;
  };
  return (id) => {
    known ??= group();
    return known.get(sameId(id)) ?? [];
  };
}

const names = new Map<string, string>();

/** Names are compared by their words alone. */
export function sameName(text: string): string {
  const known = names.get(text);
  if (known !== undefined) return known;
  const name = text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
  if (names.size > 50_000) names.clear();
  names.set(text, name);
  return name;
}

/**
 * Groups the rows of a log into hazards: rows of one id and name are one, and rows without either go on with the one
 * above.
 * @param modules the module of each row, where each counts its ids from 1: an id then stands for a hazard of its module
 * @param heads of a row that belongs to a hazard under another id, the first row of that hazard
 */
export function groupRows(
  source: Source,
  dataRows: number[],
  modules: ReadonlyMap<number, string> | null = null,
  heads: ReadonlyMap<number, number> = new Map(),
): number[][] {
  type Group = { rows: number[]; id: string; name: string };
  const groups: Group[] = [];
  const byId = new Map<string, Group[]>();
  for (const row of dataRows) {
    const own = sameId(source.text(row, 'id'));
    const id = own && modules ? `${modules.get(row)} ${own}` : own;
    const name = sameName(source.text(row, 'name') || (source.has('name') ? '' : source.text(row, 'description')));
    const last = groups.at(-1);
    const ofId = byId.get(id) ?? [];
    // One id may stand for hazards of several names. A row without a name belongs to the nearest above.
    const known = id
      ? name === ''
        ? ofId.at(-1)
        : ofId.find((one) => one.name === name || one.name === '')
      : undefined;
    const head = heads.get(row);
    const headed = head === undefined ? undefined : groups.findLast(({ rows }) => rows[0] === head);
    if (headed) headed.rows.push(row);
    else if (known) known.rows.push(row);
    else if (!id && last && (name === '' || name === last.name)) last.rows.push(row);
    else {
      const group = { rows: [row], id, name };
      groups.push(group);
      if (id) byId.set(id, [...ofId, group]);
    }
  }
  return groups.map(({ rows }) => rows);
}

/** A recorded risk: the number in the cell, or the one that a word such as "3 - undesirable" begins or ends with. */
export function readRisk(source: Pick<ReadLog, 'cell'>, row: number, column: CanonicalColumn): number | null {
  const cell = source.cell(row, column);
  return cell ? riskNumber(cell) : null;
}

const FACTORS = /^\d{1,2} {0,2}[x×*] {0,2}\d{1,2}(?!\d)(?: {0,2}= {0,2}(\d{1,3}))?/i;

/** The number of a risk's cell; null for words and classes, "C3 – unacceptable". */
export function riskNumber(cell: Pick<GridCell, 'text' | 'number'>): number | null {
  if (cell.number !== null) return cell.number;
  const text = cell.text.trim();
  // "2 × 4" are two ratings, whichever is which, and "2 × 4 = 8" gives their product.
  const [factors, product] = FACTORS.exec(text) ?? [];
  if (factors !== undefined) return product === undefined ? null : Number(product);
  const first = /^\d{1,2}(?:\.\d{1,10})?\b/.exec(text)?.[0];
  const last = /\b(\d{1,2}) {0,3}\)?$/.exec(text.slice(-12))?.[1];
  const number = first ?? last;
  return number === undefined ? null : Number(number);
}

/** A cell with nothing but a dash is blank. */
const DASH = /^[-–—−]+$/;

/** A level has fewer characters; what is longer is prose on the risk. */
const MAX_LEVEL = 200;
/** "Critical × Remote": the first word is a severity, and no level of risk. */
const isLevel = (text: string): boolean => text.length <= MAX_LEVEL && !/[\p{L})]\s+[x×*]\s+[\p{L}]/u.test(text);

const SIGN = /\p{Extended_Pictographic}/u;
/** What a cell says of a risk in words or by a coloured sign; null where it says nothing. */
const wordsOf = (text: string): string | null =>
  text && isLevel(text) && (SIGN.test(text) || !saysNothing(text)) ? shownRisk(text) : null;

function readRating(source: Source, row: number, phase: 'initial' | 'residual'): Rating {
  const given = (text: string) => (text && !DASH.test(text) && !isPlaceholder(text) ? text : null);
  const severity = given(source.text(row, `${phase}_severity`));
  const likelihood = given(source.likelihoodOf(row, phase));
  const risk = readRisk(source, row, `${phase}_risk`);
  const riskWord = risk === null ? wordsOf(source.text(row, `${phase}_risk`)) : null;
  const expectedWord = lookUpLevel(source.matrix, severity, likelihood);
  return {
    severity,
    likelihood,
    risk,
    ...(riskWord ? { riskWord } : {}),
    expectedRisk: lookUpRisk(source.matrix, severity, likelihood),
    ...(expectedWord ? { expectedWord } : {}),
  };
}

/** The rating of a hazard with several rows is its worst; a row without one does not count. */
function worstRating(source: Source, rows: number[], phase: 'initial' | 'residual'): Rating {
  const ratings = rows.map((row) => readRating(source, row, phase));
  const [first] = ratings;
  const rated = ratings.filter(
    ({ severity, likelihood, risk, riskWord }) => severity || likelihood || risk !== null || riskWord,
  );
  const sign = source.isFalling ? -1 : 1;
  const weight = ({ severity, likelihood, risk }: Rating) =>
    sign * (lookUpRank(source.matrix, severity, likelihood) ?? risk ?? 0);
  return (
    rated.sort((a, b) => weight(b) - weight(a))[0] ??
    first ?? { severity: null, likelihood: null, risk: null, expectedRisk: null }
  );
}

function firstText(source: Source, rows: number[], column: CanonicalColumn): string {
  for (const row of rows) {
    const text = source.text(row, column);
    if (text) return text;
  }
  return '';
}

/** The cells of a hazard's texts. A name that was taken from the description stands in the description's cell. */
function textPlacesOf(source: Source, rows: number[]): LogHazard['textPlaces'] {
  const placeOf = (column: CanonicalColumn) => {
    const row = rows.find((at) => source.text(at, column));
    return row === undefined ? undefined : source.place(row, column);
  };
  const [description, clinicalImpact] = [placeOf('description'), placeOf('clinical_impact')];
  const name = placeOf('name') ?? description;
  return {
    ...(name ? { name } : {}),
    ...(description ? { description } : {}),
    ...(clinicalImpact ? { clinicalImpact } : {}),
  };
}

/** The sheet and the rows that a hazard takes there; of rows on several sheets, those of the first. */
function rowsOf(source: Source, rows: readonly number[]): LogHazard['rows'] {
  const [head = 0] = rows;
  const { sheet, cell } = source.place(head, 'id');
  let first = parseAddress(cell)?.row ?? head;
  let last = first;
  for (const row of rows) {
    const place = source.place(row, 'id');
    const own = place.sheet === sheet ? parseAddress(place.cell)?.row : undefined;
    if (own !== undefined) [first, last] = [Math.min(first, own), Math.max(last, own)];
  }
  return { sheet, first, last };
}

/** The first of a hazard's rows, as the log counts them. */
export const firstRowOf = ({ rowNumbers }: Pick<LogHazard, 'rowNumbers'>): number => rowNumbers[0] ?? 0;

/** One hazard out of its rows. */
export function readHazard(source: Source, rows: number[]): LogHazard {
  const [first = 0] = rows;
  const id = firstText(source, rows, 'id');
  const causes: LogHazard['causes'] = [];
  const seen = new Set<string>();
  for (const row of rows) {
    for (const { text, place } of source.textsOf(row, 'cause')) {
      if (seen.has(text)) continue;
      seen.add(text);
      causes.push({ id: source.text(row, 'cause_id') || /^\d{2,6}(?= )/.exec(text)?.[0] || null, text, place });
    }
  }
  const keys = new Set<string>();
  for (const row of rows)
    for (const { canonical } of source.table.columns)
      if (canonical !== 'id') for (const key of findTicketKeys(source.text(row, canonical))) keys.add(key);
  const furtherIds = new Set(
    rows.flatMap((row) => source.text(row, 'id') || []).filter((own) => sameId(own) !== sameId(id)),
  );
  const name = firstText(source, rows, 'name');
  const description = firstText(source, rows, 'description');
  const rationale = firstText(source, rows, 'rationale');
  const reviewDate = firstText(source, rows, 'review_date');
  const { controls, notInPlace } = readControls(source, rows);
  return {
    id: id || `row ${first}`,
    hasId: id !== '',
    name: name || description.split('\n')[0]?.slice(0, 120) || '',
    description,
    type: firstText(source, rows, 'type') || null,
    causes,
    clinicalImpact: firstText(source, rows, 'clinical_impact'),
    initial: worstRating(source, rows, 'initial'),
    residual: worstRating(source, rows, 'residual'),
    controls,
    ...(notInPlace.length > 0 ? { notInPlace } : {}),
    owner: firstText(source, rows, 'owner') || null,
    status: firstText(source, rows, 'status') || null,
    ...(rationale ? { rationale } : {}),
    ...(reviewDate ? { reviewDate } : {}),
    ticketKeys: [...keys],
    rows: rowsOf(source, rows),
    rowNumbers: rows,
    ...(furtherIds.size > 0 ? { furtherIds: [...furtherIds] } : {}),
    textPlaces: textPlacesOf(source, rows),
  };
}
