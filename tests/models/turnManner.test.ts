import { expect, test } from '@jest/globals';
import type { Manner } from '../../models/contracts/turn.ts';
import { mannerOf, type TurnRow } from '../../models/turn.ts';

const stored = (channel: TurnRow['channel'], eventId: string, manner?: Manner) =>
  mannerOf({ channel, eventId, manner });

test.each([
  ['a Teams message', stored('teams', 'app/tenant:a:chat:1'), 'said'],
  ['sent to Arc in Teams', stored('teams', 'app/tenant:send:19:chat:1'), 'handed-over'],
  ['a Slack message', stored('slack', 'T1:D1:1.1'), 'said'],
  ['overheard in Slack', stored('slack', 'T1:C1:1.1', 'overheard'), 'overheard'],
  ['an arc-chat message', stored('arc', '1:1:x:send:y'), 'said'],
] as const)('a turn stored before turns had a manner: %s', (_what, read, expected) => {
  expect(read).toBe(expected);
});
