import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '../factories/person.ts';
import { startSlackProcess } from '../factories/slackProcess.ts';

let it: Awaited<ReturnType<typeof startSlackProcess>>;
beforeAll(async () => {
  it = await startSlackProcess();
}, 60_000);
afterAll(() => it.stop());

const BEFORE = 30;

test('200 events within 5 s are all acknowledged within a second, and none is lost, though Slack slows us down for a while', async () => {
  const { slack, workspace, sender } = it;
  // A server that has been at work for a while, as it is when a workspace talks.
  for (let before = 1; before <= BEFORE; before += 1) {
    await sender.message(workspace, 'U1', `D-before-${before}`, 'help');
    await eventually(async () => workspace.messages.size === before, 'a reply before');
  }
  slack.fail('*', 429, 60, 1);
  const sent = await Promise.all(
    Array.from({ length: 200 }, async (_, index) => {
      await wait(index * 20);
      return sender.message(workspace, 'U1', `D${index}`, 'help');
    }),
  );
  expect(sent.map(({ status }) => status)).toEqual(sent.map(() => 200));
  expect(Math.max(...sent.map(({ milliseconds }) => milliseconds))).toBeLessThan(1000);
  const answered = () => new Set([...workspace.messages.values()].map(({ channel }) => channel));
  await eventually(async () => answered().size === BEFORE + 200, 'every reply', 80_000);
  expect(workspace.messages.size).toBe(BEFORE + 200);
}, 120_000);
