import { type Book, type BookSheet, faultsOfCount } from './bookRules.ts';
import type { SheetCells } from './cellRules.ts';
import type { OpenedPackage } from './openedPackage.ts';
import { type Block, contains, LAST_ROW, overlaps, readBlock, readCellName } from './places.ts';
import { childOf, childrenOf, everyElement } from './xmlTree.ts';

type Say = (message: string) => void;

/** Tables against their cells: one heading per column, with the cell's text, and no two tables in one place. */
export function checkTables(opened: OpenedPackage, { part }: BookSheet, cells: SheetCells, names: Set<string>): void {
  const blocks: Block[] = [];
  const listed = new Set<string>();
  const root = opened.root(part);
  for (const element of root ? everyElement(root) : [])
    if (element.name === 'tablePart') listed.add([...element.attributes.values()][0] ?? '');
  for (const { id, type, target } of opened.relations(part)) {
    if (type !== 'table') continue;
    const table = opened.root(target);
    const say: Say = (message) => opened.faults.push(`${target}: ${message}`);
    if (!listed.has(id)) say('its sheet does not list it');
    const name = (table?.attributes.get('displayName') ?? '').toLowerCase();
    if (!name || names.has(name)) say(`the name “${name}” is missing or used twice`);
    names.add(name);
    const block = readBlock(table?.attributes.get('ref') ?? '');
    if (!block) {
      say(`the range ${table?.attributes.get('ref')}`);
      continue;
    }
    if (blocks.some((other) => overlaps(other, block))) say('it overlaps another table');
    blocks.push(block);
    const filter = childOf(table, 'autoFilter')?.attributes.get('ref');
    const filtered = filter === undefined ? null : readBlock(filter);
    if (filter !== undefined && (!filtered || !contains(block, filtered.bottom, filtered.right)))
      say(`its filter ${filter} reaches out of it`);
    for (const fault of faultsOfCount(childOf(table, 'tableColumns'), 'tableColumn')) say(fault);
    const columns = childrenOf(childOf(table, 'tableColumns'), 'tableColumn').map(({ attributes }) =>
      attributes.get('name'),
    );
    if (columns.length !== block.right - block.left + 1) say(`it has ${columns.length} columns and another width`);
    if (new Set(columns).size < columns.length) say('two columns have one name');
    if (table?.attributes.get('headerRowCount') === '0') continue;
    const headings = [...cells.texts].flatMap(([address, text]): [number, string][] => {
      const place = readCellName(address);
      return place?.row === block.top ? [[place.column, text]] : [];
    });
    const byColumn = new Map(headings);
    for (const [at, column] of columns.entries())
      if (plain(byColumn.get(block.left + at) ?? '') !== plain(column ?? ''))
        say(`the column “${column}” is not the heading in row ${block.top}`);
  }
}

const plain = (text: string) =>
  text
    .replace(/_x000[AaDd]_/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

/** Comments in their cells, with an author and a box; threads with a comment. */
export function checkComments(opened: OpenedPackage, { part }: BookSheet): void {
  const relations = opened.relations(part);
  const boxes = new Set<string>();
  for (const { type, target } of relations) {
    const drawing = type === 'vmlDrawing' ? opened.root(target) : undefined;
    for (const { name, children } of drawing ? everyElement(drawing) : []) {
      if (name !== 'ClientData') continue;
      const [row, column] = ['Row', 'Column'].map((at) => children.find((child) => child.name === at)?.text.trim());
      if (row !== undefined) boxes.add(`${row} ${column}`);
      const anchor =
        children
          .find((child) => child.name === 'Anchor')
          ?.text.split(',')
          .map(Number) ?? [];
      if (anchor.length > 0 && (anchor.length !== 8 || anchor.some((at) => !(at >= 0 && at < LAST_ROW))))
        opened.faults.push(`${target}: the anchor ${anchor.join(',')}`);
    }
  }
  for (const { type, target } of relations) {
    if (type !== 'comments') continue;
    const root = opened.root(target);
    const say: Say = (message) => opened.faults.push(`${target}: ${message}`);
    const authors = childrenOf(childOf(root, 'authors'), 'author').length;
    const seen = new Set<string>();
    for (const { attributes } of childrenOf(childOf(root, 'commentList'), 'comment')) {
      const ref = attributes.get('ref') ?? '';
      const place = readCellName(ref);
      if (!place || seen.has(ref)) say(`the comment at “${ref}” is out of bounds or the second of its cell`);
      if (!(Number(attributes.get('authorId')) < authors)) say(`the comment at ${ref} has no author`);
      if (place && boxes.size > 0 && !boxes.has(`${place.row - 1} ${place.column - 1}`))
        say(`the comment at ${ref} has no box at its cell`);
      seen.add(ref);
    }
    for (const thread of relations.filter((other) => other.type === 'threadedComment'))
      for (const { attributes } of opened.root(thread.target)?.children ?? [])
        if (!seen.has(attributes.get('ref') ?? ''))
          opened.faults.push(`${thread.target}: no comment at ${attributes.get('ref')}`);
  }
}

/** The ends of every picture and chart lie in the sheet, the second not before the first. */
export function checkDrawings(opened: OpenedPackage, { part }: BookSheet): void {
  for (const { type, target } of opened.relations(part)) {
    const root = type === 'drawing' ? opened.root(target) : undefined;
    for (const anchor of root?.children ?? []) {
      const [from, to] = ['from', 'to'].map((end) => Number(childOf(childOf(anchor, end), 'row')?.text ?? Number.NaN));
      const isMissing = anchor.name !== 'absoluteAnchor' && Number.isNaN(from);
      if (isMissing || [from, to].some((row = 0) => row < 0 || row >= LAST_ROW) || (from ?? 0) > (to ?? 0))
        opened.faults.push(`${target}: an anchor from row ${from} to row ${to}`);
    }
  }
}

/** The calculation chain lists cells that have a formula, each once. */
export function checkChain(opened: OpenedPackage, book: Book, cells: Map<string, SheetCells>): void {
  const workbook = opened.related('', 'officeDocument') ?? '';
  const part = opened.related(workbook, 'calcChain');
  const seen = new Set<string>();
  let id = '';
  for (const { attributes } of childrenOf(part ? opened.root(part) : undefined, 'c')) {
    id = attributes.get('i') ?? id;
    const sheet = book.sheets.find((one) => one.id === id);
    const address = attributes.get('r') ?? '';
    if (!sheet || !cells.get(sheet.part)?.formulas.has(address) || seen.has(`${id}!${address}`))
      opened.faults.push(`${part}: ${address} of sheet ${id} has no formula or is listed twice`);
    seen.add(`${id}!${address}`);
  }
}
