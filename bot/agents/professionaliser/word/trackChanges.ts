import type { Paragraph } from './paragraphs.ts';
import { textOfChild } from './paragraphs.ts';
import { childrenOf, encodeText, makeElement, type XmlElement, type XmlNode } from './xml.ts';

/** A part of a paragraph's text to replace; an empty text deletes it. */
export type Edit = { from: number; to: number; text: string };

/** Who changed something and when, for each mark of a change; ids are unique in a document. */
export type Stamp = () => Record<string, string>;

/** Ids above those that programs usually give to marks and comments of a document. */
const FIRST_ID = 500_000;

/**
 * Stamps of one author.
 * @param at ISO 8601; the same moment for every change
 */
export function makeStamp(author: string, at: string): Stamp {
  let id = FIRST_ID;
  return () => {
    id += 1;
    return { 'w:id': String(id), 'w:author': author, 'w:date': at.replace(/\.\d+Z$/, 'Z') };
  };
}

const textElement = (name: 'w:t' | 'w:delText', text: string): XmlElement =>
  makeElement(name, { 'xml:space': 'preserve' }, [encodeText(text)]);

/** A run with a text, in the format of another run. */
const runOf = (format: XmlElement | undefined, child: XmlNode): XmlElement =>
  makeElement('w:r', {}, format ? [format, child] : [child]);

/** A run of inserted text. */
export const insertedRun = (text: string, stamp: Stamp, format?: XmlElement): XmlElement =>
  makeElement('w:ins', stamp(), [runOf(format, textElement('w:t', text))]);

const deletedRun = (text: string, stamp: Stamp, format?: XmlElement): XmlElement =>
  makeElement('w:del', stamp(), [runOf(format, textElement('w:delText', text))]);

/** The pieces of a text with the edits that touch it, in order. */
function* cut(start: number, text: string, edits: readonly Edit[]): Generator<{ text: string; edit: Edit | null }> {
  let at = start;
  const end = start + text.length;
  for (const edit of edits) {
    if (edit.to <= at || edit.from >= end) continue;
    if (edit.from > at) yield { text: text.slice(at - start, edit.from - start), edit: null };
    const [from, to] = [Math.max(edit.from, at), Math.min(edit.to, end)];
    yield { text: text.slice(from - start, to - start), edit };
    at = to;
  }
  if (at < end) yield { text: text.slice(at - start), edit: null };
}

function rewriteRun(run: XmlElement, start: number, edits: readonly Edit[], stamp: Stamp): XmlNode[] {
  const format = childrenOf(run, 'w:rPr')[0];
  const out: XmlNode[] = [];
  let at = start;
  for (const child of childrenOf(run)) {
    if (child === format) continue;
    const text = textOfChild(child);
    if (child.name !== 'w:t') out.push(runOf(format, child));
    else
      for (const piece of cut(at, text, edits)) {
        if (!piece.edit) {
          out.push(runOf(format, textElement('w:t', piece.text)));
          continue;
        }
        out.push(deletedRun(piece.text, stamp, format));
        // What replaces a text of several runs follows its last part.
        const isLast = piece.edit.to <= at + text.length;
        if (isLast && piece.edit.text !== '') out.push(insertedRun(piece.edit.text, stamp, format));
      }
    at += text.length;
  }
  return out;
}

/**
 * Replaces parts of a paragraph's text, each as a change that a person can accept or reject.
 * @param edits without overlaps, each editable
 */
export function editText({ element, pieces }: Paragraph, edits: readonly Edit[], stamp: Stamp): void {
  const ordered = edits.toSorted((one, other) => one.from - other.from);
  const startOf = new Map<XmlElement, number>();
  for (const { run, start } of pieces) if (!startOf.has(run)) startOf.set(run, start);
  const endOf = new Map(pieces.map(({ run, end }) => [run, end] as const));
  element.children = element.children.flatMap((node): XmlNode[] => {
    if (typeof node === 'string' || node.name !== 'w:r') return [node];
    const [start, end] = [startOf.get(node), endOf.get(node)];
    if (start === undefined || end === undefined) return [node];
    return ordered.some(({ from, to }) => from < end && to > start) ? rewriteRun(node, start, ordered, stamp) : [node];
  });
  element.isSelfClosed = false;
}

/** Properties of a paragraph that stand before its numbering, by the schema of WordprocessingML. */
const BEFORE_NUMBERING = ['w:pStyle', 'w:keepNext', 'w:keepLines', 'w:pageBreakBefore', 'w:framePr', 'w:widowControl'];
/** Properties that stand at the end. */
const LAST = ['w:rPr', 'w:sectPr', 'w:pPrChange'];

function propertiesOf(paragraph: XmlElement): XmlElement {
  const standing = childrenOf(paragraph, 'w:pPr')[0];
  if (standing) return standing;
  const made = makeElement('w:pPr');
  paragraph.children.unshift(made);
  paragraph.isSelfClosed = false;
  return made;
}

/** Sets style and numbering of a paragraph, as a change of its format that can be rejected. */
export function formatParagraph(
  { element }: Pick<Paragraph, 'element'>,
  { styleId, numbering }: { styleId: string; numbering: { id: string; level: number } | null },
  stamp: Stamp,
): void {
  const properties = propertiesOf(element);
  const standing = childrenOf(properties);
  const kept = standing.filter(({ name }) => !LAST.includes(name));
  const others = kept.filter(({ name }) => name !== 'w:pStyle' && (name !== 'w:numPr' || numbering === null));
  const numbered = numbering
    ? [
        makeElement('w:numPr', {}, [
          makeElement('w:ilvl', { 'w:val': String(numbering.level) }),
          makeElement('w:numId', { 'w:val': numbering.id }),
        ]),
      ]
    : [];
  properties.children = [
    makeElement('w:pStyle', { 'w:val': styleId }),
    ...others.filter(({ name }) => BEFORE_NUMBERING.includes(name)),
    ...numbered,
    ...others.filter(({ name }) => !BEFORE_NUMBERING.includes(name)),
    ...standing.filter(({ name }) => name === 'w:rPr' || name === 'w:sectPr'),
    makeElement('w:pPrChange', stamp(), [makeElement('w:pPr', {}, kept)]),
  ];
  properties.isSelfClosed = false;
}

/** Marks the end of a paragraph as inserted or deleted, so that its line goes with its text. */
export function markEnd(paragraph: XmlElement, mark: 'w:ins' | 'w:del', stamp: Stamp): void {
  const properties = propertiesOf(paragraph);
  const standing = childrenOf(properties, 'w:rPr')[0];
  const marked = makeElement(mark, stamp());
  properties.isSelfClosed = false;
  if (standing) {
    standing.children.unshift(marked);
    standing.isSelfClosed = false;
    return;
  }
  const after = properties.children.findIndex((node) => typeof node !== 'string' && LAST.includes(node.name));
  properties.children.splice(after === -1 ? properties.children.length : after, 0, makeElement('w:rPr', {}, [marked]));
}

/** Deletes a whole paragraph as a change. */
export function deleteParagraph(paragraph: Paragraph, stamp: Stamp): void {
  editText(paragraph, [{ from: 0, to: paragraph.text.length, text: '' }], stamp);
  markEnd(paragraph.element, 'w:del', stamp);
}
