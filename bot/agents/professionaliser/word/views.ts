import { readParagraphs } from './paragraphs.ts';
import { childrenOf, type XmlElement, type XmlNode } from './xml.ts';

/** The content of a document once every change is accepted, or once every change is rejected. */
export type View = 'accepted' | 'rejected';

const GOES: Record<View, string> = { accepted: 'w:del', rejected: 'w:ins' };
const STAYS: Record<View, string> = { accepted: 'w:ins', rejected: 'w:del' };

const isMarked = (paragraph: XmlElement, mark: string): boolean =>
  childrenOf(paragraph, 'w:pPr')
    .flatMap((properties) => childrenOf(properties, 'w:rPr'))
    .some((format) => childrenOf(format, mark).length > 0);

const isRowMarked = (row: XmlElement, mark: string): boolean =>
  childrenOf(row, 'w:trPr').some((properties) => childrenOf(properties, mark).length > 0);

function settle(element: XmlElement, view: View): XmlElement {
  const children = element.children.flatMap((node): XmlNode[] => {
    if (typeof node === 'string') return [node];
    if (node.name === GOES[view]) return [];
    if (node.name === STAYS[view]) return settle(node, view).children;
    // A deleted text is a text again where its deletion is rejected.
    if (node.name === 'w:delText') return [{ ...node, name: 'w:t' }];
    if (node.name === 'w:tr' && isRowMarked(node, GOES[view])) return [];
    if (node.name === 'w:p' && isMarked(node, GOES[view])) return [];
    const settled = settle(node, view);
    return node.name === 'w:tbl' && childrenOf(settled, 'w:tr').length === 0 ? [] : [settled];
  });
  return { ...element, children };
}

/** The texts of the paragraphs of a body as they are once its changes are decided. */
export const textsOf = (body: XmlElement, view: View): string[] =>
  readParagraphs(settle(body, view)).map(({ text }) => text);
