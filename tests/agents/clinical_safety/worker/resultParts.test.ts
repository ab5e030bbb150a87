import { describe, expect, test } from '@jest/globals';
import type { ResultPart } from '../../../../bot/agents/clinical_safety/worker/jobs.ts';
import {
  joinParts,
  PART_ITEMS,
  partsOf,
  withoutLists,
} from '../../../../bot/agents/clinical_safety/worker/resultParts.ts';
import { makeFinding, makeHazard, makeProposal, makeResult, makeTicket } from '../../../factories/analysisResult.ts';

/** A result with this many items in each of its lists. */
const resultOf = (hazards: number, tickets: number, findings: number) =>
  makeResult({
    hazards: Array.from({ length: hazards }, (_, at) => makeHazard({ id: `H${at}` })),
    tickets: Array.from({ length: tickets }, (_, at) => makeTicket({ key: `T-${at}` })),
    findings: Array.from({ length: findings }, (_, at) => makeFinding({ id: `f${at}` })),
    newHazards: [makeProposal()],
  });
const sizesOf = (parts: Iterable<ResultPart>) => [...parts].map(({ field, items }) => [field, items.length]);

test('a message has 300 items', () => {
  expect(PART_ITEMS).toBe(300);
});

describe('the lists of a result', () => {
  test.each<[[number, number, number], [string, number][]]>([
    [[0, 0, 0], []],
    [[1, 0, 0], [['existingHazards', 1]]],
    [[0, 1, 0], [['tickets', 1]]],
    [[0, 0, 1], [['findings', 1]]],
    [
      [300, 301, 299],
      [
        ['existingHazards', 300],
        ['tickets', 300],
        ['tickets', 1],
        ['findings', 299],
      ],
    ],
    [
      [601, 600, 0],
      [
        ['existingHazards', 300],
        ['existingHazards', 300],
        ['existingHazards', 1],
        ['tickets', 300],
        ['tickets', 300],
      ],
    ],
    [
      [0, 0, 650],
      [
        ['findings', 300],
        ['findings', 300],
        ['findings', 50],
      ],
    ],
  ])('of %j items are sent in parts of at most 300', ([hazards, tickets, findings], sizes) => {
    expect(sizesOf(partsOf(resultOf(hazards, tickets, findings)))).toEqual(sizes);
  });

  test('are joined again in order', () => {
    const result = resultOf(305, 601, 302);
    expect(joinParts(withoutLists(result), [...partsOf(result)])).toEqual(result);
  });
});

test('a result without its lists is a copy that keeps the rest, and the original is unchanged', () => {
  const result = resultOf(1, 1, 1);
  const { existingHazards, tickets, findings, ...rest } = withoutLists(result);
  expect([existingHazards, tickets, findings]).toEqual([[], [], []]);
  expect(rest).toEqual({ newHazards: result.newHazards, analysisMetadata: result.analysisMetadata });
  expect([result.existingHazards, result.tickets, result.findings].map(({ length }) => length)).toEqual([1, 1, 1]);
});

test('a list that is needed stays', () => {
  const result = resultOf(1, 1, 1);
  const { existingHazards, tickets } = result;
  expect(withoutLists(result, { existingHazards })).toEqual({ ...result, tickets: [], findings: [] });
  expect(withoutLists(result, { tickets })).toEqual({ ...result, existingHazards: [], findings: [] });
});

test('an output that is not a result is returned unchanged', () => {
  const output = { bytes: new Uint8Array(1), fileName: 'a.csv', contentType: 'text/csv' };
  expect(joinParts(output, [{ field: 'tickets', items: [makeTicket()] }])).toBe(output);
});
