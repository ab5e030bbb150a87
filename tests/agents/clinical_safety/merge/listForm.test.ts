import { expect, test } from '@jest/globals';
import { addedText } from '../../../../bot/agents/clinical_safety/merge/listForm.ts';

const added = (existing: string, others: string[] = [], items = ['New (T-1)', 'Newer (T-2)']) =>
  addedText(existing, items, others);

test.each([
  ['numbers with a bracket', '1) Unit lost\n2) Rounding', '\n3) New (T-1)\n4) Newer (T-2)'],
  ['numbers with a full stop', '1. Unit lost\n9. Rounding', '\n10. New (T-1)\n11. Newer (T-2)'],
  ['numbers in brackets', '(1) Unit lost', '\n(2) New (T-1)\n(3) Newer (T-2)'],
  ['numbers without a space', '1)Unit lost', '\n2)New (T-1)\n3)Newer (T-2)'],
  [
    'items that go on in a further line',
    '1) Unit\n   lost\n2) Rounding\n   of doses',
    '\n3) New (T-1)\n4) Newer (T-2)',
  ],
  ['numbers in one line', '1) Unit lost 2) Rounding', ' 3) New (T-1) 4) Newer (T-2)'],
  ['bullets', '- Unit lost\n- Rounding', '\n- New (T-1)\n- Newer (T-2)'],
  ['other bullets', '• Unit lost', '\n• New (T-1)\n• Newer (T-2)'],
  ['lines of their own', 'Unit lost\nRounding', '\nNew (T-1)\nNewer (T-2)'],
  ['semicolons', 'Unit lost; rounding', '; New (T-1); Newer (T-2)'],
  ['one cause alone', 'Unit lost', '\nNew (T-1)\nNewer (T-2)'],
])('a cell with %s goes on in that form', (_what, existing, text) => {
  expect(added(existing)).toBe(text);
});

test.each([
  ['numbers, if the others are numbered', ['Unit lost', '1. A\n2. B'], '1. New (T-1)\n2. Newer (T-2)'],
  ['bullets, if the others have some', ['- A\n- B'], '- New (T-1)\n- Newer (T-2)'],
  ['lines, if the others say nothing', ['Unit lost', ''], 'New (T-1)\nNewer (T-2)'],
])('an empty cell gets %s', (_what, others, text) => {
  expect(added('', others)).toBe(text);
  expect(added(' \n', others)).toBe(text);
});

test('one item is one item', () => expect(added('1) A', [], ['New'])).toBe('\n2) New'));
