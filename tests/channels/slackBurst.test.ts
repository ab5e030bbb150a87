import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '../factories/person.ts';
import { startSlackProcess } from '../factories/slackProcess.ts';

let it: Awaited<ReturnType<typeof startSlackProcess>>;
beforeAll(async () => {
  it = await startSlackProcess();
}, 120_000);
afterAll(() => it.stop());

test('200 events in a burst are acknowledged before Slack answers anything, and none is lost to rate limits', async () => {
  const { slack, workspace, sender } = it;
  const release = slack.hold();
  const sent = await Promise.all(
    Array.from({ length: 200 }, (_, index) => sender.message(workspace, 'U1', `D${index}`, 'help')),
  );
  expect(sent.map(({ status }) => status)).toEqual(sent.map(() => 200));
  expect(workspace.messages.size).toBe(0);
  slack.fail('*', 429, 20, 1);
  release();
  const answered = () => new Set([...workspace.messages.values()].map(({ channel }) => channel));
  await eventually(async () => answered().size === 200, 'every reply', 80_000);
  expect(workspace.messages.size).toBe(200);
}, 120_000);
