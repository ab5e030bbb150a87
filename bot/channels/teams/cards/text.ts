/** Most characters of one message's words. */
export const MESSAGE_TEXT = 10_000;

/** Words for a card: links that documents may hold are shown as they are written, not as links. */
export const plain = (text: string) => text.replaceAll('](', '] (');

/** Words for a message: nobody's words are read as markup that mentions or links. */
export const toMarkdown = (text: string) =>
  plain(text)
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/^• /gm, '- ')
    .replace(/\n/g, '\n\n');

/** Cuts at the end of a word, with an ellipsis. */
export function shorten(text: string, most: number): string {
  if (text.length <= most) return text;
  const cut = text.slice(0, most - 1);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), most - 40))}…`;
}

/** Splits text into parts of at most so many characters, at line ends where there are any. */
export function splitText(text: string, most: number): string[] {
  const parts: string[] = [];
  let rest = text;
  while (rest.length > most) {
    const line = rest.lastIndexOf('\n', most);
    const at = line > most / 2 ? line : Math.max(rest.lastIndexOf(' ', most), 1) || most;
    parts.push(rest.slice(0, at));
    rest = rest.slice(at).trimStart();
  }
  return rest ? [...parts, rest] : parts;
}
