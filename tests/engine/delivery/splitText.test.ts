import { expect, test } from '@jest/globals';
import { splitText } from '../../../bot/engine/delivery/splitText.ts';

test.each<[what: string, text: string, most: number, parts: string[]]>([
  ['nothing', '', 10, []],
  ['not at all if it fits', '0123456789', 10, ['0123456789']],
  ['one word that is too long', '0123456789a', 10, ['0123456789', 'a']],
  ['at the end of a line', 'one two\nthree four', 12, ['one two', 'three four']],
  ['between words where no line ends late enough', 'a\nbb cc dd ee', 10, ['a\nbb cc dd', 'ee']],
  ['neither at an end of a line nor between words that come too soon', 'a bbbbbbbbbbbb', 10, ['a bbbbbbbb', 'bbbb']],
  ['no sooner than in the middle', '12345 789abcdef', 10, ['12345 789a', 'bcdef']],
  ['right after the middle', '123456 89abcdef', 10, ['123456', '89abcdef']],
  ['right where it ends', '0123456789 abc', 10, ['0123456789', 'abc']],
  ['a pair of units stays whole', '012345678😀b', 10, ['012345678', '😀b']],
  ['a pair that fits is not cut off', '01234567😀b', 10, ['01234567😀', 'b']],
  ['an escaped sign stays whole', '01234567&lt;b', 10, ['01234567', '&lt;b']],
  ['the longest escaped sign', '012345&amp;b', 10, ['012345', '&amp;b']],
  ['one that ends right there', '01234&amp;bc', 10, ['01234&amp;', 'bc']],
  ['a character that only starts like an entity', '01234567&ltb', 10, ['01234567&l', 'tb']],
  ['one at the very start', '&lt;1', 2, ['&l', 't;', '1']],
])('%s', (_what, text, most, parts) => {
  expect(splitText(text, most)).toEqual(parts);
});

test.each(['&amp;', '&lt;', '😀'])('%s is never split, wherever it is, and no part is too long', (sign) => {
  for (let before = 0; before < 24; before += 1) {
    const text = `${'a'.repeat(before)}${sign}${'b'.repeat(12)}`;
    const parts = splitText(text, 8);
    expect(parts.join('')).toBe(text);
    expect(parts.filter((part) => part.length > 8)).toEqual([]);
    expect(parts.filter((part) => part.includes(sign))).toHaveLength(1);
    // A part is shorter only before such a character, or at the end.
    parts.slice(0, -1).forEach((part, at) => {
      if (part.length < 8) expect(parts[at + 1]?.startsWith(sign)).toBe(true);
    });
  }
});
