/** The nearest position at which no surrogate pair and no HTML entity is cut. */
function wholeUntil(text: string, at: number): number {
  const entity = text.lastIndexOf('&', at - 1);
  if (entity > at - 5 && entity > 0 && /^&(amp|lt|gt);/.test(text.slice(entity)) && text.indexOf(';', entity) >= at)
    return entity;
  return /[\uD800-\uDBFF]/.test(text.charAt(at - 1)) ? at - 1 : at;
}

/** Splits text into parts of at most `most` characters (2 or more), at line ends or between words where possible. */
export function splitText(text: string, most: number): string[] {
  const parts: string[] = [];
  let rest = text;
  while (rest.length > most) {
    const [line, space] = [rest.lastIndexOf('\n', most), rest.lastIndexOf(' ', most)];
    const at = wholeUntil(rest, line > most / 2 ? line : space > most / 2 ? space : most);
    parts.push(rest.slice(0, at));
    rest = rest.slice(at).trimStart();
  }
  return rest ? [...parts, rest] : parts;
}

/** Shortens text to `most` characters at a word's end, with an ellipsis. */
export function shorten(text: string, most: number): string {
  if (text.length <= most) return text;
  const cut = text.slice(0, most - 1);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), most - 40))}…`;
}
