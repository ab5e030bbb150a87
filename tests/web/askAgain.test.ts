import { describe, expect, test } from '@jest/globals';
import { pathOfRows, type Query, readQueryOf } from '../../models/contracts/askedQuery.ts';
import { changeNumber, removePart } from '../../web/data/askAgain.ts';

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

test('a number is changed in its own condition alone', () => {
  const other = { ...above, value: 3 };
  expect(changeNumber(query({ where: above }), 0, 3).where).toEqual(other);
  expect(changeNumber(query({ where: { all: [above, above] } }), 1, 3).where).toEqual({ all: [above, other] });
  expect(changeNumber(query({ where: { any: [above, above] } }), 0, 3).where).toEqual({ any: [other, above] });
  expect(changeNumber(query({ limit: 2 }), 'limit', 5).limit).toBe(5);
});

test('the address of the rows holds the whole query, and a broken one is none', () => {
  const asked = query({ where: { all: [status, { not: above }] } });
  const address = new URL(pathOfRows(7, asked), 'http://localhost');
  expect(readQueryOf(address.searchParams.get('query'))).toEqual(asked);
  expect([address.searchParams.get('rows'), address.searchParams.get('agent')]).toEqual(['valves', '7']);
  for (const broken of [null, '', '{', 'null', '7', '{}', '{"entity":7}']) expect(readQueryOf(broken)).toBeNull();
});
