import { shorten } from '../../../engine/delivery/splitText.ts';

/** Limits of Slack's blocks, in characters; `blocks` is a number per post (docs/platforms.md). */
export const BLOCK_LIMITS = {
  section: 3000,
  /** The whole text of a post. */
  message: 10_000,
  /** All cells of a table. */
  table: 9000,
  blocks: 50,
  header: 150,
  button: 75,
  option: 75,
} as const;

/** Escapes Slack's control characters, so that no text can mention anyone. */
export const escapeText = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');

/** Escapes a text and cuts it to `most` characters without cutting an entity in two. */
export function escapeWithin(text: string, most: number): string {
  let length = Math.min(text.length, most);
  while (length > 0 && escapeText(text.slice(0, length)).length > most) length = Math.floor(length * 0.9);
  return escapeText(length < text.length ? shorten(text, length) : text);
}

/** The engine's light markup as Slack's: **bold** and bullet lines. */
export const toMrkdwn = (text: string) => escapeText(text).replace(/\*\*(.+?)\*\*/g, '*$1*');
