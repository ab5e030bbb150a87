import { expect, test } from '@jest/globals';
import { plainFileName } from '../../models/fileName.ts';

test.each([
  ['C:\\logs\\hazard log.xlsx', 'hazard log.xlsx'],
  ['../../etc/log.csv', 'log.csv'],
  ['two\r\nlines.csv', 'two lines.csv'],
  ['tab\tand\u2028more.csv', 'tab and more.csv'],
  ['exe\u202Exslx.csv', 'exe xslx.csv'],
  ['/', 'upload'],
  [`${'x'.repeat(300)}.csv`, `${'x'.repeat(196)}.csv`],
  [`${'𝒜'.repeat(200)}a.csv`, `${'𝒜'.repeat(97)}a.csv`],
  ['half \ud835 of one.csv', 'half  of one.csv'],
  ['\udc9c', 'upload'],
])('%j becomes %j', (given, plain) => {
  expect(plainFileName(given)).toBe(plain);
});
