import { expect, test } from '@jest/globals';
import { surfaceOfRun } from '../../../bot/engine/audit/surfaceOfRun.ts';

test.each([
  ['turn:1', 'arc', 'arc-chat'],
  ['turn:1', 'slack', 'slack'],
  ['turn:1', 'teams', 'teams'],
  ['call:1', 'api', 'api'],
  ['call:1', 'fax', 'api'],
  ['automation:7:2026-11-26', 'arc', 'schedule'],
])('work with the start key %s on %s was started by %s', (startKey, channel, surface) =>
  expect(surfaceOfRun({ startKey, channel })).toBe(surface),
);
