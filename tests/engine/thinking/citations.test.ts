import { expect, test } from '@jest/globals';
import { citationsOf } from '../../../bot/engine/thinking/citations.ts';

const source = (label: string, url: string | null = null) => ({ label, url });
const RESULTS = [
  { sources: [source('V1', '/v1')] },
  { sources: [] },
  { sources: [source('V3'), source('V4', '/v4'), source('V5', '/v5')] },
  { sources: Array.from({ length: 6 }, (_, at) => source(`W${at}`)) },
];

test('each cited result has its own sources and its own address', () => {
  expect(citationsOf('One [1]. Two [3, 2].', RESULTS)).toEqual({
    lines: ['[1] V1', '[3] V3; V4; V5'],
    cited: [
      { number: 1, labels: ['V1'], path: '/v1' },
      { number: 3, labels: ['V3', 'V4', 'V5'], path: '/v4' },
    ],
    links: [
      { number: 1, label: 'V1', path: '/v1' },
      { number: 3, label: 'V4', path: '/v4' },
      { number: 3, label: 'V5', path: '/v5' },
    ],
  });
});

test('five sources of a result are named, and the others counted', () => {
  expect(citationsOf('All [4].', RESULTS).lines).toEqual(['[4] W0; W1; W2; W3; W4 and 1 more']);
  const five = [{ sources: RESULTS[3]?.sources.slice(0, 5) ?? [] }];
  expect(citationsOf('All [1].', five).lines).toEqual(['[1] W0; W1; W2; W3; W4']);
});

test('what is not cited, and a number of no result, has none', () => {
  expect(citationsOf('Nothing, and [9].', RESULTS)).toEqual({ lines: [], cited: [], links: [] });
});
