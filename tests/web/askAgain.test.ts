import { describe, expect, test } from '@jest/globals';
import { pathOfRows, type Query, readQueryOf } from '../../models/contracts/askedQuery.ts';
import { addPart, changePart, removePart } from '../../web/data/askAgain.ts';

const status = { field: 'status', is: ['Open'] };
const above = { field: 'risk', operator: '>' as const, value: 2 };
const query = (more: Partial<Query>): Query => ({ entity: 'valves', where: null, onlyCount: false, ...more });

describe('a chip that is removed', () => {
  test.each<[string, Query, Parameters<typeof removePart>[1], Query]>([
    ['leaves the other condition', query({ where: { all: [status, above] } }), 0, query({ where: above })],
    [
      'leaves two of three',
      query({ where: { any: [status, above, status] } }),
      2,
      query({ where: { any: [status, above] } }),
    ],
    ['leaves none of one', query({ where: status }), 0, query({})],
    [
      'takes the order with its limit',
      query({ sort: { field: 'risk', highestFirst: true }, limit: 2 }),
      'sort',
      query({}),
    ],
    ['takes the grouping', query({ group: 'risk' }), 'group', query({})],
  ])('%s', (_what, before, part, after) => {
    expect(removePart(before, part)).toEqual(after);
  });
});

describe('a chip that is changed', () => {
  const other = { ...above, value: 3 };
  test.each<[string, Query, Parameters<typeof changePart>[1], Parameters<typeof changePart>[2], Query]>([
    ['has another number', query({ where: above }), 0, { value: 3 }, query({ where: other })],
    [
      'is the second of two, and the first stays',
      query({ where: { all: [above, above] } }),
      1,
      { value: 3 },
      query({ where: { all: [above, other] } }),
    ],
    [
      'is the first of two alternatives',
      query({ where: { any: [above, above] } }),
      0,
      { value: 3 },
      query({ where: { any: [other, above] } }),
    ],
    [
      'has another comparison, and the same number',
      query({ where: above }),
      0,
      { operator: '<=' },
      query({ where: { ...above, operator: '<=' } }),
    ],
    [
      'has another value below its negation',
      query({ where: { not: status } }),
      0,
      { value: 'Shut' },
      query({ where: { not: { ...status, is: ['Shut'] } } }),
    ],
    ['is the number of rows', query({ limit: 2 }), 'limit', { value: 5 }, query({ limit: 5 })],
    ['asks for nothing, and stays', query({}), 0, { value: 5 }, query({})],
    ['has no value, and stays', query({ where: status }), 0, { operator: '<' }, query({ where: status })],
  ])('%s', (_what, before, part, changed, after) => {
    expect(changePart(before, part, changed)).toEqual(after);
  });
});

test('the address of the rows holds the whole query, and a broken one is none', () => {
  const asked = query({ where: { all: [status, { not: above }] } });
  const address = new URL(pathOfRows(7, asked), 'http://localhost');
  expect(readQueryOf(address.searchParams.get('query'))).toEqual(asked);
  expect([address.searchParams.get('rows'), address.searchParams.get('agent')]).toEqual(['valves', '7']);
  for (const broken of [null, '', '{', 'null', '7', '{}', '{"entity":7}']) expect(readQueryOf(broken)).toBeNull();
});

describe('a condition', () => {
  const covered = { field: 'covered', flag: true };
  test.each<[string, Query, Query]>([
    ['is the first', query({ onlyCount: true }), query({ onlyCount: true, where: covered })],
    ['stands beside another', query({ where: status }), query({ where: { all: [status, covered] } })],
    [
      'stands beside two that both hold',
      query({ where: { all: [status, above] } }),
      query({ where: { all: [status, above, covered] } }),
    ],
    [
      'is one more of which one holds',
      query({ where: { any: [status, above] } }),
      query({ where: { any: [status, above, covered] } }),
    ],
  ])('that is added %s', (_what, before, after) => expect(addPart(before, covered)).toEqual(after));
  test('takes the place of another, with its negation', () => {
    const before = query({ where: { all: [above, { not: status }] } });
    expect(changePart(before, 1, { condition: covered })).toEqual(query({ where: { all: [above, covered] } }));
  });
});
