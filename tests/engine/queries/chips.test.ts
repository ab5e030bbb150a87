import { expect, test } from '@jest/globals';
import { describeAsked } from '../../../bot/engine/queries/chips.ts';
import type { Entity, Field } from '../../../bot/engine/queries/entity.ts';
import type { Condition, Query } from '../../../models/contracts/askedQuery.ts';

type Pipe = { state: string | null; wear: number; leaks: number; grade: string };
const shared = (id: string) => ({ id, names: [id], noun: id, has: `a ${id}`, lacks: `no ${id}` });
const FIELDS: Field<Pipe>[] = [
  { ...shared('state'), kind: 'choice', read: ({ state }) => state },
  { ...shared('wear'), kind: 'number', read: ({ wear }) => wear },
  { ...shared('leak'), kind: 'count', read: ({ leaks }) => leaks },
  { ...shared('grade'), kind: 'choice', read: ({ grade }) => grade, order: ['Low', 'Middle', 'Top'] },
];
const pipe = (state: string | null): Pipe => ({ state, wear: 1, leaks: 0, grade: 'Low' });
const pipes = (states: (string | null)[]): Entity<Pipe> => ({
  ...{ id: 'pipes', one: 'pipe', many: 'pipes', fields: FIELDS, rows: states.map(pipe) },
  line: () => 'a pipe',
});
const asked = (where: Condition | null, more: Partial<Query> = {}, states: (string | null)[] = ['Open', 'Shut']) =>
  describeAsked(pipes(states), { entity: 'pipes', where, onlyCount: false, ...more }).chips;
const changeOf = (where: Condition, states?: (string | null)[]) => asked(where, {}, states)[0]?.change;

test.each<[string, Condition, object]>([
  [
    'a number',
    { field: 'wear', operator: '>', value: 2 },
    { before: 'have a wear', after: '', operator: '>', value: 2 },
  ],
  [
    'a number that is negated',
    { not: { field: 'wear', operator: '>=', value: 2 } },
    { before: 'have no wear', after: '', operator: '>=', value: 2 },
  ],
  [
    'a count, whose noun stands behind',
    { field: 'leak', operator: '>', value: 2 },
    { before: 'have', after: 'leaks', operator: '>', value: 2, options: [] },
  ],
  [
    'a place in an order',
    { field: 'grade', operator: '>=', value: 'Middle' },
    { before: 'have a grade', after: '', operator: '>=', value: 'Middle', options: ['Low', 'Middle', 'Top'] },
  ],
  [
    'a value that no row has',
    { field: 'state', is: ['Stuck'] },
    { before: 'have the state', after: '', operators: [], value: 'Stuck', options: ['Stuck', 'Open', 'Shut'] },
  ],
  [
    'a value that is negated, in the case of the rows',
    { not: { field: 'state', is: ['open'] } },
    { before: 'have a state other than', after: '', value: 'open', options: ['Open', 'Shut'] },
  ],
])('%s can be changed', (_what, where, change) => {
  expect(changeOf(where)).toMatchObject(change);
});

test('the comparisons are said as the answer says them', () => {
  const wordsOf = (field: string) => changeOf({ field, operator: '>', value: 2 })?.operators.map(({ words }) => words);
  expect(wordsOf('wear')).toEqual(['below', 'at most', 'of', 'at least', 'above']);
  expect(wordsOf('leak')).toEqual(['fewer than', 'at most', 'exactly', 'at least', 'more than']);
});

test.each<[string, Condition, (string | null)[]]>([
  ['of two values', { field: 'state', is: ['Open', 'Shut'] }, ['Open', 'Shut']],
  ['of the only value', { field: 'state', is: ['Open'] }, ['Open', null]],
  ['of more values than a list takes', { field: 'state', is: ['1'] }, [...Array(41).keys()].map(String)],
  ['of two fields', { field: 'wear', operator: '>', other: 'leak' }, ['Open']],
  ['on having one', { field: 'state', has: true }, ['Open', 'Shut']],
])('a condition %s can only be removed', (_what, where, states) => {
  expect(changeOf(where, states)).toBeUndefined();
});

test('forty values are a list, and the number of rows can be changed', () => {
  expect(changeOf({ field: 'state', is: ['1'] }, [...Array(40).keys()].map(String))?.options).toHaveLength(40);
  expect(asked(null, { sort: { field: 'wear', highestFirst: true }, limit: 1 })).toEqual([
    { label: 'highest wear first', part: 'sort' },
    {
      label: 'first 1',
      part: 'limit',
      change: { before: 'first', after: '', operators: [], value: 1, options: [] },
    },
  ]);
});
