/** @environment slack */
import { describe, expect, test } from '@jest/globals';
import { askIn } from '../factories/askQuestion.ts';
import { actionsIn, join, openSlackTeams, posted, type Team } from './slackTeams.ts';

const slackTeams = openSlackTeams();
const { postWith, eventually, questionsOf } = actionsIn(slackTeams);

/** Makes an agent ask for an approval in a thread. */
async function ask({ workspace, owner }: Team, channel: string, thread: string, prompt: string): Promise<void> {
  const { accountId, id: userId } = owner.user;
  const address = { channel: 'slack' as const, conversation: `${workspace.team}:${channel}`, thread };
  const asking = { accountId, userId, agentId: 'clinical_safety', userAgentId: owner.agent.id };
  await askIn(address, { interruptType: 'approval', prompt }, asking);
  await postWith(workspace, new RegExp(prompt.replace('?', '\\?')));
}
/** The questions' statuses, by the number in the prompt. */
const statusesByNumber = async (team: Team) =>
  Object.fromEntries((await questionsOf(team)).map(({ prompt, status }) => [prompt.replace(/\D/g, ''), status]));
/** The first message of a thread that the owner started. */
async function begin(team: Team, channel: string): Promise<string> {
  const before = posted(team.workspace).length;
  const { ts } = channel.startsWith('D')
    ? await slackTeams.sender.message(team.workspace, 'U1', channel, 'help')
    : await slackTeams.sender.mention(team.workspace, 'U1', channel, 'help');
  await eventually(() => posted(team.workspace).length > before, 'the reply');
  return ts;
}
const say = ({ workspace }: Team, words: string, more: Record<string, unknown> = {}) =>
  slackTeams.sender.message(workspace, 'U1', 'D1', words, more);

describe('words that answer', () => {
  /** Asks two questions in two threads of a direct chat, the older one first. */
  async function askTwo(team: Team): Promise<[older: string, newer: string]> {
    const threads: [string, string] = [await begin(team, 'D1'), await begin(team, 'D1')];
    await ask(team, 'D1', threads[0], 'Release 1?');
    await ask(team, 'D1', threads[1], 'Release 2?');
    return threads;
  }

  test('answer the question of their thread, even if a newer one waits elsewhere', async () => {
    const team = await slackTeams.connect();
    const [older] = await askTwo(team);
    await say(team, 'approve', { thread_ts: older });
    await postWith(team.workspace, /Recorded your answer to: Release 1/);
    expect(await statusesByNumber(team)).toEqual({ 1: 'resolved', 2: 'pending' });
  });

  test('outside the threads of several questions sign nothing, and the person is asked which one', async () => {
    const team = await slackTeams.connect();
    await askTwo(team);
    await say(team, 'approve');
    await postWith(team.workspace, /More than one question waits here/);
    expect(await statusesByNumber(team)).toEqual({ 1: 'pending', 2: 'pending' });
  });

  /** Makes the sweeper process the words again, as after a crash. */
  async function processAgain({ owner }: Team, text: string, more: object = {}): Promise<void> {
    const { Turn } = await import('../../models/turn.ts');
    const { runInAccount } = await import('../../models/store/context.ts');
    const { sweepTurns } = await import('../../bot/engine/turns/sweepTurns.ts');
    const { accountId } = owner.user;
    const turn = () => runInAccount(accountId, () => Turn.findOne({ accountId, text }).lean());
    const over = () =>
      slackTeams.factories.eventually(async () => (await turn())?.status === 'done', 'the turn to be over');
    await over();
    await runInAccount(accountId, () =>
      Turn.updateOne({ accountId, text }, { $set: { status: 'stored', dueAt: new Date(0), ...more } }),
    );
    await sweepTurns();
    await over();
  }

  test('answer one question, even if they are processed again after it was answered', async () => {
    const team = await slackTeams.connect();
    const thread = await begin(team, 'D1');
    await ask(team, 'D1', thread, 'Release 3?');
    await say(team, 'approve', { thread_ts: thread });
    await postWith(team.workspace, /Recorded your answer to: Release 3/);
    await ask(team, 'D1', thread, 'Release 4?');
    await processAgain(team, 'approve');
    expect(await statusesByNumber(team)).toEqual({ 3: 'resolved', 4: 'pending' });
    expect(posted(team.workspace).filter(({ text }) => /Recorded your answer/.test(text))).toHaveLength(1);
  });

  test('that could answer two questions of a thread answer neither, and ask which', async () => {
    const team = await slackTeams.connect();
    const thread = await begin(team, 'D1');
    await ask(team, 'D1', thread, 'Release 5?');
    await ask(team, 'D1', thread, 'Release 6?');
    await say(team, 'yes please', { thread_ts: thread });
    await postWith(team.workspace, /More than one question waits here, and your words could answer each/);
    expect(await statusesByNumber(team)).toEqual({ 5: 'pending', 6: 'pending' });
  });

  test('processed again when nothing is pending start no new work', async () => {
    const team = await slackTeams.connect();
    const thread = await begin(team, 'D1');
    await ask(team, 'D1', thread, 'Release 7?');
    await say(team, 'approve', { thread_ts: thread });
    await postWith(team.workspace, /Recorded your answer to: Release 7/);
    const { Run } = await import('../../models/run.ts');
    const { runInAccount } = await import('../../models/store/context.ts');
    const { accountId } = team.owner.user;
    const runs = () => runInAccount(accountId, () => Run.countDocuments({ accountId }));
    const before = await runs();
    await processAgain(team, 'approve');
    expect(await runs()).toBe(before);
  });

  test('do not answer a question asked after them', async () => {
    const team = await slackTeams.connect();
    const thread = await begin(team, 'D1');
    await say(team, 'yes', { thread_ts: thread });
    await eventually(() => posted(team.workspace).length > 1, 'a reply to a yes that answers nothing');
    await ask(team, 'D1', thread, 'Release 5?');
    const { Run } = await import('../../models/run.ts');
    const { runInAccount } = await import('../../models/store/context.ts');
    const { accountId } = team.owner.user;
    // As if the first processing had failed.
    await runInAccount(accountId, () => Run.deleteMany({ accountId, startKey: { $regex: '^turn:' } }));
    await processAgain(team, 'yes');
    expect(await statusesByNumber(team)).toEqual({ 5: 'pending' });
  });

  test.each([
    ['a colleague’s, to other people', ['deputy'], false],
    ['a colleague’s without permission, to the agent', ['member'], true],
  ])('%s, sign nothing in a thread with another person’s question', async (_what, roles, mentioned) => {
    const team = await slackTeams.connect();
    await join(slackTeams, team, 'U2', roles);
    const thread = await begin(team, 'C1');
    await ask(team, 'C1', thread, 'Release 6?');
    const before = posted(team.workspace).length;
    await slackTeams.sender[mentioned ? 'mention' : 'message'](team.workspace, 'U2', 'C1', 'approve', {
      thread_ts: thread,
    });
    await eventually(() => posted(team.workspace).length > before, 'a reply');
    expect(await statusesByNumber(team)).toEqual({ 6: 'pending' });
  });
});
