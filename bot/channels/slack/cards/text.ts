import { shorten } from '../../../engine/delivery/splitText.ts';
/** Limits of Slack's blocks (docs/platforms.md). */
export const BLOCK_LIMITS = {
  section: 3000,
  /** All words of a post together. */
  message: 10_000,
  /** All cells of a table together. */
  table: 9000,
  blocks: 50,
  header: 150,
  button: 75,
  option: 75,
} as const;

/** Escapes what Slack reads as control characters, so that nobody's words ping anyone. */
export const escapeText = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');

/** Escaped and then cut, with no entity cut in two. */
export function escapeWithin(text: string, most: number): string {
  let length = Math.min(text.length, most);
  while (length > 0 && escapeText(text.slice(0, length)).length > most) length = Math.floor(length * 0.9);
  return escapeText(length < text.length ? shorten(text, length) : text);
}

/** The engine's light markup as Slack's: **bold** and bullet lines. */
export const toMrkdwn = (text: string) => escapeText(text).replace(/\*\*(.+?)\*\*/g, '*$1*');
