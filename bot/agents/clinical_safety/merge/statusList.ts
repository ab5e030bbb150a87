import { parseRange } from '../ooxml/cellAddress.ts';
import type { Grid } from '../ooxml/sheetScanner.ts';
import { attribute, elements, unescapeXml } from '../ooxml/xmlText.ts';

/** Whether the validation of a cell allows a value. If its list can't be read, the value counts as not allowed. */
export function isAllowedByList(
  sheetXml: string,
  workbookXml: string,
  grids: Grid[],
  cell: { row: number; column: number },
  value: string,
): boolean {
  const tail = sheetXml.slice(sheetXml.lastIndexOf('</sheetData>') + 1);
  for (const name of ['dataValidation', 'x14:dataValidation']) {
    for (const { tag, inner } of elements(tail, name.replace('x14:', ''))) {
      if (attribute(tag, 'type') !== 'list') continue;
      const ranges = attribute(tag, 'sqref') ?? /<xm:sqref>([^<]*)</.exec(inner)?.[1] ?? '';
      if (!ranges.split(/\s+/).some((text) => covers(text, cell))) continue;
      const formula = unescapeXml((/<(?:\w+:)?formula1>(?:<xm:f>)?([^<]*)</.exec(inner)?.[1] ?? '').trim());
      const words = readListValues(formula, workbookXml, grids);
      if (!words?.some((word) => word.trim().toLowerCase() === value.toLowerCase())) return false;
    }
  }
  return true;
}

function covers(text: string, { row, column }: { row: number; column: number }): boolean {
  const range = parseRange(text);
  return range !== null && range.left <= column && range.right >= column && range.top <= row && range.bottom >= row;
}

function readListValues(formula: string, workbookXml: string, grids: Grid[]): string[] | null {
  if (formula.startsWith('"')) return formula.slice(1, -1).split(',');
  const named = /^[A-Za-z_][\w.]*$/.test(formula)
    ? [...elements(workbookXml, 'definedName')].find(({ tag }) => attribute(tag, 'name') === formula)?.inner
    : undefined;
  const target = unescapeXml(named ?? formula).replaceAll('$', '');
  const match = /^(?:'((?:[^']|'')+)'|([^'!]+))!(.+)$/.exec(target);
  const range = match ? parseRange(match[3] ?? '') : null;
  const grid = match ? grids.find(({ name }) => name === (match[1]?.replaceAll("''", "'") ?? match[2])) : undefined;
  if (!range || !grid) return null;
  const words: string[] = [];
  for (let row = range.top; row <= Math.min(range.bottom, range.top + 500); row += 1)
    for (let column = range.left; column <= range.right; column += 1) words.push(grid.rows[row]?.[column]?.text ?? '');
  return words;
}
