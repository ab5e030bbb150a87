/** @environment slack */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { slackChannel } from '../../../bot/channels/slack/outbound.ts';
import type { ConversationRow } from '../../../models/conversation.ts';
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
afterEach(() => slack.recover());

type Reference = Record<string, unknown> | null;
/** Shows one state after the other. @returns what the last one returned, and what it kept last */
async function show(conversation: ConversationRow, states: [steps: string[], text: string][], begun: Reference = null) {
  const seen = { reference: begun, kept: [] as Record<string, unknown>[] };
  const keep = async (come: Record<string, unknown>) => void seen.kept.push(come);
  for (const [steps, text] of states) {
    const draft = { steps, text, agentId: 'clinical_safety', agentName: 'Clara' };
    seen.reference = (await made.inAccount(async () =>
      slackChannel.showDraft?.(conversation, draft, { reference: seen.reference, keep }),
    )) as Reference;
  }
  return seen;
}
const complete = (conversation: ConversationRow, reference: Reference, change: Partial<MessageRow> = {}) =>
  made.inAccount(() =>
    slackChannel.say(conversation, makeMessage(made.accountId, change), { reference, keep: async () => undefined }),
  );
const inThread = () => made.converse('D1', '1.1');
const words = () => made.posted().map(({ text, blocks }) => JSON.stringify([text, blocks]));

describe('an answer that is written, in a direct chat', () => {
  test('is one stream: a card for each step, then the text, escaped, and thumbs at its end', async () => {
    const conversation = await inThread();
    const { reference } = await show(conversation, [
      [['Thinking'], ''],
      [['Looking', 'Reading'], ''],
      [['Writing'], 'One & two.'],
      [[], 'One & two. Three <!here>.'],
    ]);
    expect(made.posted()).toMatchObject([
      {
        streamed: 'open',
        text: 'One &amp; two. Three &lt;!here&gt;.',
        tasks: [
          { title: 'Thinking', status: 'complete' },
          { title: 'Looking', status: 'complete' },
          { title: 'Reading', status: 'complete' },
          { title: 'Writing', status: 'in_progress' },
        ],
      },
    ]);
    await complete(conversation, reference, { text: 'One & two. Three <!here>. Four.' });
    const [post, ...more] = made.posted();
    expect(more).toEqual([]);
    expect(post).toMatchObject({ streamed: 'done', text: 'One &amp; two. Three &lt;!here&gt;. Four.' });
    expect(post?.tasks?.at(-1)).toMatchObject({ title: 'Writing', status: 'complete' });
    expect(JSON.stringify(post?.blocks)).toContain('feedback_buttons');
    expect(made.bodiesOf('chat.update')).toEqual([]);
  });

  test('changes nothing where nothing is new', async () => {
    const conversation = await inThread();
    await show(conversation, [
      [['Thinking'], 'One.'],
      [['Thinking'], 'One.'],
      [[], 'One.'],
    ]);
    expect(made.bodiesOf('chat.appendStream')).toHaveLength(1);
  });

  test.each<[string, Partial<MessageRow>, string]>([
    ['that begins otherwise', { text: 'Another answer.' }, 'Another answer.'],
    [
      'that may not say what was shown',
      { text: 'One. Two.', derived: { redacted: 'Redacted.', reference: 'A reference.' } },
      'A reference.',
    ],
  ])('is replaced by a message %s', async (_which, change, text) => {
    const conversation = await inThread();
    const { reference } = await show(conversation, [[['Writing'], 'One.']]);
    await complete(conversation, reference, change);
    expect(made.posted()).toHaveLength(1);
    expect(words()[0]).toContain(text);
    expect(words()[0]).not.toContain('One.');
  });

  test('is replaced as a whole where nobody knows what Slack has of it', async () => {
    const conversation = await inThread();
    const begun = await show(conversation, [[['Writing'], 'One.']]);
    slack.fail('chat.appendStream', 500, 1);
    const draft = { steps: [], text: 'One. Two.', agentId: 'clinical_safety', agentName: 'Clara' };
    let kept: Reference = null;
    const keep = async (come: Record<string, unknown>) => {
      kept = come;
    };
    const { reference } = begun;
    await expect(
      made.inAccount(async () => slackChannel.showDraft?.(conversation, draft, { reference, keep })),
    ).rejects.toThrow();
    // The next process shows no more of it, and completes it.
    const calls = made.bodiesOf('chat.appendStream').length;
    await show(conversation, [[['Looking'], 'One. Two. Three.']], kept);
    expect(made.bodiesOf('chat.appendStream')).toHaveLength(calls);
    await complete(conversation, kept, { text: 'One. Two. Three.' });
    expect(made.posted()).toHaveLength(1);
    expect(words()[0]?.match(/One\. Two\. Three\./g)).toHaveLength(2);
  });

  test('is sent again after a refusal for its rate, of which Slack has nothing', async () => {
    const conversation = await inThread();
    const begun = await show(conversation, [[['Writing'], '']]);
    slack.fail('chat.appendStream', 429, 1, 1);
    const kept: Record<string, unknown>[] = [];
    const draft = { steps: [], text: 'One.', agentId: 'clinical_safety', agentName: 'Clara' };
    const sending = {
      reference: begun.reference,
      keep: async (come: Record<string, unknown>) => void kept.push(come),
    };
    await expect(
      made.inAccount(async () => slackChannel.showDraft?.(conversation, draft, sending)),
    ).rejects.toMatchObject({ retryAfter: 1 });
    expect(kept.at(-1)).toEqual(begun.reference);
    const { reference } = await show(conversation, [[[], 'One.']], kept.at(-1));
    await complete(conversation, reference, { text: 'One.' });
    expect(made.posted()).toMatchObject([{ text: 'One.', streamed: 'done' }]);
  });

  test('whose stream ended too early is replaced by the whole message', async () => {
    const conversation = await inThread();
    const { reference } = await show(conversation, [[['Writing'], 'One.']]);
    const [post] = made.posted();
    if (post) post.streamed = 'done';
    await complete(conversation, reference, { text: 'One. Two.' });
    expect(made.posted()).toHaveLength(1);
    expect(words()[0]).toContain('One. Two.');
  });

  test('ends before a question, and not twice', async () => {
    const conversation = await inThread();
    const { reference } = await show(conversation, [[['Thinking'], '']]);
    const end = () =>
      made.inAccount(async () => slackChannel.endDraft?.(conversation, reference as Record<string, unknown>));
    await end();
    expect(made.posted()).toMatchObject([{ streamed: 'done', tasks: [{ status: 'complete' }] }]);
    await end();
  });

  test.each([
    ['in a channel', 'C1', '1.1'],
    ['outside a thread', 'D1', null],
  ])('is not streamed %s', async (_where, channel, thread) => {
    const conversation = await made.converse(channel, thread);
    await expect(show(conversation, [[['Thinking'], '']])).rejects.toThrow('can be streamed');
    expect(made.posted()).toEqual([]);
  });

  test('is not streamed where the workspace does not stream, which is tried once', async () => {
    made.workspace.streams = false;
    const conversation = await inThread();
    for (const _again of [0, 1]) await expect(show(conversation, [[['Thinking'], '']])).rejects.toThrow();
    expect(made.bodiesOf('chat.startStream')).toHaveLength(1);
  });
});
