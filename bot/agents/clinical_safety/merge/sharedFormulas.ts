import { parseAddress, parseRange } from '../ooxml/cellAddress.ts';
import { listReferences, translateFormula } from '../ooxml/formulaReferences.ts';
import { attribute, escapeXml, startTags, unescapeXml } from '../ooxml/xmlText.ts';
import type { Growth } from './growth.ts';

/** A formula that many cells share: its text stands in its first cell, and the others refer to it by number. */
type Shared = { index: string; text: string; row: number; column: number; bottom: number };
type FormulaCell = { index: string | null; row: number; column: number; start: number; end: number; text: string };

/** The formulas of a sheet's cells with their place in its XML, from start to end tag. */
function* listFormulaCells(xml: string, prefix: string): Generator<FormulaCell & { ref: string | null }> {
  let place: { row: number; column: number } | null = null;
  for (const { tag, name, start, end, prefix: own } of startTags(xml, ['c', 'f'])) {
    if (own !== prefix) continue;
    if (name === 'c') {
      place = parseAddress(attribute(tag, 'r') ?? '');
      continue;
    }
    if (!place) continue;
    const closing = `</${prefix}f>`;
    const close = tag.endsWith('/>') ? end : xml.indexOf(closing, end);
    if (close < 0) return;
    const index = attribute(tag, 't') === 'shared' ? attribute(tag, 'si') : null;
    const text = tag.endsWith('/>') ? '' : unescapeXml(xml.slice(end, close));
    const last = tag.endsWith('/>') ? end : close + closing.length;
    yield { index, ...place, start, end: last, text, ref: attribute(tag, 'ref') };
  }
}

/**
 * Whether a shared formula reads differently after the merge than its first cell tells: some of its cells move and some
 * do not, or the same is true of the cells to which it refers.
 */
function isTornApart({ text, row, bottom }: Shared, ownSheet: string, { sheet, lastRow, shift }: Growth): boolean {
  if (shift === 0) return false;
  if (ownSheet === sheet && row <= lastRow && bottom > lastRow) return true;
  return listReferences(text).some(
    (reference) =>
      (reference.sheet ?? ownSheet).toLowerCase() === sheet.toLowerCase() &&
      !reference.rowAbsolute &&
      reference.row <= lastRow &&
      reference.row + bottom - row > lastRow,
  );
}

/**
 * Writes shared formulas out in each of their cells where a merge would change what they say: those that move only in
 * part, and those with a cell that is overwritten (`isReplaced`). All others stay as they are.
 */
export function separateShared(
  xml: string,
  prefix: string,
  ownSheet: string,
  growth: Growth,
  isReplaced: (row: number, column: number) => boolean = () => false,
): string {
  if (!xml.includes('shared')) return xml;
  const cells = [...listFormulaCells(xml, prefix)];
  const groups = new Map<string, Shared>();
  const separate = new Set<string>();
  for (const { index, text, row, column, ref } of cells) {
    if (index === null) continue;
    if (text && ref !== null) groups.set(index, { index, text, row, column, bottom: parseRange(ref)?.bottom ?? row });
    if (isReplaced(row, column)) separate.add(index);
  }
  for (const group of groups.values()) if (isTornApart(group, ownSheet, growth)) separate.add(group.index);
  let written = '';
  let from = 0;
  for (const { index, text, row, column, start, end } of cells) {
    const group = index !== null && separate.has(index) ? groups.get(index) : undefined;
    if (!group) continue;
    const own = text || translateFormula(group.text, row - group.row, column - group.column);
    written += `${xml.slice(from, start)}<${prefix}f>${escapeXml(own)}</${prefix}f>`;
    from = end;
  }
  return written + xml.slice(from);
}
