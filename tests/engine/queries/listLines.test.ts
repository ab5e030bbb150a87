import { expect, test } from '@jest/globals';
import { listLines } from '../../../bot/engine/queries/listLines.ts';

const numbers = (count: number) => Array.from({ length: count }, (_, at) => `${at + 1}`);

test('a list shows a dozen, and says how many more there are', () => {
  expect(listLines([])).toBe('');
  expect(listLines(['a', 'b'])).toBe('• a\n• b');
  const dozen = numbers(12).map((line) => `• ${line}`);
  expect(listLines(numbers(12))).toBe(dozen.join('\n'));
  expect(listLines(numbers(13))).toBe([...dozen, '… and 1 more.'].join('\n'));
  expect(listLines(numbers(30))).toBe([...dozen, '… and 18 more.'].join('\n'));
});
