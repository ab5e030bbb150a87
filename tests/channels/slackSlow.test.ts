/** @environment slack */
import { describe, expect, test } from '@jest/globals';
import type { Sent } from '../fakes/slack/sender.ts';
import { actionsIn, interruptIdOf, openSlackTeams, posted, type Team } from './slackTeams.ts';

const slackTeams = openSlackTeams();
const { askForReview, eventually, modalOf, postWith, questionsOf, toldAlone } = actionsIn(slackTeams);

/** How long Slack waits for an acknowledgement. */
const SLACK_WAITS_MILLISECONDS = 3000;

/** What Arc knows of the team's people is old: Slack has to be asked again who they are. */
async function forgetWhoIsWho({ owner }: Team): Promise<void> {
  const { ChannelIdentity } = await import('../../models/channelIdentity.ts');
  const { runInAccount } = await import('../../models/store/context.ts');
  const { accountId } = owner.user;
  await runInAccount(accountId, () =>
    ChannelIdentity.updateMany({ accountId }, { $set: { refreshedAt: new Date(0) } }),
  );
}

/** Opens the form behind a button of a question that waits. */
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

  // Those that end the question have one to themselves.
  const ENDING = ['an approval', 'Stop'];
  test.each([
    ['whatever leaves the question open', WAYS.filter(([what]) => !ENDING.includes(what))],
    ...ENDING.map((ending) => [ending, WAYS.filter(([what]) => what === ending)] as const),
  ] as const)('%s is acknowledged while Slack still waits, and done when it answers', async (_what, ways) => {
    const team = await slackTeams.connect();
    const form = await openForm(team, 'answer:review');
    await forgetWhoIsWho(team);
    const release = slackTeams.slack.hold();
    try {
      const sent = await Promise.all(ways.map(async ([what, doing]) => ({ what, ...(await doing(team, form)) })));
      for (const { what, status, milliseconds } of sent)
        expect({ what, status, late: milliseconds >= SLACK_WAITS_MILLISECONDS }).toEqual({
          what,
          status: 200,
          late: false,
        });
    } finally {
      release();
    }
    for (const [, , after] of ways) await after(team);
  });

  test.each([
    ['a reason', 'answer:reject', { reason: { text: { value: 'Out of scope' } } }],
    ['a page of a review', 'answer:review', {}],
  ])(
    '%s that is sent is not taken, the form says so in time, and it can be sent again',
    async (_what, button, values) => {
      const team = await slackTeams.connect();
      const { modal } = await openForm(team, button);
      await forgetWhoIsWho(team);
      const release = slackTeams.slack.hold();
      const send = () => slackTeams.sender.submit(team.workspace, 'U1', modal, values);
      const begun = performance.now();
      const reply = await send();
      expect(performance.now() - begun).toBeLessThan(SLACK_WAITS_MILLISECONDS);
      expect(Object.values(reply.errors ?? {})).toEqual([expect.stringMatching(/Nothing is lost: please try again/)]);
      release();
      expect((await questionsOf(team))[0]).toMatchObject({ status: 'pending', draft: { rows: [] } });
      const again = await send();
      expect(JSON.stringify(again)).not.toMatch(/takes its time/);
    },
  );
});

test('a part of Home that is chosen while an earlier drawing is on its way is what is shown in the end', async () => {
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
  // Whatever else is asked is answered meanwhile: a second drawing would have come, too.
  for (let asked = 0; asked < 5; asked += 1) await questionsOf(team);
  expect(workspace.homes.size).toBe(0);
  release();
  await opened;
  await eventually(() => slackTeams.slack.callsOf('views.publish', workspace).length === 2, 'both drawings');
  expect(JSON.stringify(workspace.homes.get('U1'))).toContain('Nothing has been');
});

test('of what is asked while one goes on only the last is done, for all who asked, also after a failure', async () => {
  const { makeLastWord } = await import('../../bot/channels/slack/lastWord.ts');
  const lastWord = makeLastWord();
  const done: string[] = [];
  let refuse = (_error: Error) => {};
  const first = lastWord('a', () => new Promise<void>((_resolve, reject) => (refuse = reject)));
  const say = (key: string, word: string) => lastWord(key, async () => void done.push(word));
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

test('what a session shows last is what it does last, though Slack refuses what came before', async () => {
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

test('what waited so long for its place that the sweeper took it up is not heard twice', async () => {
  const team = await slackTeams.connect();
  const { whenThereIsPlace } = await import('../../bot/engine/turns/places.ts');
  const { Turn } = await import('../../models/turn.ts');
  const { runInAccount } = await import('../../models/store/context.ts');
  const { accountId } = team.owner.user;
  // Six rounds of work that gives its places back after a second each.
  for (let filled = 0; filled < 6 * 8; filled += 1) whenThereIsPlace(() => new Promise(() => {}));
  await slackTeams.sender.message(team.workspace, 'U1', 'D1', 'help');
  await runInAccount(accountId, () => Turn.updateOne({ accountId }, { $set: { status: 'done' } }));
  await slackTeams.sender.message(team.workspace, 'U1', 'D2', 'help');
  await eventually(() => posted(team.workspace).some(({ channel }) => channel === 'D2'), 'the other’s reply');
  expect(posted(team.workspace).filter(({ channel }) => channel === 'D1')).toEqual([]);
}, 30_000);
