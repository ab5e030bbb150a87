/** @environment slack */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Types } from 'mongoose';
import { slackChannel } from '../../../bot/channels/slack/outbound.ts';
import { ChannelIdentity } from '../../../models/channelIdentity.ts';
import { slack } from '../../environments/slack.ts';
import { makeInterrupt } from '../../factories/interrupt.ts';
import { addMember } from '../../factories/members.ts';
import { type Server, startServer } from '../../factories/server.ts';
import { connectWorkspace } from '../../factories/slackPlace.ts';
import { nextNumber } from '../../factories/who.ts';

let server: Server;
let made: Awaited<ReturnType<typeof connectWorkspace>>;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());
beforeEach(async () => {
  made = await connectWorkspace(slack);
});

describe('the Slack channel', () => {
  const question = () => {
    const row = makeInterrupt({ _id: nextNumber(), accountId: made.accountId });
    const shown = { ...row, id: row._id, agentId: row.agentId, createdAt: '', resolvedAt: null, context: {} };
    return shown as never as Parameters<typeof slackChannel.ask>[0];
  };
  const delivery = (surface: string, reference: object | null = null) =>
    ({ surface, accountId: made.accountId, reference }) as never;

  test('asks in the conversation’s thread, and redraws its question', async () => {
    const asked = question();
    const conversation = await made.converse('C1', '1.1');
    const reference = await made.inAccount(() => slackChannel.ask(asked, delivery('slack'), conversation));
    const [post] = made.posted();
    expect(reference).toEqual({ key: made.key, channel: 'C1', ts: post?.ts });
    expect(post).toMatchObject({ channel: 'C1', thread: '1.1', username: 'Clara, Clinical safety officer' });
    expect(made.bodiesOf('chat.postMessage')[0]).toMatchObject({ unfurl_links: 'false' });
    const closed = { ...(asked as object), status: 'cancelled' } as typeof asked;
    await made.inAccount(() => slackChannel.redraw(closed, delivery('slack', reference)));
    expect(JSON.stringify(made.posted()[0]?.blocks)).toContain('Withdrawn');
    for (const missing of ['key', 'channel', 'ts'] as const) {
      const without = { ...reference, [missing]: undefined };
      await made.inAccount(() => slackChannel.redraw(closed, delivery('slack', without)));
    }
    await made.inAccount(() => slackChannel.redraw(closed, delivery('slack', null)));
    expect(made.bodiesOf('chat.update')).toHaveLength(1);
  });

  test('is an external platform, with a board in App Home', () => {
    const { name, remote, surfaces, boards } = slackChannel;
    expect({ name, remote, surfaces, boards }).toEqual({
      name: 'slack',
      remote: true,
      surfaces: ['slack'],
      boards: ['slack-home'],
    });
  });

  test('shows in the thread that the agent waits for an answer', async () => {
    const asked = question();
    const conversation = await made.converse('D1', '1.1');
    const reference = await made.inAccount(() => slackChannel.ask(asked, delivery('slack'), conversation));
    expect(made.posted()).toMatchObject([{ channel: 'D1', thread: '1.1' }]);
    while (made.bodiesOf('agents.sessions.setStatus').length === 0) await new Promise((done) => setImmediate(done));
    expect(made.bodiesOf('agents.sessions.setStatus')).toMatchObject([{ channel_id: 'D1', status: 'suspended' }]);
    const elsewhere = { ...reference, key: `T${nextNumber()}` };
    await made.inAccount(() => slackChannel.redraw(asked, delivery('slack', elsewhere)));
    expect(made.bodiesOf('chat.update')).toEqual([]);
  });

  test('asks nothing in Slack that was not asked for there', async () => {
    for (const surface of ['slack', 'slack-home'])
      expect(await made.inAccount(() => slackChannel.ask(question(), delivery(surface), null))).toBeNull();
    expect(made.posted()).toEqual([]);
  });

  test('redraws App Home for members when a question is asked or answered', async () => {
    const { accountId, key, workspace } = made;
    workspace.users.set('U1', { id: 'U1', email: null, name: 'Ada' });
    const member = await addMember({ accountId });
    await made.inAccount(() =>
      ChannelIdentity.create({
        _id: new Types.ObjectId(),
        accountId,
        channel: 'slack',
        platformId: `${key}:U1`,
        name: 'Ada',
        userId: member.userId,
        refreshedAt: new Date(),
      } as never),
    );
    const asked = question();
    const conversation = await made.converse('C1');
    expect(await made.inAccount(() => slackChannel.ask(asked, delivery('slack-home'), conversation))).toBeNull();
    expect(workspace.homes.has('U1')).toBe(true);
    workspace.homes.clear();
    await made.inAccount(() => slackChannel.redraw(asked, delivery('slack-home')));
    expect(workspace.homes.has('U1')).toBe(true);
    expect(made.posted()).toEqual([]);
  });

  test('tells one person privately what others need not read', async () => {
    const tell = async (channel: string, thread: string | null) => {
      const conversation = await made.converse(channel, thread);
      await made.inAccount(async () => slackChannel.tellPrivately?.(conversation, `${made.key}:U1`, 'Psst.'));
    };
    await tell('C1', '1.1');
    await tell('C1', null);
    await tell('D1', '1.1');
    expect(made.bodiesOf('chat.postEphemeral')).toMatchObject([
      { channel: 'C1', user: 'U1', text: 'Psst.', thread_ts: '1.1' },
      { channel: 'C1', user: 'U1', text: 'Psst.' },
    ]);
    expect(made.bodiesOf('chat.postEphemeral')[1]).not.toHaveProperty('thread_ts');
    expect(made.posted()).toMatchObject([{ channel: 'D1', text: 'Psst.' }]);
  });

  test('identifies the author of a message', async () => {
    made.workspace.users.set('U1', { id: 'U1', email: null, name: 'Ada Okafor' });
    const conversation = await made.converse('C1');
    expect(await made.inAccount(async () => slackChannel.identify?.(conversation, `${made.key}:U1`))).toMatchObject({
      name: 'Ada Okafor',
    });
  });

  test.each([
    ['working', 'processing'],
    ['waiting', 'suspended'],
    ['done', 'active'],
  ])('shows that the agent is %s as %s', async (status, shown) => {
    const conversation = await made.converse('D1', '1.1');
    slackChannel.progress(conversation, { status } as never);
    while (made.bodiesOf('agents.sessions.setStatus').length === 0) await new Promise((done) => setImmediate(done));
    expect(made.bodiesOf('agents.sessions.setStatus')).toMatchObject([
      { channel_id: 'D1', thread_ts: '1.1', status: shown },
    ]);
  });
});
