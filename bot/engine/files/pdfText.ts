import { plainText } from './plainText.ts';

/** Says whether a font has a glyph for a code point. */
type HasGlyph = (codePoint: number) => boolean;

/**
 * Makes a text printable in a font: a character that the font lacks becomes its Unicode number in brackets, e.g.
 * `[U+6F22]`, so that it is never lost unseen. Line breaks stay; other control characters go.
 */
export function makePrintable(hasGlyph: HasGlyph): (text: string) => string {
  const known = new Map<string, string>();
  const shown = (sign: string): string => {
    const code = sign.codePointAt(0) ?? 0;
    return hasGlyph(code) ? sign : `[U+${code.toString(16).toUpperCase().padStart(4, '0')}]`;
  };
  return (text) => {
    let printable = '';
    for (const sign of plainText(text).replaceAll('\r\n', '\n').replaceAll('\t', ' ')) {
      let as = known.get(sign);
      if (as === undefined) {
        as = sign === '\n' ? sign : shown(sign);
        known.set(sign, as);
      }
      printable += as;
    }
    return printable;
  };
}
