import { expect, test } from '@jest/globals';
import { sentencesOf } from '../../../bot/engine/thinking/sentences.ts';

test.each([
  ['One. Two.', ['One. ', 'Two.']],
  ['Is it? Yes! It is', ['Is it? ', 'Yes! ', 'It is']],
  ['A risk of 2.5 and 3. Next', ['A risk of 2.5 and 3. ', 'Next']],
  ['See e.g. QM-04. Next', ['See e.g. QM-04. ', 'Next']],
  ['Dr. Ahmed owns it. Next', ['Dr. Ahmed owns it. ', 'Next']],
  ['It is open. [1] It is late.', ['It is open. [1] ', 'It is late.']],
  ['It says “open.” Next', ['It says “open.” ', 'Next']],
  ['• One\n• Two\n\nThree', ['• One\n', '• Two\n\n', 'Three']],
  ['1. QM-04 is one', ['1. ', 'QM-04 is one']],
  ['', []],
])('%j', (text, sentences) => {
  expect(sentencesOf(text)).toEqual(sentences);
  expect(sentencesOf(text).join('')).toBe(text);
});
