import { expect, test } from '@jest/globals';
import { beginningsOf, describeAsked, fitsEntity } from '../../../bot/engine/queries/chips.ts';
import type { Entity, Field } from '../../../bot/engine/queries/entity.ts';
import type { Condition, Query } from '../../../models/contracts/askedQuery.ts';

type Pipe = { state: string | null; wear: number; leaks: number; grade: string; isOld: boolean };
const shared = (id: string) => ({ id, names: [id], noun: id, has: `a ${id}`, lacks: `no ${id}` });
const FIELDS: Field<Pipe>[] = [
  { ...shared('state'), kind: 'choice', read: ({ state }) => state },
  { ...shared('wear'), kind: 'number', read: ({ wear }) => wear },
  { ...shared('leak'), kind: 'count', read: ({ leaks }) => leaks },
  { ...shared('grade'), kind: 'choice', read: ({ grade }) => grade, order: ['Low', 'Middle', 'Top'] },
  {
    ...shared('age'),
    kind: 'flag',
    read: ({ isOld }) => isOld,
    yes: { words: ['old'], says: { verb: 'are', rest: 'old' } },
    no: { words: ['new'], says: { verb: 'are', rest: 'new' } },
  },
];
const pipe = (state: string | null): Pipe => ({ state, wear: 1, leaks: 0, grade: 'Low', isOld: true });
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
])('a condition %s can only be removed', (_what, where, states) => {
  expect(changeOf(where, states)).toBeUndefined();
});

test.each<[string, Condition, string, string[]]>([
  ['that holds or not', { field: 'age', flag: false }, 'are new', ['are old', 'are new']],
  ['on having one', { field: 'state', has: true }, 'have a state', ['have a state', 'have no state']],
])('a condition %s can be turned over', (_what, where, value, options) => {
  const turned = ['flag', 'has'].find((one) => one in where) ?? '';
  expect(changeOf(where)).toEqual({
    ...{ before: '', after: '', operators: [], value, options },
    conditions: [
      { ...where, [turned]: true },
      { ...where, [turned]: false },
    ],
  });
});

test('a chip says its field, unless its condition is on two', () => {
  const fieldOf = (where: Condition) => asked(where)[0]?.field;
  expect(fieldOf({ not: { field: 'state', is: ['Open'] } })).toBe('state');
  expect(fieldOf({ field: 'wear', operator: '>', other: 'leak' })).toBeUndefined();
  expect(
    asked({
      all: [
        { field: 'wear', has: true },
        { field: 'leak', has: true },
      ],
    }).map(({ field }) => field),
  ).toEqual(['wear', 'leak']);
});

test('every field has a condition to begin with, which fits it', () => {
  const worn = { ...pipes([]), rows: [5, 3, 4].map((wear) => ({ ...pipe(wear > 3 ? 'Shut' : 'Open'), wear })) };
  const beginnings = beginningsOf(worn);
  expect(beginnings.map(({ noun, condition }) => [noun, condition])).toEqual([
    ['state', { field: 'state', is: ['Shut'] }],
    ['wear', { field: 'wear', operator: '>=', value: 3 }],
    ['leak', { field: 'leak', operator: '>=', value: 0 }],
    ['grade', { field: 'grade', is: ['Low'] }],
    ['age', { field: 'age', flag: true }],
  ]);
  for (const { condition } of beginnings)
    expect(fitsEntity(worn, { entity: 'pipes', where: condition, onlyCount: false })).toBe(true);
  // One value is no choice, and a field that no row can have is none.
  const same = {
    ...worn,
    rows: [pipe('Open')],
    fields: FIELDS.map((one) => ({ ...one, refused: one.id === 'wear' ? 'No.' : null })),
  };
  expect(
    beginningsOf(same)
      .map(({ condition }) => condition)
      .slice(0, 2),
  ).toEqual([
    { field: 'state', has: true },
    { field: 'leak', operator: '>=', value: 0 },
  ]);
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
