/** An element with its attributes as they were written. */
export type XmlElement = { name: string; attributes: string; children: XmlNode[]; isSelfClosed: boolean };
/** An element, or the markup between two elements as it was written: text with its entities, comments. */
export type XmlNode = XmlElement | string;

/** Deeper markup is hostile and is refused. */
const MAX_DEPTH = 200;

const TAG = /<(\/?)([\w:.-]+)((?:\s+[\w:.-]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(\/?)>/y;

/** Markup that is kept as it is, by how it begins and ends. */
const KEPT: readonly [begin: string, end: string][] = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
];

/**
 * Reads markup into a tree that is written back without a difference.
 * @throws Error where it is not well formed, declares a document type, or is too deep
 */
export function parseXml(text: string): XmlNode[] {
  const root: XmlElement = { name: '', attributes: '', children: [], isSelfClosed: false };
  const open: XmlElement[] = [root];
  const top = (): XmlElement => open.at(-1) ?? root;
  for (let at = 0; at < text.length; ) {
    const next = text.indexOf('<', at);
    const end = next === -1 ? text.length : next;
    if (end > at) top().children.push(text.slice(at, end));
    if (next === -1) break;
    at = readMarkup(text, next, open, top);
  }
  if (open.length > 1) throw new Error(`The element ${top().name} is not closed.`);
  return root.children;
}

/** @returns where the markup ends */
function readMarkup(text: string, at: number, open: XmlElement[], top: () => XmlElement): number {
  const kept = KEPT.find(([begin]) => text.startsWith(begin, at));
  if (kept) {
    const end = text.indexOf(kept[1], at + kept[0].length);
    if (end === -1) throw new Error('Markup is not closed.');
    top().children.push(text.slice(at, end + kept[1].length));
    return end + kept[1].length;
  }
  TAG.lastIndex = at;
  const [whole, closing, name = '', attributes = '', selfClosing] = TAG.exec(text) ?? [];
  if (whole === undefined) throw new Error('Markup can’t be read.');
  if (closing) {
    if (open.length === 1 || top().name !== name) throw new Error(`The element ${name} was not open.`);
    open.pop();
  } else {
    const element = { name, attributes, children: [], isSelfClosed: selfClosing === '/' };
    top().children.push(element);
    if (!element.isSelfClosed) open.push(element);
    if (open.length > MAX_DEPTH) throw new Error('The markup is too deep.');
  }
  return at + whole.length;
}

/** The markup of nodes. */
export function writeXml(nodes: readonly XmlNode[]): string {
  const parts: string[] = [];
  const write = (node: XmlNode): void => {
    if (typeof node === 'string') {
      parts.push(node);
      return;
    }
    const { name, attributes, children, isSelfClosed } = node;
    if (isSelfClosed && children.length === 0) {
      parts.push(`<${name}${attributes}/>`);
      return;
    }
    parts.push(`<${name}${attributes}>`);
    children.forEach(write);
    parts.push(`</${name}>`);
  };
  nodes.forEach(write);
  return parts.join('');
}

const NAMED: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** The characters of a text as markup holds it. */
export const decodeText = (text: string): string =>
  text.replace(/&(?:#x([0-9a-fA-F]{1,6})|#(\d{1,7})|(\w+));/g, (whole, hex?: string, decimal?: string, name = '') => {
    const code = hex ? Number.parseInt(hex, 16) : decimal ? Number(decimal) : null;
    if (code === null) return NAMED[name] ?? whole;
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });

// biome-ignore lint/suspicious/noControlCharactersInRegex: XML can't hold these characters.
const NOT_IN_XML = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g;

/** A text as markup holds it. */
export const encodeText = (text: string): string =>
  text
    .toWellFormed()
    .replace(NOT_IN_XML, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');

/** An element with children; an attribute's value is encoded. */
export const makeElement = (
  name: string,
  attributes: Record<string, string> = {},
  children: XmlNode[] = [],
): XmlElement => ({
  name,
  attributes: Object.entries(attributes)
    .map(([key, value]) => ` ${key}="${encodeText(value)}"`)
    .join(''),
  children,
  isSelfClosed: children.length === 0,
});

/** The child elements of a name; all where none is given. */
export const childrenOf = ({ children }: XmlElement, name?: string): XmlElement[] =>
  children.filter((node): node is XmlElement => typeof node !== 'string' && (name === undefined || node.name === name));

/** The value of an attribute; null where it is absent. */
export function attributeOf({ attributes }: XmlElement, name: string): string | null {
  for (const [, key, double, single] of attributes.matchAll(/([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g))
    if (key === name) return decodeText(double ?? single ?? '');
  return null;
}
