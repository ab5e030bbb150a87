import { expect, test } from '@jest/globals';
import { valuesOf } from '../../../bot/engine/queries/fieldValues.ts';
import { namedField } from '../../../bot/engine/queries/namedField.ts';
import { correctSpelling } from '../../../bot/engine/queries/spelling.ts';

type Valve = { state: string | null };
let reads = 0;
const state = namedField<Valve>({ id: 'state', names: ['state'], noun: 'state' }, (valve) => {
  reads += 1;
  return valve.state;
});

test('the values of rows are counted once, however often they are asked about', () => {
  const rows = [{ state: 'Open' }, { state: 'open ' }, { state: 'Shut' }, { state: null }];
  if (state.kind !== 'choice') throw new Error('A named field is a choice.');
  const values = valuesOf(state, rows);
  expect(values).toEqual([
    { shown: 'Open', count: 2, line: 'open', head: null },
    { shown: 'Shut', count: 1, line: 'shut', head: null },
  ]);
  expect(reads).toBe(4);
  expect(valuesOf(state, rows)).toBe(values);
  expect(reads).toBe(4);
  // Other rows have values of their own, also under the same field.
  expect(valuesOf(state, [{ state: 'Shut' }])).toEqual([{ shown: 'Shut', count: 1, line: 'shut', head: null }]);
});

test.each([
  ['valvs without owner', 'valves without owner', ['I read “valvs” as “valves”.']],
  ['vavles witout owner', 'valves without owner', ['I read “vavles” as “valves”.', 'I read “witout” as “without”.']],
  ['valve', 'valve', []],
  // A word of the language is another question.
  ['halves', 'halves', []],
  // Two slips, and a word of four letters, are not corrected.
  ['vlavse', 'vlavse', []],
  ['vale', 'vale', []],
])('“%s” is read as “%s”', (line, read, corrected) => {
  const isWord = (word: string) => word === 'halves' || word === 'valve';
  expect(correctSpelling(line, ['valves', 'without'], isWord)).toEqual({ line: read, corrected });
});

test('a slip that may stand for two words is not corrected', () => {
  expect(correctSpelling('valvez', ['valves', 'valved'], () => false).line).toBe('valvez');
});
