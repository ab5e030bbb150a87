import { expect, test } from '@jest/globals';
import { withoutHeadline } from '../../web/parts/chat/withoutHeadline.ts';

const QUOTE = '• “The liability of the supplier ends after two years.” [1]';

test.each([
  ['Analysis complete: 25 hazards, 7 findings to fix', '25 hazards, 7 findings to fix'],
  ['Analysis complete: 25 hazards, 7 findings to fix.', '25 hazards, 7 findings to fix'],
])('the first line “%s” only says the figures of the card, and the quotes stay', (first, headline) => {
  expect(withoutHeadline(`${first}\n${QUOTE}\nAbout ${headline}`, headline)).toBe(`${QUOTE}\nAbout ${headline}`);
});

test.each([
  ['**liability**', 'liability'],
  ['liability', 'liability'],
  [QUOTE, 'liability'],
  ['The liability', 'liability'],
  ['Kanban board “Ward tasks”. Columns: To do, Doing', 'Ward tasks'],
  ['• Subject: liability', 'liability'],
  ['“Who bears it: liability', 'liability'],
  ['**Ward tasks** is built.', 'Ward tasks'],
])('the first line “%s” is a title or says more, and stays', (first, headline) => {
  expect(withoutHeadline(`${first}\nMore`, headline)).toBe(`${first}\nMore`);
});
