import { insertedRun, markEnd, type Stamp } from './trackChanges.ts';
import { makeElement, type XmlElement } from './xml.ts';

/** A text of an inserted part; a `gap` is highlighted: only a person can fill it. */
export type InsertedText = { text: string; gap?: boolean; bold?: boolean };
export type InsertedCell = readonly InsertedText[];

const format = ({ gap = false, bold = false }: InsertedText): XmlElement | undefined =>
  gap || bold
    ? makeElement('w:rPr', {}, [
        ...(bold ? [makeElement('w:b')] : []),
        ...(gap ? [makeElement('w:highlight', { 'w:val': 'yellow' })] : []),
      ])
    : undefined;

/** An inserted paragraph; its end is marked too, so that rejecting it takes the line away. */
export function insertedParagraph(texts: readonly InsertedText[], stamp: Stamp, styleId?: string): XmlElement {
  const paragraph = makeElement('w:p', {}, [
    makeElement('w:pPr', {}, [
      ...(styleId ? [makeElement('w:pStyle', { 'w:val': styleId })] : []),
      makeElement('w:spacing', { 'w:after': styleId ? '120' : '60' }),
    ]),
  ]);
  markEnd(paragraph, 'w:ins', stamp);
  paragraph.children.push(...texts.map((it) => insertedRun(it.text, stamp, format(it))));
  return paragraph;
}

/** An inserted paragraph that begins a new page. */
export function insertedPageBreak(stamp: Stamp): XmlElement {
  const paragraph = makeElement('w:p', {}, []);
  markEnd(paragraph, 'w:ins', stamp);
  paragraph.children.push(
    makeElement('w:ins', stamp(), [makeElement('w:r', {}, [makeElement('w:br', { 'w:type': 'page' })])]),
  );
  return paragraph;
}

/** Twentieths of a point: the text's width on A4 with usual margins. */
const ACROSS = 9000;
const EDGE = { 'w:val': 'single', 'w:sz': '4', 'w:space': '0', 'w:color': 'A6B1BB' };
const EDGES = ['w:top', 'w:left', 'w:bottom', 'w:right', 'w:insideH', 'w:insideV'];

/**
 * An inserted table, each row a change of its own.
 * @param widths relative widths of its columns
 */
export function insertedTable(
  head: readonly string[] | null,
  rows: readonly (readonly InsertedCell[])[],
  widths: readonly number[],
  stamp: Stamp,
): XmlElement {
  const all = widths.reduce((sum, width) => sum + width, 0);
  const across = widths.map((width) => Math.floor((width / all) * ACROSS));
  const cell = (texts: InsertedCell, at: number, isHead: boolean): XmlElement =>
    makeElement('w:tc', {}, [
      makeElement('w:tcPr', {}, [
        makeElement('w:tcW', { 'w:w': String(across[at] ?? 0), 'w:type': 'dxa' }),
        ...(isHead ? [makeElement('w:shd', { 'w:val': 'clear', 'w:color': 'auto', 'w:fill': 'E3EFEE' })] : []),
      ]),
      insertedParagraph(texts.length > 0 ? texts : [{ text: '' }], stamp),
    ]);
  const row = (cells: readonly InsertedCell[], isHead: boolean): XmlElement =>
    makeElement('w:tr', {}, [
      makeElement('w:trPr', {}, [
        makeElement('w:cantSplit'),
        ...(isHead ? [makeElement('w:tblHeader')] : []),
        makeElement('w:ins', stamp()),
      ]),
      ...cells.map((texts, at) => cell(texts, at, isHead)),
    ]);
  return makeElement('w:tbl', {}, [
    makeElement('w:tblPr', {}, [
      makeElement('w:tblW', { 'w:w': String(ACROSS), 'w:type': 'dxa' }),
      makeElement(
        'w:tblBorders',
        {},
        EDGES.map((edge) => makeElement(edge, EDGE)),
      ),
      makeElement('w:tblLayout', { 'w:type': 'fixed' }),
    ]),
    makeElement(
      'w:tblGrid',
      {},
      across.map((width) => makeElement('w:gridCol', { 'w:w': String(width) })),
    ),
    ...(head
      ? [
          row(
            head.map((text) => [{ text, bold: true }]),
            true,
          ),
        ]
      : []),
    ...rows.map((cells) => row(cells, false)),
  ]);
}
