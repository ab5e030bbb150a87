import { splitText } from '../../../engine/delivery/splitText.ts';

/** In characters. */
const MAX_MESSAGE_LENGTH = 10_000;

/** Text for a card: Markdown links, e.g. from a document, are shown as typed and not as links. */
export const plain = (text: string) => text.replaceAll('](', '] (');

/** Text for a message: escapes markup, so that no text can mention or link. */
export const toMarkdown = (text: string) =>
  plain(text)
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/^• /gm, '- ')
    .replace(/\n/g, '\n\n');

/** Splits a text into parts, each within a number of characters and, in the form in which it is sent, of bytes. */
export const splitWithin = (
  text: string,
  bytes: number,
  toSent: (part: string) => string,
  most = MAX_MESSAGE_LENGTH,
): string[] =>
  splitText(text, most).flatMap((part) =>
    part.length < 4 || Buffer.byteLength(JSON.stringify(toSent(part))) <= bytes
      ? [part]
      : splitWithin(part, bytes, toSent, Math.ceil(part.length / 2)),
  );
