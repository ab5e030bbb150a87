import type { CanonicalColumn } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { cellAddress } from '../ooxml/cellAddress.ts';
import type { Grid } from '../ooxml/sheetScanner.ts';
import { normaliseHeader } from './headerWords.ts';
import type { TablePart } from './joinTables.ts';
import {
  columnWhere,
  give,
  type Headings,
  headingsOf,
  type Listed,
  meaningOf,
  readListed,
  refsIn,
  rowsBelow,
  saysControls,
  statusColumn,
  textAt,
  toControl,
} from './listedTables.ts';
import type { LogHazard } from './logModel.ts';
import { readTitle } from './markdownCards.ts';
import { makeIdLookup, sameId } from './readHazards.ts';
import { readTypes } from './trackerRows.ts';

/** A table of causes or controls that a log refers to by ids, or that refers to the log's hazards by theirs. */
type LinkedTable = { sheet: string; gives: 'controls' | 'causes'; remark: string };

const CAUSE = /\b(?:causes?|failure modes?|failures?|ursachen?|fehler)\b/i;
/** "Risk Control ID(s)", "Control refs", "Measures (IDs)". */
const CONTROL_IDS =
  /\b(?:controls?|measures?|mitigations?|maßnahmen?|massnahmen?|mesures?)\b.*\b(?:ids?|refs?|nr|numbers?)\b/;
const CONTROL_TEXTS = new Set<CanonicalColumn>(['control_text', 'existing_controls', 'control_design']);
/** "Hazard ID(s)" in a table of something else. */
const HAZARD_IDS = /^(?:for )?(?:hazards?|haz|risks?) (?:ids?|refs?|references?|numbers?)(?: s)?$/;
/** "Cause ID(s)" in a table of controls. */
const CAUSE_IDS = /^causes? (?:ids?|refs?|references?|numbers?)(?: s)?$/;
const IDS = /\b(?:ids?|refs?|references?|nr|numbers?)\b/;
/** Whether every text of a column is nothing but ids of its table's kind: "RC-001, RC-002". */
function holdsIds({ grid }: TablePart['table'], column: number, rows: readonly number[]): boolean {
  const texts = rows.flatMap((row) => textAt(grid, row, column) || []);
  return texts.length > 0 && texts.every((text) => text.split(/[\s,;/]+/).every((ref) => ID.test(ref)));
}
const ID = /^[A-Za-z]{1,8}[-_.]?(?:[A-Za-z]{1,6}[-_.]?)?\d{1,6}(?:[-_.][A-Za-z\d]{1,4})?$/;

/** Gives hazards the controls whose ids their rows name, where exactly one table of controls has those ids. */
function followControlIds(
  { table, dataRows }: TablePart,
  others: readonly Grid[],
  hazards: LogHazard[],
): LinkedTable[] {
  const named = [...table.unmatched, ...table.columns.filter(({ canonical }) => canonical === 'control_id')].find(
    ({ header }) => CONTROL_IDS.test(normaliseHeader(header)),
  );
  const texts = table.columns.filter(({ canonical }) => CONTROL_TEXTS.has(canonical));
  const [only, ...more] = texts;
  const ids = only && more.length === 0 && holdsIds(table, only.column, dataRows) ? only : undefined;
  const column = ids ?? named;
  if (!column || (texts.length > 0 && !ids)) return [];
  const wanted = hazards.map((hazard) => ({
    hazard,
    refs: hazard.rowNumbers.flatMap((row) => refsIn(textAt(table.grid, row, column.column))),
  }));
  const all = new Set(wanted.flatMap(({ refs }) => refs.map(sameId)));
  const fitting = others.flatMap((grid) => {
    const listed = readListed(grid);
    if (!listed || !saysControls(listed)) return [];
    const rowOf = new Map(rowsBelow(grid, listed.row).map((row) => [sameId(textAt(grid, row, listed.id)), row]));
    return [...all].some((ref) => rowOf.has(ref)) ? [{ listed, rowOf }] : [];
  });
  const [found] = fitting;
  if (!found || fitting.length > 1) return [];
  const missing = new Set<string>();
  // What stood for controls were their ids.
  if (ids) for (const hazard of hazards) hazard.controls = [];
  for (const { hazard, refs } of wanted)
    for (const ref of new Set(refs)) {
      const row = found.rowOf.get(sameId(ref));
      if (row === undefined) missing.add(`${ref} (${hazard.id})`);
      else give(hazard, toControl(found.listed, row));
    }
  const lost = missing.size > 0 ? ` It has no control ${[...missing].slice(0, 6).join(', ')}.` : '';
  return [
    {
      sheet: found.listed.grid.name,
      gives: 'controls',
      remark: `Controls were read from “${found.listed.grid.name}” by the ids under “${column.header}”.${lost}`,
    },
  ];
}

/** The column whose cells are ids of hazards, whatever its heading; undefined where there is none, or more than one. */
function columnOfIds(grid: Grid, headings: Headings, findById: ReturnType<typeof makeIdLookup<LogHazard>>) {
  const found = headings.texts.filter(({ column }) => {
    const cells = rowsBelow(grid, headings.row).flatMap((row) => textAt(grid, row, column) || []);
    const known = cells.filter((text) => {
      const refs = text.split(/[\s,;]+/).filter(Boolean);
      return refs.every((ref) => findById(ref).length > 0);
    });
    return known.length > 1 && known.length * 10 >= cells.length * 8;
  });
  return found.length === 1 ? found[0]?.column : undefined;
}

/** Gives hazards the causes or controls of tables that name hazards by their ids. */
function followHazardIds(others: readonly Grid[], hazards: readonly LogHazard[]): LinkedTable[] {
  const findById = makeIdLookup(hazards.filter(({ hasId }) => hasId));
  return others.flatMap((grid): LinkedTable[] => {
    const headings = headingsOf(grid);
    if (!headings) return [];
    const refs =
      columnWhere(headings, (text) => HAZARD_IDS.test(normaliseHeader(text))) ?? columnOfIds(grid, headings, findById);
    const own = headings.texts.filter(({ column }) => column !== refs);
    const cause = own.find(({ text }) => CAUSE.test(text) && !IDS.test(normaliseHeader(text)));
    const control = own.find(({ text }) => meaningOf(text) === 'control_text');
    const text = (cause ?? control)?.column;
    const id = own.find((one) => ['id', cause ? 'cause_id' : 'control_id'].includes(meaningOf(one.text) ?? ''))?.column;
    if (refs === undefined || text === undefined || (cause && control)) return [];
    const listed: Listed = {
      grid,
      row: headings.row,
      id: id ?? 0,
      text,
      type: own.find((one) => /\btype\b/i.test(one.text))?.column,
      status: statusColumn(headings),
    };
    let given = 0;
    for (const row of rowsBelow(grid, headings.row))
      for (const ref of new Set(refsIn(textAt(grid, row, refs)))) {
        const [hazard, ...more] = findById(ref);
        const said = textAt(grid, row, text);
        if (!hazard || more.length > 0 || !said) continue;
        given += 1;
        if (!cause) give(hazard, toControl(listed, row));
        else if (!hazard.causes.some((known) => known.text === said))
          hazard.causes.push({
            id: id === undefined ? null : textAt(grid, row, id) || null,
            text: said,
            place: { sheet: grid.name, cell: cellAddress(row, text) },
          });
      }
    const gives = cause ? 'causes' : 'controls';
    const remark = `${cause ? 'Causes' : 'Controls'} were read from “${grid.name}” by the ids of their hazards.`;
    return given > 0 ? [{ sheet: grid.name, gives, remark }] : [];
  });
}

/** Gives hazards the controls of tables that name their causes by ids. Ids that two hazards have say nothing. */
function followCauseIds(others: readonly Grid[], hazards: readonly LogHazard[]): LinkedTable[] {
  const ofCause = new Map<string, Set<LogHazard>>();
  for (const hazard of hazards)
    for (const { id } of hazard.causes)
      if (id) ofCause.set(sameId(id), (ofCause.get(sameId(id)) ?? new Set()).add(hazard));
  return others.flatMap((grid): LinkedTable[] => {
    const headings = headingsOf(grid);
    const listed = readListed(grid);
    if (!headings || !listed || !saysControls(listed)) return [];
    const refs = columnWhere(headings, (text) => CAUSE_IDS.test(normaliseHeader(text)));
    if (refs === undefined || columnWhere(headings, (text) => HAZARD_IDS.test(normaliseHeader(text))) !== undefined)
      return [];
    let given = 0;
    for (const row of rowsBelow(grid, headings.row)) {
      if (!textAt(grid, row, listed.text)) continue;
      const named = refsIn(textAt(grid, row, refs)).flatMap((ref) => {
        const [hazard, ...more] = ofCause.get(sameId(ref)) ?? [];
        return hazard && more.length === 0 ? [hazard] : [];
      });
      for (const hazard of new Set(named)) {
        given += 1;
        give(hazard, toControl(listed, row));
      }
    }
    const remark = `Controls were read from “${grid.name}” by the ids of the causes that they are for.`;
    return given > 0 ? [{ sheet: grid.name, gives: 'controls', remark }] : [];
  });
}

/** Whether a table has the id of another hazard: a summary of all that stands in the section of the last. */
const namesAnother = (
  { grid, row, id }: Listed,
  hazard: LogHazard,
  findById: ReturnType<typeof makeIdLookup<LogHazard>>,
) => rowsBelow(grid, row).some((at) => findById(textAt(grid, at, id)).some((other) => other !== hazard));

/** Gives hazards the causes or controls of tables in the section that is titled with their id: "HAZ-01: Wrong patient". */
function followSections(others: readonly Grid[], hazards: readonly LogHazard[]): LinkedTable[] {
  const findById = makeIdLookup(hazards.filter(({ hasId }) => hasId));
  return others.flatMap((grid): LinkedTable[] => {
    const id = grid.section === undefined ? null : readTitle(grid.section).id;
    const [hazard, ...more] = id === null ? [] : findById(id);
    const listed = hazard && more.length === 0 ? readListed(grid) : null;
    if (!hazard || !listed) return [];
    const meaning = meaningOf(textAt(grid, listed.row, listed.text));
    if (meaning !== 'control_text' || namesAnother(listed, hazard, findById)) return [];
    const rows = rowsBelow(grid, listed.row).filter((row) => textAt(grid, row, listed.text));
    for (const row of rows) give(hazard, toControl(listed, row));
    const remark = `Controls of ${hazard.id} were read from “${grid.name}”, which stands in its section.`;
    return rows.length > 0 ? [{ sheet: grid.name, gives: 'controls', remark }] : [];
  });
}

const LINKS = /\blink(?:s|ed)?\b|\bmitigated by\b|\brelated\b|\btraces?\b/;

/** Gives hazards of a tracker's export the causes and controls that are rows of the same table, by the ids under "Linked items". */
function followLinks({ table }: TablePart, hazards: readonly LogHazard[]): LinkedTable[] {
  const { grid } = table;
  const { isControl, isCause } = readTypes(table);
  const columnOf = (canonical: string) => table.columns.find((one) => one.canonical === canonical)?.column;
  const [id, text] = [columnOf('id'), columnOf('name') ?? columnOf('description')];
  const links = [...table.unmatched, ...table.columns].find(({ header }) => LINKS.test(normaliseHeader(header)));
  if (id === undefined || text === undefined || !links) return [];
  const first = (table.headerRows.at(-1) ?? 0) + 1;
  const rowOf = new Map<string, number>();
  for (let row = first; row < grid.rows.length; row += 1)
    if (isControl(row) || isCause(row)) rowOf.set(sameId(textAt(grid, row, id)), row);
  const listed = { grid, row: 0, id, text, type: undefined, status: columnOf('status') };
  let given = 0;
  for (const hazard of hazards)
    for (const row of hazard.rowNumbers)
      for (const ref of new Set(refsIn(textAt(grid, row, links.column)))) {
        const at = rowOf.get(sameId(ref));
        if (at === undefined) continue;
        given += 1;
        if (isControl(at)) give(hazard, toControl(listed, at));
        else
          hazard.causes.push({
            id: textAt(grid, at, id),
            text: textAt(grid, at, text),
            place: { sheet: grid.name, cell: cellAddress(at, text) },
          });
      }
  const remark = `Causes and controls were read from their own rows by the ids under “${links.header}”.`;
  return given > 0 ? [{ sheet: grid.name, gives: 'controls', remark }] : [];
}

/**
 * Adds causes and controls of further tables to the hazards of a log, by ids that one side has of the other. A table
 * that could be either, or ids that several tables have, are left and listed as not read.
 */
export function linkTables(main: TablePart, others: readonly Grid[], hazards: LogHazard[]): LinkedTable[] {
  if (hazards.length === 0) return [];
  const inSections = followSections(others, hazards);
  const read = new Set(inSections.map(({ sheet }) => sheet));
  const free = others.filter(({ name }) => !read.has(name));
  return [
    ...followLinks(main, hazards),
    ...followControlIds(main, free, hazards),
    ...followHazardIds(free, hazards),
    ...followCauseIds(free, hazards),
    ...inSections,
  ];
}
