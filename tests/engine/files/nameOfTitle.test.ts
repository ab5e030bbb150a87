import { expect, test } from '@jest/globals';
import { nameOfTitle } from '../../../bot/engine/files/nameOfTitle.ts';

test.each([
  ['Night round', 'Night round'],
  ['../../etc/passwd', 'etc passwd'],
  ['A: B / C "D"', 'A B C D'],
  ['***', 'Text'],
  ['x'.repeat(80), 'x'.repeat(80)],
  ['x'.repeat(81), 'x'.repeat(80)],
  [`${'word '.repeat(16)}end`, 'word '.repeat(16).trim()],
])('the title %j names the file %j', (title, name) => {
  expect(nameOfTitle(title, 'Text')).toBe(name);
});
