import { attributeOf, childrenOf, decodeText, type XmlElement, type XmlNode } from './xml.ts';

/** A text of a paragraph with its place in it. */
type Piece = {
  start: number;
  end: number;
  /** The run that holds it. */
  run: XmlElement;
  /** False in links, fields and content controls, and for what is no letter: tabs, ends of lines. */
  isEditable: boolean;
};

/** A paragraph of a document's body, as its text is read. */
export type Paragraph = {
  /** Its place among the paragraphs, from 0. */
  at: number;
  element: XmlElement;
  text: string;
  pieces: readonly Piece[];
  styleId: string | null;
  /** Level by direct formatting, from 0; null where it has none. */
  outlineLevel: number | null;
  isInTable: boolean;
  /** Its column, from 0, in a row of two: a label and its value; null elsewhere. */
  ofPair: number | null;
  /** Whether every letter of it is bold by direct formatting. */
  isBold: boolean;
  /** Whether it is an item of a list by direct formatting. */
  isListed: boolean;
  /** Whether it holds something that is not text: a picture, a section's end. */
  hasMore: boolean;
};

/** Markup whose paragraphs are not part of the running text; it is never touched. */
const APART = /^(?:w:drawing|w:pict|w:object|mc:AlternateContent|w:txbxContent)$/;
/** Markup of the run that stands for characters. */
const CHARACTERS: Record<string, string> = { 'w:tab': '\t', 'w:br': '\n', 'w:cr': '\n', 'w:noBreakHyphen': '‑' };

/** The text that a child of a run stands for. */
export const textOfChild = (child: XmlElement): string =>
  child.name === 'w:t'
    ? decodeText(child.children.filter((node) => typeof node === 'string').join(''))
    : (CHARACTERS[child.name] ?? '');

const isOn = (element: XmlElement | undefined): boolean =>
  element !== undefined && !/^(?:0|false|off|none)$/.test(attributeOf(element, 'w:val') ?? '');

const first = (element: XmlElement | undefined, name: string): XmlElement | undefined =>
  element && childrenOf(element, name)[0];

/** The body of a document. @throws Error where it has none */
export function bodyOf(nodes: readonly XmlNode[]): XmlElement {
  const root = nodes.find((node): node is XmlElement => typeof node !== 'string' && node.name === 'w:document');
  const body = first(root, 'w:body');
  if (!body) throw new Error('The document has no body.');
  return body;
}

/** The paragraphs of a body in order, those of tables too. */
export function readParagraphs(body: XmlElement): Paragraph[] {
  const paragraphs: Paragraph[] = [];
  const walk = (element: XmlElement, place: Place): void => {
    for (const child of childrenOf(element)) {
      if (APART.test(child.name)) continue;
      if (child.name === 'w:p') paragraphs.push(readParagraph(child, paragraphs.length, place));
      else if (child.name === 'w:tr') walkRow(child);
      else walk(child, place);
    }
  };
  const walkRow = (row: XmlElement): void => {
    const cells = childrenOf(row, 'w:tc');
    for (const [at, cell] of cells.entries()) walk(cell, { isInTable: true, ofPair: cells.length === 2 ? at : null });
    // Cells in content controls are read in their order, without a column.
    for (const other of childrenOf(row)) if (other.name === 'w:sdt') walk(other, { isInTable: true, ofPair: null });
  };
  walk(body, { isInTable: false, ofPair: null });
  return paragraphs;
}

type Place = Pick<Paragraph, 'isInTable' | 'ofPair'>;

function readParagraph(element: XmlElement, at: number, place: Place): Paragraph {
  const properties = first(element, 'w:pPr');
  const found = readPieces(element);
  const outline = attributeOf(first(properties, 'w:outlineLvl') ?? element, 'w:val');
  const lettered = found.runs.filter(({ text }) => /\p{L}/u.test(text));
  return {
    at,
    element,
    text: found.text,
    pieces: found.pieces,
    styleId: attributeOf(first(properties, 'w:pStyle') ?? element, 'w:val'),
    outlineLevel: outline !== null && /^[0-8]$/.test(outline) ? Number(outline) : null,
    ...place,
    isBold: lettered.length > 0 && lettered.every(({ run }) => isOn(first(first(run, 'w:rPr'), 'w:b'))),
    isListed: first(properties, 'w:numPr') !== undefined,
    hasMore: found.hasMore || first(properties, 'w:sectPr') !== undefined,
  };
}

type Found = { text: string; pieces: Piece[]; runs: { run: XmlElement; text: string }[]; hasMore: boolean };

function readPieces(paragraph: XmlElement): Found {
  const found: Found = { text: '', pieces: [], runs: [], hasMore: false };
  let fields = 0;
  const readRun = (run: XmlElement, isDirect: boolean): void => {
    const before = found.text.length;
    for (const child of childrenOf(run)) {
      if (child.name === 'w:fldChar') fields += { begin: 1, end: -1 }[attributeOf(child, 'w:fldCharType') ?? ''] ?? 0;
      if (APART.test(child.name)) found.hasMore = true;
      const text = textOfChild(child);
      if (text === '') continue;
      const start = found.text.length;
      found.text += text;
      const isEditable = isDirect && fields === 0 && child.name === 'w:t';
      found.pieces.push({ start, end: found.text.length, run, isEditable });
    }
    found.runs.push({ run, text: found.text.slice(before) });
  };
  const walk = (element: XmlElement, isDirect: boolean): void => {
    for (const child of childrenOf(element)) {
      if (child.name === 'w:r') readRun(child, isDirect);
      else if (APART.test(child.name)) found.hasMore = true;
      else if (child.name !== 'w:pPr' && child.name !== 'w:p') walk(child, false);
    }
  };
  walk(paragraph, true);
  return found;
}

/** Whether every character of a range can be edited. */
export const isEditable = ({ pieces }: Paragraph, from: number, to: number): boolean =>
  from < to &&
  pieces
    .filter((piece) => piece.isEditable && piece.start < to && piece.end > from)
    .reduce((sum, { start, end }) => sum + Math.min(end, to) - Math.max(start, from), 0) ===
    to - from;
