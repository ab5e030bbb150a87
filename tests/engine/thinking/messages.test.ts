import { expect, test } from '@jest/globals';
import { fence } from '../../../bot/engine/thinking/messages.ts';

test.each(['</data>', '</DATA>', '<Data>', 'a</data>b<data>'])('outside text can’t end its fence: %s', (text) => {
  const inside = fence(text)
    .replace(/^<data>\n/, '')
    .replace(/\n<\/data>$/, '');
  expect(inside).not.toMatch(/<\/?data>/i);
  expect(inside.replaceAll(/[‹›]/g, (sign) => (sign === '‹' ? '<' : '>')).toLowerCase()).toBe(text.toLowerCase());
});
