/** @environment slack */
import { describe, expect, test } from '@jest/globals';
import { LIMITS } from '../../models/contracts/limits.ts';
import type { Posted } from '../fakes/slack/methods.ts';
import { actionsIn, openSlackTeams, type Team } from './slackTeams.ts';

const slackTeams = openSlackTeams();
const { eventually, modalOf, postWith, toldAlone } = actionsIn(slackTeams);

const idOf = (post: Posted) => String(/"good:([0-9a-f]{24})"/.exec(JSON.stringify(post.blocks))?.[1]);
const at = ({ channel, ts, thread }: Posted) => ({ channel, ts, thread });
const reasonOf = (value: string) => ({ reason: { text: { value } } });

async function answeredIn(channel: string): Promise<{ team: Team; post: Posted; id: string }> {
  const team = await slackTeams.connect();
  await slackTeams.sender.mention(team.workspace, 'U1', channel, 'help');
  const post = await postWith(team.workspace, /I never set a severity/);
  await eventually(() => idOf(post) !== 'undefined', 'the buttons');
  return { team, post, id: idOf(post) };
}
const keptOf = async ({ owner }: Team, id: string) => {
  const [{ Message }, { runInAccount }] = await Promise.all([
    import('../../models/message.ts'),
    import('../../models/store/context.ts'),
  ]);
  const message = await runInAccount(owner.user.accountId, () => Message.findById(id).lean());
  return message?.feedback ? { value: message.feedback.value, reason: message.feedback.reason } : null;
};

describe('a thumb below an answer in Slack', () => {
  test.each(['C1', 'D1'])('is kept with the answer in %s, and a bad one with its reason', async (channel) => {
    const { team, post, id } = await answeredIn(channel);
    await slackTeams.sender.judge(team.workspace, 'U1', `good:${id}`, at(post));
    await toldAlone(team.workspace, /^Thank you/);
    expect(await keptOf(team, id)).toEqual({ value: 'good', reason: '' });
    await slackTeams.sender.judge(team.workspace, 'U1', `bad:${id}`, at(post));
    // A reason is asked for, and the thumb counts without one.
    expect(await keptOf(team, id)).toEqual({ value: 'bad', reason: '' });
    const modal = await modalOf(team);
    const reason = 'r'.repeat(LIMITS.feedbackReason);
    const tooLong = await slackTeams.sender.submit(team.workspace, 'U1', modal, reasonOf(`${reason}r`));
    expect(tooLong.errors?.reason).toBeTruthy();
    expect(await slackTeams.sender.submit(team.workspace, 'U1', modal, reasonOf(reason))).toEqual({});
    expect(await keptOf(team, id)).toEqual({ value: 'bad', reason });
  });

  test('of somebody who may not speak there is refused, also with a reason', async () => {
    const { team, post, id } = await answeredIn('C1');
    await slackTeams.sender.judge(team.workspace, 'U9', `bad:${id}`, at(post));
    await toldAlone(team.workspace, /permission|not allowed/i);
    expect(team.workspace.views).toEqual([]);
    await slackTeams.sender.judge(team.workspace, 'U1', `bad:${id}`, at(post));
    const refused = await slackTeams.sender.submit(team.workspace, 'U9', await modalOf(team), reasonOf('Mine'));
    expect(refused.errors?.reason).toBeTruthy();
    expect(await keptOf(team, id)).toEqual({ value: 'bad', reason: '' });
  });

  test('reaches no message of another channel, another account, or none at all', async () => {
    const [one, other] = [await answeredIn('C1'), await answeredIn('C1')];
    const calls = () => slackTeams.slack.callsOf('response_url', one.team.workspace).length;
    for (const [id, channel] of [
      [one.id, 'C2'],
      [other.id, 'C1'],
      ['nonsense', 'C1'],
    ]) {
      const before = calls();
      await slackTeams.sender.judge(one.team.workspace, 'U1', `good:${id}`, { ...at(one.post), channel: `${channel}` });
      await eventually(() => calls() > before, 'the refusal');
    }
    expect([await keptOf(one.team, one.id), await keptOf(other.team, other.id)]).toEqual([null, null]);
  });

  test('is asked for below answers alone, not below a refusal', async () => {
    const team = await slackTeams.connect();
    await slackTeams.sender.mention(team.workspace, 'U1', 'C1', 'Merge it');
    const post = await eventually(() => [...team.workspace.messages.values()][0], 'the reply');
    expect(JSON.stringify(post.blocks)).not.toContain('feedback_buttons');
  });
});
