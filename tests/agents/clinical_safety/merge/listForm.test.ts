import { expect, test } from '@jest/globals';
import { addedText, usualForm, withoutMark } from '../../../../bot/agents/clinical_safety/merge/listForm.ts';

const added = (existing: string, others: string[] = [], items = ['New (T-1)', 'Newer (T-2)']) =>
  addedText(existing, items, () => usualForm(others));

test.each([
  ['numbers with a bracket', '1) Unit lost\n2) Rounding', '\n3) New (T-1)\n4) Newer (T-2)'],
  ['numbers with a full stop', '1. Unit lost\n9. Rounding', '\n10. New (T-1)\n11. Newer (T-2)'],
  ['numbers with a colon', '1: Unit lost\n2: Rounding', '\n3: New (T-1)\n4: Newer (T-2)'],
  ['numbers in brackets', '(1) Unit lost', '\n(2) New (T-1)\n(3) Newer (T-2)'],
  ['numbers without a space', '1)Unit lost', '\n2)New (T-1)\n3)Newer (T-2)'],
  ['numbers without a space after a full stop', '1.Unit lost\n2.ein Rest', '\n3.New (T-1)\n4.Newer (T-2)'],
  ['numbers of two digits', '01) Unit lost\n09) Rounding', '\n10) New (T-1)\n11) Newer (T-2)'],
  ['an amount after its number', '1)5 mg are shown as 50', '\n2)New (T-1)\n3)Newer (T-2)'],
  ['numbers of its hazard', '3.1 Unit lost\n3.2 Rounding', '\n3.3 New (T-1)\n3.4 Newer (T-2)'],
  [
    'items that go on in a further line',
    '1) Unit\n   lost\n2) Rounding\n   of doses',
    '\n3) New (T-1)\n4) Newer (T-2)',
  ],
  ['items below a heading', 'Causes:\n1) Unit lost', '\n2) New (T-1)\n3) Newer (T-2)'],
  ['numbers in one line', '1) Unit lost 2) Rounding', ' 3) New (T-1) 4) Newer (T-2)'],
  ['numbers in brackets in one line', '(1) Unit lost (2) Rounding', ' (3) New (T-1) (4) Newer (T-2)'],
  ['numbers and semicolons in one line', '1) Unit lost; 2) Rounding', '; 3) New (T-1); 4) Newer (T-2)'],
  ['numbers with full stops in one line', '1. Unit lost 2. Rounding', ' 3. New (T-1) 4. Newer (T-2)'],
  ['numbers after a heading', 'Causes: 1) Unit lost 2) Rounding', ' 3) New (T-1) 4) Newer (T-2)'],
  ['a number of another list in its line', '1) As in step 2. or 4) 2) Rounding', ' 3) New (T-1) 4) Newer (T-2)'],
  ['two numbers in its last line', '1) Unit lost\n2) Rounding 3) Delay', '\n4) New (T-1)\n5) Newer (T-2)'],
  ['bullets', '- Unit lost\n- Rounding', '\n- New (T-1)\n- Newer (T-2)'],
  ['other bullets', '• Unit lost', '\n• New (T-1)\n• Newer (T-2)'],
  ['lines of their own', 'Unit lost\nRounding', '\nNew (T-1)\nNewer (T-2)'],
  ['a line break at its end', '1) Unit lost\n', '2) New (T-1)\n3) Newer (T-2)'],
  ['semicolons', 'Unit lost; rounding', '; New (T-1); Newer (T-2)'],
  ['a semicolon at its end', 'Unit lost; rounding;', ' New (T-1); Newer (T-2)'],
  ['one cause alone', 'Unit lost', '\nNew (T-1)\nNewer (T-2)'],
])('a cell with %s goes on in that form', (_what, existing, text) => {
  expect(added(existing)).toBe(text);
});

test.each([
  '1.5 mg are shown as 15 mg',
  '12:30 is shown as 0:30',
  '(2.5 ml) is cut off',
  '2.x of the service loses units',
  '2:nd dose is lost',
  '1.5 mg are rounded\n1.7 mg as well',
  'Lost in step 1. Then in step 2. and later',
  'Lost from 2) to 3) of the form',
])('“%s” has no list of numbers', (existing) => {
  expect(added(existing)).toBe('\nNew (T-1)\nNewer (T-2)');
});

test.each([
  ['numbers, if the others are numbered', ['Unit lost', '1. A\n2. B'], '1. New (T-1)\n2. Newer (T-2)'],
  ['numbers from 1, if the others count on', ['7) A\n8) B'], '1) New (T-1)\n2) Newer (T-2)'],
  ['bullets, if the others have some', ['- A\n- B'], '- New (T-1)\n- Newer (T-2)'],
  ['numbers in one line, if the others have', ['(1) A (2) B'], '(1) New (T-1) (2) Newer (T-2)'],
  ['semicolons, if the others have some', ['A; B'], 'New (T-1); Newer (T-2)'],
  ['the form of most of the others', ['A; B', '- C\n- D', 'E', '- F'], '- New (T-1)\n- Newer (T-2)'],
  ['the first of two as frequent', ['A; B', '- C\n- D'], 'New (T-1); Newer (T-2)'],
  ['no number of another hazard', ['3.1 A\n3.2 B'], 'New (T-1)\nNewer (T-2)'],
  ['lines, if the others say nothing', ['Unit lost', ''], 'New (T-1)\nNewer (T-2)'],
])('an empty cell gets %s', (_what, others, text) => {
  expect(added('', others)).toBe(text);
  expect(added(' \n', others)).toBe(text);
});

test('one cause alone goes on as the others do where that takes no mark', () => {
  expect(added('Unit lost', ['A; B'])).toBe('; New (T-1); Newer (T-2)');
  expect(added('Unit lost', ['1) A 2) B'])).toBe('\nNew (T-1)\nNewer (T-2)');
  expect(added('1) Unit lost', ['A; B'])).toBe('\n2) New (T-1)\n3) Newer (T-2)');
});

test('one item is one item', () => {
  expect(added('1) A', [], ['New'])).toBe('\n2) New');
  expect(added('', ['A; B'], ['New'])).toBe('New');
});

test.each([
  ['1) Unit lost', 'Unit lost'],
  ['1)Unit lost', 'Unit lost'],
  [' (2) Unit lost', 'Unit lost'],
  ['3. Unit lost', 'Unit lost'],
  ['- Unit lost ', 'Unit lost'],
  ['1.5 mg are lost', '1.5 mg are lost'],
  ['12:30 is shown', '12:30 is shown'],
  ['4.May is shown', '4.May is shown'],
  ['-5 is shown', '-5 is shown'],
])('“%s” as an item is “%s”', (item, text) => expect(withoutMark(item)).toBe(text));
