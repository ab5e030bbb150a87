import { expect, test } from '@jest/globals';
import { describeAdded, nameKinds } from '../../../../bot/agents/clinical_safety/merge/additionText.ts';

type Added = Parameters<typeof describeAdded>[0][number];
const HAZARD: Added = { as: 'hazard', count: 1 };
const cause = (count: number): Added => ({ as: 'cause', count });
const control = (count: number): Added => ({ as: 'control', count });

test.each<[Added[], string]>([
  [[HAZARD], ''],
  [[cause(1)], '1 cause'],
  [[HAZARD, cause(2), cause(1)], '3 causes'],
  [[control(1)], '1 control'],
  [[control(4), HAZARD, cause(1)], '1 cause and 4 controls'],
])('%j are described as “%s”: only the kinds that there are', (added, text) => {
  expect(describeAdded(added)).toBe(text);
});

test('the kinds of what a cell got are named', () => {
  expect([nameKinds(['cause', 'cause']), nameKinds(['control']), nameKinds(['control', 'cause'])]).toEqual([
    'cause',
    'control',
    'cause or control',
  ]);
});
