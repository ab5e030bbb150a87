/** An element of a parsed document. Names are without their namespace prefix. */
export type XmlElement = {
  name: string;
  prefix: string;
  attributes: Map<string, string>;
  children: XmlElement[];
  /** The text directly inside the element, decoded. */
  text: string;
};

const NAMED = new Map([
  ['lt', '<'],
  ['gt', '>'],
  ['amp', '&'],
  ['quot', '"'],
  ['apos', "'"],
]);
const NAME = /^[A-Za-z_][\w.-]*(?::[A-Za-z_][\w.-]*)?$/;
const ATTRIBUTE = /\s+([^\s=/>]+)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that XML forbids
const FORBIDDEN = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/;

function decode(text: string): string {
  return text.replace(/&([^;&\s]{0,12};?)/g, (whole, name: string) => {
    const code = /^#(?:x([0-9A-Fa-f]{1,6})|(\d{1,7}));$/.exec(name);
    if (code) return String.fromCodePoint(code[1] ? Number.parseInt(code[1], 16) : Number(code[2]));
    const known = name.endsWith(';') ? NAMED.get(name.slice(0, -1)) : undefined;
    if (known === undefined) throw new Error(`the entity “${whole}” is not known`);
    return known;
  });
}

function readAttributes(tag: string, name: string): Map<string, string> {
  const attributes = new Map<string, string>();
  let at = name.length;
  for (;;) {
    ATTRIBUTE.lastIndex = at;
    const match = ATTRIBUTE.exec(tag);
    if (!match) break;
    const [whole, key = '', double, single] = match;
    if (attributes.has(key)) throw new Error(`<${name}> has the attribute ${key} twice`);
    attributes.set(key, decode(double ?? single ?? ''));
    at += whole.length;
  }
  if (tag.slice(at).trim()) throw new Error(`<${name}> has something that is no attribute: ${tag.slice(at).trim()}`);
  return attributes;
}

/**
 * Parses a document strictly: one root, tags that match, attributes in quotes and once each, known entities, declared
 * prefixes, no forbidden character.
 * @throws Error with what is wrong
 */
export function parseXml(source: string): XmlElement {
  const text = source.replace(/^\uFEFF/, '');
  if (FORBIDDEN.test(text)) throw new Error('a character that XML forbids');
  const top: XmlElement = { name: '', prefix: '', attributes: new Map(), children: [], text: '' };
  const open: { element: XmlElement; tagName: string; prefixes: ReadonlySet<string> }[] = [
    { element: top, tagName: '', prefixes: new Set(['', 'xml', 'xmlns']) },
  ];
  let at = 0;
  while (at < text.length) {
    const inside = open.at(-1) as (typeof open)[number];
    const next = text.indexOf('<', at);
    const words = text.slice(at, next < 0 ? undefined : next);
    if (words) inside.element.text += decode(words);
    if (next < 0) break;
    at = endOfMarkup(text, next);
    const markup = text.slice(next, at);
    if (markup.startsWith('<?') || markup.startsWith('<!--')) continue;
    if (markup.startsWith('<![CDATA[')) inside.element.text += markup.slice(9, -3);
    else if (markup.startsWith('<!')) throw new Error('a document type, which no part may have');
    else if (markup.startsWith('</')) {
      if (markup.slice(2, -1).trim() !== inside.tagName) throw new Error(`${markup} closes <${inside.tagName}>`);
      open.pop();
    } else {
      const closed = markup.endsWith('/>');
      const body = markup.slice(1, closed ? -2 : -1);
      const tagName = /^[^\s]*/.exec(body)?.[0] ?? '';
      if (!NAME.test(tagName)) throw new Error(`<${tagName}> is no name`);
      const attributes = readAttributes(body, tagName);
      const declared = [...attributes.keys()].filter((key) => key.startsWith('xmlns:')).map((key) => key.slice(6));
      const prefixes = declared.length > 0 ? new Set([...inside.prefixes, ...declared]) : inside.prefixes;
      for (const used of [tagName, ...attributes.keys()])
        if (used.includes(':') && !prefixes.has(used.split(':')[0] ?? ''))
          throw new Error(`the prefix of ${used} is not declared`);
      const [name = '', prefix = ''] = tagName.split(':').reverse();
      const element: XmlElement = { name, prefix, attributes, children: [], text: '' };
      inside.element.children.push(element);
      if (!closed) open.push({ element, tagName, prefixes });
    }
  }
  if (open.length > 1) throw new Error(`<${open.at(-1)?.tagName}> is not closed`);
  const [root, ...others] = top.children;
  if (!root || others.length > 0 || top.text.trim()) throw new Error('it has not exactly one root');
  return root;
}

/** A tag; ">" may stand inside its quotes. */
const TAG = /<[^<>"']*(?:(?:"[^"]*"|'[^']*')[^<>"']*)*>/y;
const ENDS: [start: string, end: string][] = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
];

function endOfMarkup(text: string, start: number): number {
  const end = ENDS.find(([opening]) => text.startsWith(opening, start))?.[1];
  if (end === undefined) {
    TAG.lastIndex = start;
    if (TAG.test(text)) return TAG.lastIndex;
  } else if (text.includes(end, start)) return text.indexOf(end, start) + end.length;
  throw new Error('a tag that does not end');
}

/** The first child with a name. */
export const childOf = (element: XmlElement | undefined, name: string) =>
  element?.children.find((child) => child.name === name);

/** The children with a name. */
export const childrenOf = (element: XmlElement | undefined, name: string) =>
  element?.children.filter((child) => child.name === name) ?? [];

/** An element and everything below it. */
export function* everyElement(element: XmlElement): Generator<XmlElement> {
  yield element;
  for (const child of element.children) yield* everyElement(child);
}
