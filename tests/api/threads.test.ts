import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openChat } from '../../bot/engine/conversations/threads.ts';
import type { ChatMessage } from '../../models/contracts/chat.ts';
import { LIMITS } from '../../models/contracts/limits.ts';
import type { Thread } from '../../models/contracts/threads.ts';
import { Conversation } from '../../models/conversation.ts';
import { Member } from '../../models/member.ts';
import { Message } from '../../models/message.ts';
import { runInAccount } from '../../models/store/context.ts';
import { eventually, type Person, signUpReady } from '../factories/person.ts';
import { type Server, startServer } from '../factories/server.ts';

let server: Server;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

type History = {
  messages: ChatMessage[];
  conversation: string;
  spokenTo: string;
  ready: Record<string, string | null>;
};
const history = async ({ browser }: Person, conversation?: string): Promise<History> =>
  (
    await browser
      .get('/api/arc-chat/history')
      .query(conversation ? { conversation } : {})
      .expect(200)
  ).body;
const threads = async ({ browser }: Person, search = ''): Promise<Thread[]> =>
  (await browser.get('/api/arc-chat/threads').query({ search }).expect(200)).body.threads;
const start = async ({ browser }: Person): Promise<Thread> =>
  (await browser.post('/api/arc-chat/threads').expect(200)).body;

/** Says something and waits for the answer in that conversation. */
async function say(person: Person, message: string, conversation?: string): Promise<ChatMessage> {
  await person.browser.post('/api/arc-chat/send').send({ message, conversation }).expect(200);
  return eventually(async () => {
    const { messages } = await history(person, conversation);
    const at = messages.findIndex((one) => one.messageType === 'user' && one.message === message);
    return at > 0 ? messages[at - 1] : null;
  }, `an answer to ${message}`);
}
const quiet = (person: Person) =>
  eventually(async () => (await threads(person)).every(({ state }) => state === 'quiet'), 'the work to end');

describe('a new conversation', () => {
  /** @shows POST /api/arc-chat/threads */
  test('is open, empty and without files; what is said without naming one belongs to it', async () => {
    const person = await signUpReady(server);
    await person.browser.post('/api/arc-chat/sample').send({}).expect(200);
    await eventually(async () => Object.values((await history(person)).ready).every(Boolean), 'the sample');
    const first = await history(person);
    const begun = await start(person);
    expect(begun).toEqual({
      id: begun.id,
      title: 'New conversation',
      lastMessageAt: null,
      isOpen: true,
      state: 'quiet',
    });
    const now = await history(person);
    expect(now).toMatchObject({ conversation: begun.id, messages: [] });
    expect(Object.values(now.ready)).toEqual(Object.values(first.ready).map(() => null));
    await say(person, 'help');
    expect((await history(person)).messages.map(({ conversation }) => conversation)).toEqual([begun.id, begun.id]);
    expect((await history(person, first.conversation)).messages).toHaveLength(first.messages.length);
  });

  test('is not begun twice while nothing was said in it', async () => {
    const person = await signUpReady(server);
    await say(person, 'help');
    const begun = await start(person);
    expect(await start(person)).toEqual(begun);
    expect(await threads(person)).toHaveLength(2);
  });

  test('is listed under the beginning of its first message, cut between words', async () => {
    const person = await signUpReady(server);
    const words = `thanks ${'for everything '.repeat(10)}`.trim();
    await say(person, words);
    const [{ title } = { title: '' }] = await threads(person);
    expect(title.length).toBeLessThanOrEqual(LIMITS.threads.title);
    expect(words.startsWith(title.slice(0, -1))).toBe(true);
    expect(title).toMatch(/(?:for|everything)…$/);
  });

  test(`is refused to a person who has ${LIMITS.threads.count}`, async () => {
    const person = await signUpReady(server);
    const { accountId, id: userId } = person.user;
    await say(person, 'help');
    const insert = (index: number) => ({
      accountId,
      key: `arc|user:${userId}|made-${index}`,
      address: { channel: 'arc', conversation: `user:${userId}`, thread: `made-${index}` },
    });
    await runInAccount(accountId, () =>
      Conversation.insertMany(Array.from({ length: LIMITS.threads.count - 2 }, (_, index) => insert(index))),
    );
    const last = await start(person);
    await say(person, 'thanks', last.id);
    const { body } = await person.browser.post('/api/arc-chat/threads').expect(409);
    expect(body.code).toBe('too_many_threads');
  });
});

describe('the list of conversations', () => {
  /** @shows GET /api/arc-chat/threads, POST /api/arc-chat/threads/:id/open */
  test('has the newest message first, says which is open, and opens another', async () => {
    const person = await signUpReady(server);
    await say(person, 'help');
    const begun = await start(person);
    await say(person, 'thanks');
    expect((await threads(person)).map(({ title, isOpen }) => [title, isOpen])).toEqual([
      ['thanks', true],
      ['help', false],
    ]);
    const [, first] = await threads(person);
    await person.browser.post(`/api/arc-chat/threads/${first?.id}/open`).expect(200);
    expect((await history(person)).conversation).toBe(first?.id);
    await say(person, 'hello');
    expect((await threads(person)).map(({ id, isOpen }) => [id, isOpen])).toEqual([
      [first?.id, true],
      [begun.id, false],
    ]);
  });

  /** @shows PATCH /api/arc-chat/threads/:id */
  test('is searched in titles and messages, in any case, with signs as they are', async () => {
    const person = await signUpReady(server);
    await say(person, 'thanks (a lot)');
    const begun = await start(person);
    await say(person, 'help');
    await person.browser.patch(`/api/arc-chat/threads/${begun.id}`).send({ title: 'Monday review' }).expect(200);
    const found = async (search: string) => (await threads(person, search)).map(({ title }) => title);
    expect(await found('MONDAY')).toEqual(['Monday review']);
    expect(await found('Thanks (a')).toEqual(['thanks (a lot)']);
    expect(await found('i never set a severity')).toEqual(['Monday review']);
    expect(await found('.*')).toEqual([]);
    expect(await found('nowhere said')).toEqual([]);
  });

  test('says where work is running or waits for an answer', async () => {
    const person = await signUpReady(server);
    await person.browser.post('/api/arc-chat/sample').send({}).expect(200);
    await eventually(async () => Object.values((await history(person)).ready).every(Boolean), 'the sample');
    await person.browser.post('/api/arc-chat/send').send({ message: 'Analyse my hazard log' }).expect(200);
    const [thread] = await eventually(async () => {
      const listed = await threads(person);
      return listed[0]?.state === 'waiting' ? listed : null;
    }, 'the question');
    expect(thread?.title).toBe('Try it with a sample');
  });
});

describe('deleting a conversation', () => {
  /** @shows DELETE /api/arc-chat/threads/:id */
  test('removes its messages and opens the one with the newest message', async () => {
    const person = await signUpReady(server);
    const { accountId } = person.user;
    await say(person, 'help');
    const kept = await history(person);
    const begun = await start(person);
    await say(person, 'thanks');
    await quiet(person);
    await person.browser.delete(`/api/arc-chat/threads/${begun.id}`).expect(200);
    expect((await threads(person)).map(({ id }) => id)).toEqual([kept.conversation]);
    expect((await history(person)).conversation).toBe(kept.conversation);
    await person.browser.get(`/api/arc-chat/history?conversation=${begun.id}`).expect(404);
    await person.browser.delete(`/api/arc-chat/threads/${begun.id}`).expect(404);
    const left = await runInAccount(accountId, () => Message.countDocuments({ accountId, conversationId: begun.id }));
    expect(left).toBe(0);
  });

  test('of the last one leaves a new one, also of the first that a person had', async () => {
    const person = await signUpReady(server);
    await say(person, 'help');
    await quiet(person);
    const { conversation } = await history(person);
    await person.browser.delete(`/api/arc-chat/threads/${conversation}`).expect(200);
    const now = await history(person);
    expect(now.conversation).not.toBe(conversation);
    expect(now.messages).toEqual([]);
    await say(person, 'thanks');
    expect((await threads(person)).map(({ id }) => id)).toEqual([now.conversation]);
  });

  test('is refused while its work waits for an answer', async () => {
    const person = await signUpReady(server);
    await person.browser.post('/api/arc-chat/sample').send({}).expect(200);
    await eventually(async () => Object.values((await history(person)).ready).every(Boolean), 'the sample');
    await person.browser.post('/api/arc-chat/send').send({ message: 'Analyse my hazard log' }).expect(200);
    const thread = await eventually(
      async () => (await threads(person)).find(({ state }) => state === 'waiting'),
      'the question',
    );
    const { body } = await person.browser.delete(`/api/arc-chat/threads/${thread.id}`).expect(409);
    expect(body.code).toBe('thread_at_work');
    expect((await history(person)).messages.length).toBeGreaterThan(2);
  });
});

describe('a conversation of somebody else', () => {
  test('can’t be read, opened, renamed, deleted or written to, by a colleague either', async () => {
    const person = await signUpReady(server);
    const [colleague, stranger] = await Promise.all([signUpReady(server), signUpReady(server)]);
    await say(person, 'help');
    const { conversation } = await history(person);
    const { accountId } = person.user;
    await Member.create({ accountId, userId: colleague.user.id, roles: ['member'] });
    await colleague.browser.post('/api/account/switch').send({ accountId }).expect(200);
    for (const { browser } of [colleague, stranger]) {
      const path = `/api/arc-chat/threads/${conversation}`;
      await browser.get(`/api/arc-chat/history?conversation=${conversation}`).expect(404);
      await browser.post(`${path}/open`).expect(404);
      await browser.patch(path).send({ title: 'Mine' }).expect(404);
      await browser.patch(path).send({ spokenTo: 'clinical_safety' }).expect(404);
      await browser.delete(path).expect(404);
      await browser.post('/api/arc-chat/send').send({ message: 'help', conversation }).expect(404);
      await browser.post('/api/arc-chat/sample').send({ conversation }).expect(404);
      await browser
        .post('/api/arc-chat/upload-hazard-log')
        .field('conversation', conversation)
        .attach('hazardLogFile', Buffer.from('ID,Hazard\nH1,Wrong patient\n'), 'log.csv')
        .expect(404);
    }
    expect((await threads(colleague)).map(({ id }) => id)).not.toContain(conversation);
    expect((await history(person)).messages).toHaveLength(2);
    await person.browser.get('/api/arc-chat/history?conversation=none').expect(400);
  });
});

describe('a mention', () => {
  const hire = async ({ browser }: Person, agentId: string) => {
    await browser.post('/api/user-agents/hire').send({ agentId }).expect(200);
    await browser.post('/api/user-agents/onboard').send({ agentId, tools: [] }).expect(200);
  };

  test('sends one message to its agent and does not move the conversation', async () => {
    const person = await signUpReady(server);
    await hire(person, 'mdr');
    expect((await say(person, 'help')).agentId).toBe('clinical_safety');
    const { body: listed } = await person.browser.get('/api/user-agents').expect(200);
    const { displayName } = listed.find((one: { agentId: string }) => one.agentId === 'mdr');
    expect((await say(person, `@${displayName} help`)).agentId).toBe('mdr');
    expect((await history(person)).spokenTo).toBe('clinical_safety');
    expect((await say(person, 'help again')).agentId).toBe('clinical_safety');
  });

  test('is not needed once the person talks to another agent in the conversation', async () => {
    const person = await signUpReady(server);
    await hire(person, 'mdr');
    const { conversation } = await history(person);
    const path = `/api/arc-chat/threads/${conversation}`;
    await person.browser.patch(path).send({ spokenTo: 'mdr' }).expect(200);
    expect((await say(person, 'help')).agentId).toBe('mdr');
    await person.browser.patch(path).send({ spokenTo: 'designer' }).expect(422);
  });
});

describe('feedback on an answer', () => {
  /** @shows PUT /api/arc-chat/messages/:messageId/feedback */
  test('is kept with a reason, changed and taken back', async () => {
    const person = await signUpReady(server);
    const { id } = await say(person, 'help');
    const give = (feedback: unknown) => person.browser.put(`/api/arc-chat/messages/${id}/feedback`).send({ feedback });
    const kept = async () => (await history(person)).messages.find((one) => one.id === id)?.feedback;
    expect((await give({ value: 'bad', reason: ' wrong rule ' }).expect(200)).body.feedback).toEqual({
      value: 'bad',
      reason: 'wrong rule',
    });
    expect(await kept()).toEqual({ value: 'bad', reason: 'wrong rule' });
    await give({ value: 'good' }).expect(200);
    expect(await kept()).toEqual({ value: 'good', reason: '' });
    await give(null).expect(200);
    expect(await kept()).toBeNull();
    await give({ value: 'bad', reason: 'x'.repeat(LIMITS.feedbackReason) }).expect(200);
    await give({ value: 'bad', reason: 'x'.repeat(LIMITS.feedbackReason + 1) }).expect(400);
    await give({ value: 'fine' }).expect(400);
  });

  test('is not taken for the person’s own message, for a colleague’s or a stranger’s chat, or for no message', async () => {
    const [person, colleague, stranger] = await Promise.all([
      signUpReady(server),
      signUpReady(server),
      signUpReady(server),
    ]);
    const { accountId } = person.user;
    await Member.create({ accountId, userId: colleague.user.id, roles: ['owner'] });
    await colleague.browser.post('/api/account/switch').send({ accountId }).expect(200);
    const { id } = await say(person, 'help');
    const own = (await history(person)).messages.find(({ messageType }) => messageType === 'user')?.id;
    const feedback = { value: 'good' };
    await person.browser.put(`/api/arc-chat/messages/${own}/feedback`).send({ feedback }).expect(404);
    for (const { browser } of [colleague, stranger])
      await browser.put(`/api/arc-chat/messages/${id}/feedback`).send({ feedback }).expect(404);
    await person.browser
      .put(`/api/arc-chat/messages/${'0'.repeat(24)}/feedback`)
      .send({ feedback })
      .expect(404);
  });
});

test('what a person’s schedules and calls start is said in the conversation that is open', async () => {
  const person = await signUpReady(server);
  await say(person, 'help');
  const begun = await start(person);
  const who = { accountId: person.user.accountId, userId: person.user.id };
  const open = await runInAccount(who.accountId, () => openChat(who));
  expect(String(open._id)).toBe(begun.id);
});
