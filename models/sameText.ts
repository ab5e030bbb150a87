import { timingSafeEqual } from 'node:crypto';

/** Whether a text is the expected one, in a time that does not tell how much of it is right. Any text can be given. */
export function isSameText(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
