import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { arcAddress, openConversation } from '../../bot/engine/conversations/conversations.ts';
import { channelNamed } from '../../bot/engine/delivery/channel.ts';
import { say } from '../../bot/engine/delivery/say.ts';
import { Member } from '../../models/member.ts';
import { runInAccount } from '../../models/store/context.ts';
import { announce } from '../../models/store/revisions.ts';
import { eventually, type Person, signUpReady } from '../factories/person.ts';
import { type Server, startServer } from '../factories/server.ts';

let server: Server;
let person: Person;

beforeAll(async () => {
  server = await startServer();
  person = await signUpReady(server);
});
afterAll(() => server.stop());

const history = async () => (await person.browser.get('/api/arc-chat/history?limit=200').expect(200)).body.messages;

test('a message without a callback is processed like any other', async () => {
  const socket = await server.socket(person.cookie);
  (socket as unknown as { emit(...frame: unknown[]): void }).emit('send', { message: 'help, and no callback' });
  await eventually(
    async () => (await history()).some((it: { message: string }) => it.message === 'help, and no callback'),
    'the message',
  );
});

test.each([
  ['nothing', []],
  ['null', [null]],
  ['a callback alone', ['CALLBACK']],
  ['a text', ['analyse', 'CALLBACK']],
  ['a message that is not text', [{ message: { $ne: 1 } }, 'CALLBACK']],
  ['an invalid callback', [{ message: 'help' }, { call: 1 }]],
  ['bytes', [Buffer.alloc(1024), 'CALLBACK']],
  ['many parts', [...Array(100).fill({ message: ' ' }), 'CALLBACK']],
])('a frame of %s does not end the conversation', async (_what, parts) => {
  const socket = await server.socket(person.cookie);
  const answered = new Promise<unknown>((resolve) => {
    const frame = parts.map((part) => (part === 'CALLBACK' ? resolve : part));
    (socket as unknown as { emit(...frame: unknown[]): void }).emit('send', ...frame);
    if (!parts.includes('CALLBACK' as never)) resolve(null);
  });
  const answer = await answered;
  if (answer) expect(answer).toEqual({ success: false, error: expect.any(String) });
  expect(await socket.emitWithAck('send', { message: 'thanks' })).toMatchObject({ success: true });
});

test('a frame for another company’s conversation is refused, and adds nothing to it', async () => {
  const stranger = await signUpReady(server);
  const { body } = await person.browser.get('/api/arc-chat/history?limit=200').expect(200);
  const socket = await server.socket(stranger.cookie);
  const answer = await socket.emitWithAck('send', { message: 'from a stranger', conversation: body.conversation });
  expect(answer).toEqual({ success: false, error: expect.any(String) });
  expect((await history()).length).toBe(body.messages.length);
  expect(await socket.emitWithAck('send', { message: 'help' })).toMatchObject({ success: true });
});

test('messages and progress reach only the person’s own browsers; changes and questions reach the company; nothing reaches others', async () => {
  const { accountId } = person.user;
  const [colleague, stranger] = await Promise.all([signUpReady(server), signUpReady(server)]);
  await Member.create({ accountId, userId: colleague.user.id, roles: ['member'] });
  const switched = await colleague.browser.post('/api/account/switch').send({ accountId }).expect(200);
  const cookies = {
    own: person.cookie,
    again: person.cookie,
    colleague: String(/arc\.sid=[^;]+/.exec(String(switched.headers['set-cookie']))),
    stranger: stranger.cookie,
  };
  const heard: Record<string, string[]> = {};
  const sockets: Record<string, Awaited<ReturnType<Server['socket']>>> = {};
  for (const [name, cookie] of Object.entries(cookies)) {
    const kinds: string[] = [];
    heard[name] = kinds;
    const socket = await server.socket(cookie);
    sockets[name] = socket;
    socket.on('message', ({ message }) => void (message === 'for Ada alone' && kinds.push('message')));
    socket.on('progress', () => void kinds.push('progress'));
    socket.on('changed', (topics) => void (topics.includes('automation') && kinds.push('changed')));
    socket.on('asked', () => void kinds.push('asked'));
  }
  const arc = channelNamed('arc');
  await runInAccount(accountId, async () => {
    const conversation = await openConversation(accountId, arcAddress(person.user.id));
    await say(conversation, { key: 'one', kind: 'text', text: 'for Ada alone' });
    arc?.progress(conversation, { runId: 'r' } as never);
    // Each process announces a question once, so its id must be new to this process.
    const asked = { id: 9_000_000 + accountId, prompt: 'Who?' };
    await arc?.ask(asked as never, { accountId, surface: 'inbox' } as never, null);
  });
  announce(accountId, ['automation']);
  // It is refused, and its answer comes after those of all earlier frames.
  for (const socket of Object.values(sockets)) await socket.emitWithAck('send', {} as never);
  expect(heard).toEqual({
    own: ['message', 'progress', 'asked', 'changed'],
    again: ['message', 'progress', 'asked', 'changed'],
    colleague: ['asked', 'changed'],
    stranger: [],
  });
});
