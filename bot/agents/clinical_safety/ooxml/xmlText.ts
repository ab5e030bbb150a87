import { ownEntry } from '../../../../models/contracts/ownEntry.ts';

const NAMED: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

/** Decodes the text of an XML node: entities, and Excel's "_x000D_" for characters that XML can't hold. */
export function unescapeXml(text: string): string {
  let plain = text;
  if (plain.includes('&'))
    plain = plain.replace(/&(#x[0-9a-f]{1,8}|#\d{1,9}|\w{1,32});/gi, (whole, name: string) => {
      if (name[0] !== '#') return ownEntry(NAMED, name) ?? whole;
      const code = name[1] === 'x' || name[1] === 'X' ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    });
  if (plain.includes('_x'))
    plain = plain.replace(/_x([0-9A-F]{4})_/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  return plain.includes('\r') ? plain.replace(/\r\n?/g, '\n') : plain;
}

/** Escapes text for an element or a double-quoted attribute. Characters that XML 1.0 forbids are removed. */
export function escapeXml(text: string): string {
  return (
    text
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that XML forbids
      .replace(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g, '')
      .replace(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g, '')
      .replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
  );
}

const isSpace = (code: number) => code === 32 || (code >= 9 && code <= 13);

/** Where the value of an attribute stands in a start tag, in quotes of either kind; null where it is missing. */
function placeOfAttribute(tag: string, name: string): { start: number; end: number } | null {
  const at = tag.indexOf(` ${name}="`);
  if (at !== -1) {
    const start = at + name.length + 3;
    const end = tag.indexOf('"', start);
    return end === -1 ? null : { start, end };
  }
  for (let found = tag.indexOf(name, 1); found !== -1; found = tag.indexOf(name, found + name.length)) {
    if (!isSpace(tag.charCodeAt(found - 1))) continue;
    let next = found + name.length;
    while (isSpace(tag.charCodeAt(next))) next += 1;
    if (tag[next] !== '=') continue;
    next += 1;
    while (isSpace(tag.charCodeAt(next))) next += 1;
    const mark = tag[next];
    if (mark !== '"' && mark !== "'") continue;
    const end = tag.indexOf(mark, next + 1);
    return end === -1 ? null : { start: next + 1, end };
  }
  return null;
}

/** The raw value of an attribute of a start tag; null where it is missing. */
export function attribute(tag: string, name: string): string | null {
  const place = placeOfAttribute(tag, name);
  return place && tag.slice(place.start, place.end);
}

type StartTag = { tag: string; prefix: string; name: string; start: number; end: number };

/**
 * Yields the start tags with the given names and any namespace prefix, in order. Reads each character once; an unclosed
 * tag ends the search.
 */
export function* startTags(xml: string, names: readonly string[], from = 0): Generator<StartTag> {
  const wanted = new Set(names);
  for (let start = xml.indexOf('<', from); start !== -1; start = xml.indexOf('<', start)) {
    let at = start + 1;
    let nameStart = at;
    for (let code = xml.charCodeAt(at); !endsName(code); code = xml.charCodeAt(at)) {
      at += 1;
      if (code === 58 /* : */) nameStart = at;
    }
    const name = xml.slice(nameStart, at);
    if (!wanted.has(name)) {
      start = at;
      continue;
    }
    const close = xml.indexOf('>', at);
    if (close === -1) return;
    const end = close + 1;
    yield { tag: xml.slice(start, end), prefix: xml.slice(start + 1, nameStart), name, start, end };
    start = end;
  }
}

/** Rewrites the start tags with the given names. */
export function rewriteTags(
  xml: string,
  names: readonly string[],
  rewrite: (tag: string, name: string, prefix: string) => string,
): string {
  let text = '';
  let from = 0;
  for (const { tag, name, prefix, start, end } of startTags(xml, names)) {
    const rewritten = rewrite(tag, name, prefix);
    if (rewritten === tag) continue;
    text += xml.slice(from, start) + rewritten;
    from = end;
  }
  return text + xml.slice(from);
}

/** Rewrites an attribute of a start tag. */
export function rewriteAttribute(tag: string, name: string, rewrite: (value: string) => string): string {
  const place = placeOfAttribute(tag, name);
  return place ? tag.slice(0, place.start) + rewrite(tag.slice(place.start, place.end)) + tag.slice(place.end) : tag;
}

/** Rewrites the texts of elements with the given names that contain only text. */
export function rewriteTexts(xml: string, names: readonly string[], rewrite: (text: string) => string): string {
  let text = '';
  let from = 0;
  for (const { tag, end } of startTags(xml, names)) {
    if (tag.endsWith('/>')) continue;
    const close = xml.indexOf('<', end);
    if (close === -1 || xml[close + 1] !== '/') continue;
    const own = xml.slice(end, close);
    const rewritten = rewrite(own);
    if (rewritten === own) continue;
    text += xml.slice(from, end) + rewritten;
    from = close;
  }
  return text + xml.slice(from);
}

/** Whether a character ends a name: a space, "/", "<" or ">", or the end of the text. */
const endsName = (code: number) => Number.isNaN(code) || isSpace(code) || code === 47 || code === 60 || code === 62;

/** Yields every element with a name, self-closing or not. Not for elements that can contain themselves. */
export function* elements(
  xml: string,
  name: string,
): Generator<{ tag: string; inner: string; start: number; end: number }> {
  let from = 0;
  for (;;) {
    const found = startTags(xml, [name], from).next().value;
    if (!found) return;
    const { tag, prefix, start, end } = found;
    if (tag.endsWith('/>')) {
      yield { tag, inner: '', start, end };
      from = end;
      continue;
    }
    const closing = `</${prefix}${name}>`;
    const close = xml.indexOf(closing, end);
    if (close === -1) return;
    from = close + closing.length;
    yield { tag, inner: xml.slice(end, close), start, end: from };
  }
}
