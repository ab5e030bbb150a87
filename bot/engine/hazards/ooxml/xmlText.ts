const NAMED: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

/** Text of an XML node: entities, and Excel's own "_x000D_" for characters that XML can't hold. */
export function unescapeXml(text: string): string {
  let plain = text;
  if (plain.includes('&'))
    plain = plain.replace(/&(#x[0-9a-f]+|#\d+|\w+);/gi, (whole, name: string) => {
      if (name[0] !== '#') return NAMED[name] ?? whole;
      const code = name[1] === 'x' || name[1] === 'X' ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    });
  if (plain.includes('_x'))
    plain = plain.replace(/_x([0-9A-F]{4})_/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  return plain.includes('\r') ? plain.replace(/\r\n?/g, '\n') : plain;
}

const ESCAPES: Record<string, string> = { '<': '&lt;', '>': '&gt;', '&': '&amp;', '"': '&quot;' };

/** Safe inside an element or a double-quoted attribute; characters that XML 1.0 forbids are left out. */
export function escapeXml(text: string): string {
  return (
    text
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that XML forbids
      .replace(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g, '')
      .replace(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g, '')
      .replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
      .replace(/[<>&"]/g, (character) => ESCAPES[character] ?? character)
  );
}

/** An attribute of a start tag as it stands in the file; null where it has none. */
export function attribute(tag: string, name: string): string | null {
  const at = tag.indexOf(` ${name}="`);
  if (at >= 0) {
    const start = at + name.length + 3;
    return tag.slice(start, tag.indexOf('"', start));
  }
  const match = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(tag);
  return match ? (match[1] ?? match[2] ?? '') : null;
}

/** Every element of a name, self-closing or not: its start tag and its inner text. Not for elements that nest in themselves. */
export function* elements(
  xml: string,
  name: string,
): Generator<{ tag: string; inner: string; start: number; end: number }> {
  const pattern = new RegExp(`<(?:\\w+:)?${name}(?=[\\s/>])[^>]*>`, 'g');
  for (let match = pattern.exec(xml); match; match = pattern.exec(xml)) {
    const [tag] = match;
    if (tag.endsWith('/>')) {
      yield { tag, inner: '', start: match.index, end: pattern.lastIndex };
      continue;
    }
    const prefix = /^<(\w+:)?/.exec(tag)?.[1] ?? '';
    const closing = `</${prefix}${name}>`;
    const close = xml.indexOf(closing, pattern.lastIndex);
    if (close < 0) return;
    const inner = xml.slice(pattern.lastIndex, close);
    const start = match.index;
    pattern.lastIndex = close + closing.length;
    yield { tag, inner, start, end: pattern.lastIndex };
  }
}
