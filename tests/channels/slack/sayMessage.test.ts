/** @environment slack */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sayMessage } from '../../../bot/channels/slack/sayMessage.ts';
import type { ConversationRow } from '../../../models/conversation.ts';
import { keepFile } from '../../../models/files.ts';
import type { MessageRow } from '../../../models/message.ts';
import { slack } from '../../environments/slack.ts';
import { makeMessage } from '../../factories/message.ts';
import { type Server, startServer } from '../../factories/server.ts';
import { connectWorkspace } from '../../factories/slackPlace.ts';

let server: Server;
let made: Awaited<ReturnType<typeof connectWorkspace>>;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());
beforeEach(async () => {
  made = await connectWorkspace(slack);
});

describe('a message', () => {
  const message = (change: Partial<MessageRow> = {}) => makeMessage(made.accountId, change);
  const say = async (
    conversation: ConversationRow,
    row: MessageRow,
    reference: Record<string, unknown> | null = null,
  ) => {
    const kept: [Record<string, unknown>, boolean | undefined][] = [];
    const keep = async (come: Record<string, unknown>, said?: boolean) => void kept.push([come, said]);
    const come = await made.inAccount(() => sayMessage(conversation, row, { reference, keep }));
    return { come, kept };
  };
  const LONG = Array.from({ length: 400 }, (_, at) => `Word ${at} is said.`).join(' ');
  const piecesIn = (text: string) => text.replaceAll(/\s+/g, ' ');

  test('is one post in its channel and thread, under the agent’s name, without link previews', async () => {
    const { come, kept } = await say(await made.converse('C1', '1.1'), message());
    const [post, ...more] = made.posted();
    expect(more).toEqual([]);
    expect(post).toMatchObject({ channel: 'C1', thread: '1.1', username: 'Clara, Clinical safety officer' });
    expect(JSON.stringify(post?.blocks)).toContain('Hello.');
    expect(made.bodiesOf('chat.postMessage')[0]).toMatchObject({ unfurl_links: 'false', unfurl_media: 'false' });
    expect(come).toEqual({ channel: 'C1', ts: post?.ts, posts: 1, files: 0 });
    // With nothing left to send, the outbox records the completion itself.
    expect(kept).toEqual([]);
    await say(await made.converse('C1'), message());
    expect(made.posted().at(-1)?.thread).toBeNull();
  });

  test('that is long becomes several posts, and continues after the last one sent', async () => {
    const conversation = await made.converse('C1', '1.1');
    const text = `${LONG} ${LONG} ${LONG}`;
    const first = await say(conversation, message({ text }));
    const whole = made.posted();
    expect(whole.length).toBeGreaterThan(1);
    expect(first.come).toMatchObject({ ts: whole[0]?.ts, posts: whole.length });
    expect(first.kept).toEqual(
      whole.slice(0, -1).map((_post, at) => [{ channel: 'C1', ts: whole[0]?.ts, posts: at + 1, files: 0 }, false]),
    );
    const second = await say(conversation, message({ text }), { ts: 'first', posts: 1 });
    expect(made.posted()).toHaveLength(2 * whole.length - 1);
    expect(second.come).toMatchObject({ ts: 'first', posts: whole.length });
  });

  test('contains what consent allows, and its files if they are allowed', async () => {
    const name = 'log.csv';
    const bytes = Buffer.from('a,b');
    await made.inAccount(() =>
      keepFile({ accountId: made.accountId, name, kind: 'export', key: name, type: 'text/csv', bytes }),
    );
    const attachment = (of: string) => ({ name: of, size: 3, type: 'text/csv', url: `/api/download/${of}` });
    const derived = { redacted: 'Redacted.', reference: 'A reference.' };
    const row = message({ attachments: [attachment(name), attachment('gone.csv')], derived });
    const conversation = await made.converse('C1', '1.1');
    await say(conversation, row);
    expect(JSON.stringify(made.posted().at(-1)?.blocks)).toContain('A reference.');
    expect(made.workspace.shared).toEqual([]);
    await made.consentToAll();
    const { come, kept } = await say(conversation, row);
    expect(JSON.stringify(made.posted().at(-1)?.blocks)).toContain('Hello.');
    expect(made.workspace.shared.map(({ title, channel, bytes: sent }) => [title, channel, sent])).toEqual([
      [name, 'C1', bytes],
    ]);
    expect(come).toMatchObject({ posts: 1, files: 2 });
    expect(kept).toEqual([
      [expect.objectContaining({ posts: 1, files: 0 }), true],
      [expect.objectContaining({ files: 1 }), true],
    ]);
    await say(conversation, row, { ts: 'x', posts: 1, files: 1 });
    expect(made.workspace.shared).toHaveLength(1);
    expect(made.posted()).toHaveLength(2);
  });

  test('in a thread of a direct chat is streamed to its end', async () => {
    const conversation = await made.converse('D1', '1.1');
    const { come, kept } = await say(conversation, message({ text: LONG }));
    const [post, ...more] = made.posted();
    expect(more).toEqual([]);
    expect(post).toMatchObject({ channel: 'D1', thread: '1.1', streamed: 'done' });
    expect(piecesIn(String(post?.text))).toBe(LONG);
    const pieces = made.bodiesOf('chat.appendStream').length + 1;
    expect(pieces).toBe(Math.ceil(LONG.length / 600) + 1 - (LONG.length % 600 > 0 ? 1 : 0));
    for (const { markdown_text: piece } of made.bodiesOf('chat.appendStream'))
      expect(String(piece).length).toBeLessThan(602);
    expect(made.bodiesOf('chat.startStream')[0]).toMatchObject({ username: 'Clara, Clinical safety officer' });
    expect(come).toEqual({ channel: 'D1', ts: post?.ts, posts: 1, files: 0, streaming: false, pieces });
    expect(kept.map(([{ pieces: shown, streaming }, said]) => [shown, streaming, said])).toEqual(
      Array.from({ length: pieces }, (_, at) => [at + 1, true, true]),
    );
  });

  test.each([
    ['in a channel', 'C1', '1.1', {}],
    ['outside a thread', 'D1', null, {}],
    ['with a card', 'D1', '1.1', { card: { headline: 'One' } as never }],
    ['of another kind', 'D1', '1.1', { kind: 'upload' as const }],
    ['of more than 12,000 characters', 'D1', '1.1', { text: 'a'.repeat(12_001) }],
  ])('%s is posted, not streamed', async (_what, channel, thread, change) => {
    await say(await made.converse(channel, thread), message(change));
    expect(made.bodiesOf('chat.startStream')).toEqual([]);
    expect(made.posted().length).toBeGreaterThan(0);
  });

  test('that was posted is not streamed by the retry', async () => {
    const conversation = await made.converse('D1', '1.1');
    await say(conversation, message(), { ts: 'x', posts: 1 });
    expect(made.posted()).toEqual([]);
  });

  test('is not sent if Slack fails to start its stream, so that it is retried', async () => {
    const conversation = await made.converse('D1', '1.1');
    slack.fail('chat.startStream', 500, 1);
    await expect(say(conversation, message())).rejects.toThrow();
    expect(made.posted()).toEqual([]);
  });

  test('whose stream has no timestamp is not streamed further', async () => {
    const conversation = await made.converse('D1', '1.1');
    const { come } = await say(conversation, message({ text: LONG }), { ts: null, posts: 1, streaming: true });
    expect(come).toMatchObject({ ts: null, streaming: false });
    expect([made.bodiesOf('chat.appendStream'), made.bodiesOf('chat.stopStream')]).toEqual([[], []]);
  });

  test('of 12,000 characters is streamed', async () => {
    await say(await made.converse('D1', '1.1'), message({ text: 'a'.repeat(12_000) }));
    expect(made.posted()).toMatchObject([{ streamed: 'done' }]);
  });

  test('is posted if the workspace does not support streams, which is tried once', async () => {
    made.workspace.streams = false;
    const conversation = await made.converse('D1', '1.1');
    for (const _again of [0, 1]) await say(conversation, message());
    expect(made.posted().map(({ streamed }) => streamed)).toEqual([undefined, undefined]);
    expect(made.bodiesOf('chat.startStream')).toHaveLength(1);
  });

  test('is posted if it can’t be streamed, and the next one is streamed', async () => {
    const conversation = await made.converse('D1', '1.1');
    slack.refuse('chat.startStream', 'msg_too_long');
    for (const _again of [0, 1]) await say(conversation, message());
    expect(made.posted().map(({ streamed }) => streamed)).toEqual([undefined, 'done']);
  });

  test('whose stream was interrupted continues there, and is posted if that stream has ended', async () => {
    const conversation = await made.converse('D1', '1.1');
    slack.failAfter('chat.appendStream', 2);
    const row = message({ text: LONG });
    const kept: Record<string, unknown>[] = [];
    const keep = async (come: Record<string, unknown>) => void kept.push(come);
    await expect(made.inAccount(() => sayMessage(conversation, row, { reference: null, keep }))).rejects.toThrow();
    slack.recover();
    const { come } = await say(conversation, row, kept.at(-1));
    expect(piecesIn(String(made.posted()[0]?.text))).toBe(LONG);
    expect(made.posted()).toMatchObject([{ streamed: 'done' }]);
    expect(come).toMatchObject({ streaming: false, posts: 1 });
    const calls = slack.callsOf('chat.appendStream', made.workspace).length;
    expect((await say(conversation, row, { ...kept.at(-1), pieces: 1 })).come).toMatchObject({ streaming: false });
    expect(slack.callsOf('chat.appendStream', made.workspace)).toHaveLength(calls + 1);
    slack.refuse('chat.stopStream', 'fatal_error', 9);
    await expect(say(conversation, message())).rejects.toThrow('fatal_error');
  });
});
