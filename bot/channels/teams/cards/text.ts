import { splitText } from '../../../engine/delivery/splitText.ts';

/** Most characters of one message's words. */
const MESSAGE_TEXT = 10_000;

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

/** Splits text into parts, each within so many characters and, as it is sent, within so many bytes. */
export const splitWithin = (
  text: string,
  bytes: number,
  sent: (part: string) => string,
  most = MESSAGE_TEXT,
): string[] =>
  splitText(text, most).flatMap((part) =>
    part.length < 4 || Buffer.byteLength(JSON.stringify(sent(part))) <= bytes
      ? [part]
      : splitWithin(part, bytes, sent, Math.ceil(part.length / 2)),
  );
