import { afterAll, beforeAll, expect, test } from '@jest/globals';
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

test('a message without a callback is heard like any other', async () => {
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
  ['a message that is no text', [{ message: { $ne: 1 } }, 'CALLBACK']],
  ['a callback that is none', [{ message: 'help' }, { call: 1 }]],
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
