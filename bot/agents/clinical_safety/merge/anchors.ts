import { elements, rewriteTexts } from '../ooxml/xmlText.ts';
import { type Growth, movedRow } from './growth.ts';

/** A row that counts from 0, after the merge. */
const movedIndex = (index: number, growth: Growth) => movedRow(index + 1, growth) - 1;

/** Moves the ends of pictures and charts; also of the controls of a sheet, which are anchored in the same way. */
export function grownDrawing(xml: string, growth: Growth): string {
  return rewriteTexts(xml, ['row'], (row) => (/^\d{1,7}$/.test(row) ? String(movedIndex(Number(row), growth)) : row));
}

/** The places of the rows in the anchor of a box: left, its offset, top, its offset, right, its offset, bottom. */
const [TOP, BOTTOM] = [2, 6];

/** Moves the boxes of comments with their cells, and other boxes with their first row. */
export function grownNotes(xml: string, growth: Growth): string {
  let text = '';
  let from = 0;
  for (const { inner, start, end } of elements(xml, 'ClientData')) {
    const [anchor] = elements(inner, 'Anchor');
    const places = anchor?.inner.split(',').map(Number) ?? [];
    const [cell] = elements(inner, 'Row');
    const row = cell ? Number(cell.inner) : places[TOP];
    const by = row === undefined || !Number.isInteger(row) ? 0 : movedIndex(row, growth) - row;
    if (by === 0) continue;
    const moved = rewriteTexts(xml.slice(start, end), ['Row', 'Anchor'], (own) =>
      own.includes(',')
        ? places.map((place, at) => (at === TOP || at === BOTTOM ? place + by : place)).join(', ')
        : String(Number(own) + by),
    );
    text += xml.slice(from, start) + moved;
    from = end;
  }
  return text + xml.slice(from);
}
