/** @environment slack */
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { Reply, Sent, Values } from '../fakes/slack/sender.ts';
import { actionsIn, interruptIdOf, openSlackTeams, posted, type Team } from './slackTeams.ts';

const slackTeams = openSlackTeams();
const { askForReview, eventually, modalOf, postWith, questionsOf, toldAlone } = actionsIn(slackTeams);

/** How long Slack waits for an acknowledgement. */
const SLACK_TIMEOUT_MS = 3000;

/** Clears what Arc knows about the team's people, so that it has to ask Slack again. */
async function forgetPeople({ owner }: Team): Promise<void> {
  const { ChannelIdentity } = await import('../../models/channelIdentity.ts');
  const { runInAccount } = await import('../../models/store/context.ts');
  const { accountId } = owner.user;
  await runInAccount(accountId, () =>
    ChannelIdentity.updateMany({ accountId }, { $set: { refreshedAt: new Date(0) } }),
  );
}

/** Opens the form behind a button of a pending question. */
async function openForm(team: Team, action: string) {
  const message = await askForReview(team);
  const id = interruptIdOf(message);
  await slackTeams.sender.click(team.workspace, 'U1', action, id, { channel: 'D1', ts: message.ts });
  return { message, id, modal: await modalOf(team) };
}

describe('while Slack itself answers nothing', () => {
  type Doing = (team: Team, form: Awaited<ReturnType<typeof openForm>>) => Promise<Sent>;
  const WAYS: [what: string, doing: Doing, after: (team: Team) => Promise<unknown>][] = [
    [
      'a question by command',
      ({ workspace }) => slackTeams.sender.command(workspace, 'U1', 'C7', 'ask what is the risk matrix?'),
      ({ workspace }) => eventually(() => posted(workspace).some(({ channel }) => channel === 'C7'), 'the question'),
    ],
    [
      'a command that tells the person something',
      ({ workspace }) => slackTeams.sender.command(workspace, 'U1', 'C7', 'status'),
      ({ workspace }) => toldAlone(workspace, /Credits: /),
    ],
    [
      '“Send to Arc”',
      ({ workspace }) =>
        slackTeams.sender.shortcut(workspace, 'U1', 'C8', { type: 'message', ts: '1.7', text: 'help' }),
      ({ workspace }) => eventually(() => posted(workspace).some(({ channel }) => channel === 'C8'), 'the message'),
    ],
    [
      'an approval',
      ({ workspace }, { id, message }) =>
        slackTeams.sender.click(workspace, 'U1', 'answer:approve', id, { channel: 'D1', ts: message.ts }),
      (team) => postWith(team.workspace, /Approved by/),
    ],
    [
      'a button that opens a form',
      ({ workspace }, { id, message }) =>
        slackTeams.sender.click(workspace, 'U1', 'answer:reject', id, { channel: 'D1', ts: message.ts }),
      ({ workspace }) => eventually(() => workspace.views.length === 2, 'the form'),
    ],
    [
      'the next page of a review',
      ({ workspace }, { modal }) => slackTeams.sender.click(workspace, 'U1', 'review:skip', 'x', { modal }),
      ({ workspace }) => eventually(() => JSON.stringify(workspace.views[0]).includes('Row 2 of'), 'the page'),
    ],
    [
      'Home that is opened',
      ({ workspace }) =>
        slackTeams.sender.event(workspace, { type: 'app_home_opened', user: 'U1', channel: 'D1', tab: 'home' }),
      ({ workspace }) => eventually(() => workspace.homes.has('U1'), 'the Home'),
    ],
    [
      'a part of Home that is chosen',
      ({ workspace }) => slackTeams.sender.choose(workspace, 'U1', 'home_filter', 'resolved', 'home'),
      ({ workspace }) =>
        eventually(() => JSON.stringify(workspace.homes.get('U1') ?? '').includes('Nothing has been'), 'the part'),
    ],
    [
      'Stop',
      ({ workspace }, { message }) =>
        slackTeams.sender.event(workspace, {
          type: 'agent_session_stopped',
          user: 'U1',
          channel: 'D1',
          thread_ts: message.thread,
        }),
      ({ workspace }) => postWith(workspace, /Withdrawn/),
    ],
  ];

  // Actions that end the question have one of their own.
  const ENDING = ['an approval', 'Stop'];
  const GROUPS = [
    { name: 'whatever leaves the question open', ways: WAYS.filter(([what]) => !ENDING.includes(what)) },
    ...ENDING.map((name) => ({ name, ways: WAYS.filter(([what]) => what === name) })),
  ];
  const FORMS: { name: string; button: string; values: Values }[] = [
    { name: 'a reason', button: 'answer:reject', values: { reason: { text: { value: 'Out of scope' } } } },
    { name: 'a page of a review', button: 'answer:review', values: {} },
  ];
  type Sending = { team: Team; modal: Awaited<ReturnType<typeof openForm>>['modal']; late: boolean; reply: Reply };
  const done = new Map<string, { team: Team; sent: (Sent & { what: string })[] }>();
  const sendings = new Map<string, Sending>();

  // Slack is blocked once for all of them, each in a workspace of its own, so that they wait in parallel.
  beforeAll(async () => {
    const doing: { name: string; ways: typeof WAYS; team: Team; form: Awaited<ReturnType<typeof openForm>> }[] = [];
    for (const group of GROUPS) {
      const team = await slackTeams.connect();
      doing.push({ ...group, team, form: await openForm(team, 'answer:review') });
    }
    const sending: { name: string; values: Values; team: Team; modal: Sending['modal'] }[] = [];
    for (const { button, ...form } of FORMS) {
      const team = await slackTeams.connect();
      sending.push({ ...form, team, modal: (await openForm(team, button)).modal });
    }
    for (const { team } of [...doing, ...sending]) await forgetPeople(team);
    const release = slackTeams.slack.hold();
    try {
      await Promise.all([
        ...doing.map(async ({ name, ways, team, form }) => {
          const sent = await Promise.all(ways.map(async ([what, way]) => ({ what, ...(await way(team, form)) })));
          done.set(name, { team, sent });
        }),
        ...sending.map(async ({ name, values, team, modal }) => {
          const begun = performance.now();
          const reply = await slackTeams.sender.submit(team.workspace, 'U1', modal, values);
          const late = performance.now() - begun >= SLACK_TIMEOUT_MS;
          sendings.set(name, { team, modal, late, reply });
        }),
      ]);
    } finally {
      release();
    }
  }, 120_000);

  test.each(GROUPS)(
    '$name is acknowledged while Slack is blocked, and done when it answers',
    async ({ name, ways }) => {
      const { team, sent } = done.get(name) as NonNullable<ReturnType<typeof done.get>>;
      expect(sent).toHaveLength(ways.length);
      for (const { what, status, milliseconds } of sent)
        expect({ what, status, late: milliseconds >= SLACK_TIMEOUT_MS }).toEqual({
          what,
          status: 200,
          late: false,
        });
      for (const [, , after] of ways) await after(team);
    },
  );

  test.each(FORMS)(
    '$name that is submitted is not accepted; the form says so in time, and can be submitted again',
    async ({ name, values }) => {
      const { team, modal, late, reply } = sendings.get(name) as Sending;
      expect(late).toBe(false);
      expect(Object.values(reply.errors ?? {})).toEqual([expect.stringMatching(/Nothing is lost; please try again/)]);
      expect((await questionsOf(team))[0]).toMatchObject({ status: 'pending', draft: { rows: [] } });
      const again = await slackTeams.sender.submit(team.workspace, 'U1', modal, values);
      expect(JSON.stringify(again)).not.toMatch(/takes its time/);
    },
  );
});

test('a filter chosen in Home while an earlier drawing is on its way is shown in the end', async () => {
  const team = await slackTeams.connect();
  const { workspace } = team;
  const open = () =>
    slackTeams.sender.event(workspace, { type: 'app_home_opened', user: 'U1', channel: 'D1', tab: 'home' });
  const release = slackTeams.slack.hold('views.publish');
  const opened = open();
  await eventually(() => slackTeams.slack.waiting() === 1, 'the first drawing on its way');
  await slackTeams.sender.choose(workspace, 'U1', 'home_filter', 'resolved', 'home');
  const { ChannelIdentity } = await import('../../models/channelIdentity.ts');
  const { runInAccount } = await import('../../models/store/context.ts');
  const { accountId } = team.owner.user;
  await slackTeams.factories.eventually(
    () => runInAccount(accountId, () => ChannelIdentity.findOne({ accountId, inboxFilter: 'resolved' }).lean()),
    'the part, kept',
  );
  // Other requests are answered meanwhile, so a second drawing would have arrived too.
  for (let asked = 0; asked < 5; asked += 1) await questionsOf(team);
  expect(workspace.homes.size).toBe(0);
  release();
  await opened;
  await eventually(() => slackTeams.slack.callsOf('views.publish', workspace).length === 2, 'both drawings');
  expect(JSON.stringify(workspace.homes.get('U1'))).toContain('Nothing has been');
});

test('of the calls made while one is running, only the last one runs, for all callers, even after a failure', async () => {
  const { makeCoalescer } = await import('../../bot/channels/slack/coalesce.ts');
  const coalesce = makeCoalescer();
  const done: string[] = [];
  let refuse = (_error: Error) => {};
  const first = coalesce('a', () => new Promise<void>((_resolve, reject) => (refuse = reject)));
  const say = (key: string, word: string) => coalesce(key, async () => void done.push(word));
  const later = [say('a', 'second'), say('a', 'third')];
  await say('b', 'another');
  expect(done).toEqual(['another']);
  refuse(new Error('refused'));
  await expect(first).rejects.toThrow('refused');
  await Promise.all(later);
  expect(done).toEqual(['another', 'third']);
  await say('a', 'fourth');
  expect(done).toEqual(['another', 'third', 'fourth']);
});

test('a session’s last status is set last, even if Slack refuses the earlier one', async () => {
  const team = await slackTeams.connect();
  const shown = () =>
    slackTeams.slack
      .callsOf('agents.sessions.setStatus')
      .filter(({ team: of }) => of === team.workspace.team)
      .map(({ body }) => body.status);
  const { ts } = await slackTeams.sender.mention(team.workspace, 'U1', 'C1', 'Try it with a sample');
  await postWith(team.workspace, /sample/);
  slackTeams.slack.fail('agents.sessions.setStatus', 500, 3);
  await slackTeams.sender.message(team.workspace, 'U1', 'C1', 'Analyse my hazard log', { thread_ts: ts });
  await eventually(() => shown().at(-1) === 'suspended', 'that it waits', 20_000);
});

test('a turn that waited so long that the sweeper claimed it is not processed twice', async () => {
  const team = await slackTeams.connect();
  const { runWhenSlotFree } = await import('../../bot/engine/turns/concurrency.ts');
  const { Turn } = await import('../../models/turn.ts');
  const { runInAccount } = await import('../../models/store/context.ts');
  const { accountId } = team.owner.user;
  // Six rounds of work, whose places are freed after a second each, or when the test says so.
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  for (let filled = 0; filled < 6 * 8; filled += 1) runWhenSlotFree(() => ended);
  await slackTeams.sender.message(team.workspace, 'U1', 'D1', 'help');
  await runInAccount(accountId, () => Turn.updateOne({ accountId }, { $set: { status: 'done' } }));
  // As if it had waited for a minute.
  const now = performance.now.bind(performance);
  jest.spyOn(performance, 'now').mockImplementation(() => now() + 60_000);
  end();
  await slackTeams.sender.message(team.workspace, 'U1', 'D2', 'help');
  await eventually(() => posted(team.workspace).some(({ channel }) => channel === 'D2'), 'the other’s reply');
  expect(posted(team.workspace).filter(({ channel }) => channel === 'D1')).toEqual([]);
});
