import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { grantCredits, readBalance } from '../../bot/engine/credits/credits.ts';
import type { ChatMessage } from '../../models/contracts/chat.ts';
import type { Topic } from '../../models/contracts/realtime.ts';
import { LedgerEntry, ledger } from '../../models/ledgerEntry.ts';
import { runInAccount } from '../../models/store/context.ts';
import { eventually, messageOfKind, type Person, signUp, signUpReady } from '../factories/person.ts';
import { type Server, startServer } from '../factories/server.ts';

let server: Server;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

const history = async ({ browser }: Person, query = '') =>
  (await browser.get(`/api/arc-chat/history${query}`).expect(200)).body as {
    messages: ChatMessage[];
    hasMore: boolean;
    count: number;
  };
const send = ({ browser }: Person, message: string, clientId?: string) =>
  browser.post('/api/arc-chat/send').send({ message, sessionId: 'chat_1', clientId });
const reply = (person: Person, to: string) =>
  eventually(async () => {
    const { messages } = await history(person);
    const at = messages.findIndex(({ message, messageType }) => messageType === 'user' && message === to);
    return at > 0 ? messages[at - 1] : null;
  }, `a reply to ${to}`);

describe('sending a message', () => {
  test('is acknowledged with the message’s id and answered by the agent', async () => {
    const person = await signUpReady(server);
    const { body } = await send(person, 'help').expect(200);
    expect(body).toEqual({ success: true, messageId: expect.stringMatching(/^[0-9a-f]{24}$/) });
    const answer = await reply(person, 'help');
    expect(answer).toMatchObject({ messageType: 'assistant', agentId: 'clinical_safety', kind: 'text' });
    expect(answer.message).toContain('I never set a severity');
    const { messages } = await history(person);
    expect(messages.find(({ messageType }) => messageType === 'user')?.id).toBe(body.messageId);
  });

  test('costs nothing where it is small talk, help, a refusal, or not understood', async () => {
    const person = await signUpReady(server);
    const free = [
      'Thanks!',
      'help',
      'Are you an AI?',
      'What is waiting for me?',
      'Set the severity of H1 to 4',
      'Welche Fragen sind noch offen?',
      'Is our product safe?',
      'banana',
    ];
    for (const message of free) {
      await send(person, message);
      expect((await reply(person, message)).kind).toBe('text');
    }
    const rows = await runInAccount(person.user.accountId, () =>
      LedgerEntry.find({ accountId: person.user.accountId }).lean(),
    );
    expect(rows.filter(({ kind, amount }) => kind !== 'grant' && amount !== 0)).toEqual([]);
    expect(rows.at(-1)?.balanceAfter).toBe(50_000);
    expect((await person.browser.get('/api/user/tokens/balance')).body.balance.tokensUsed).toBe(0);
  });

  /** @shows POST /api/arc-chat/send */
  test('costs ten credits, which the ledger shows', async () => {
    const person = await signUpReady(server);
    await send(person, 'What is the risk matrix?');
    await reply(person, 'What is the risk matrix?');
    await eventually(
      async () => (await person.browser.get('/api/user/tokens/balance')).body.balance.tokensUsed === 10,
      'ten credits used',
    );
    const rows = await runInAccount(person.user.accountId, () =>
      LedgerEntry.find({ accountId: person.user.accountId }).sort({ seq: 1 }).lean(),
    );
    expect(rows.map(({ kind, amount, balanceAfter }) => ({ kind, amount, balanceAfter }))).toEqual([
      { kind: 'grant', amount: 50_000, balanceAfter: 50_000 },
      { kind: 'reserve', amount: -10, balanceAfter: 49_990 },
    ]);
  });

  test('five times with one client id is one message with one answer', async () => {
    const person = await signUpReady(server);
    const answers = await Promise.all(Array.from({ length: 5 }, () => send(person, 'hello', 'made-by-the-page')));
    expect(new Set(answers.map(({ body }) => body.messageId)).size).toBe(1);
    await reply(person, 'hello');
    const { messages } = await history(person);
    expect(messages).toHaveLength(2);
  });

  test('forty times at once gets forty answers, and the ledger has no gap', async () => {
    const person = await signUpReady(server);
    const words = Array.from({ length: 40 }, (_, index) => `Explain the matrix of hazard ${index}`);
    await Promise.all(words.map((message) => send(person, message).expect(200)));
    await eventually(async () => (await history(person, '?limit=200')).messages.length === 80, '80 messages');
    const { accountId } = person.user;
    const rows = await runInAccount(accountId, () => LedgerEntry.find({ accountId }).sort({ seq: 1 }).lean());
    expect(rows.map(({ seq }) => seq)).toEqual(Array.from({ length: 41 }, (_, index) => index + 1));
    expect(rows.at(-1)?.balanceAfter).toBe(50_000 - 400);
  });

  test('is refused if blank or too long', async () => {
    const person = await signUpReady(server);
    expect((await send(person, '   ')).body.fields).toEqual({ message: 'Please write a message.' });
    expect((await send(person, 'x'.repeat(8001))).status).toBe(400);
  });

  test('needs arc-chat switched on', async () => {
    const person = await signUp(server);
    await person.browser.post('/api/integrations/toggle').send({ integrationId: 'arc-chat', enabled: false });
    expect((await send(person, 'hello')).body.code).toBe('channel_off');
  });

  test('without an onboarded agent gets told what to do', async () => {
    const person = await signUp(server);
    await person.browser.post('/api/integrations/toggle').send({ integrationId: 'arc-chat', enabled: true });
    await send(person, 'hello').expect(200);
    expect((await messageOfKind(person, 'refused')).message).toContain('Complete its onboarding first');
  });

  test('without credits gets told so in the chat, and costs nothing', async () => {
    const person = await signUpReady(server);
    const { accountId } = person.user;
    await runInAccount(accountId, () =>
      ledger.append(accountId, { key: 'spent', kind: 'reserve', amount: -49_995, note: 'test' }),
    );
    await send(person, 'Explain the matrix').expect(200);
    expect((await messageOfKind(person, 'refused')).message).toContain('5 remain and 10 are needed');
    await runInAccount(accountId, () => grantCredits(accountId, 100, 'more', 'test'));
    await send(person, 'help').expect(200);
    await reply(person, 'help');
    expect(await runInAccount(accountId, () => readBalance(accountId))).toMatchObject({ tokensRemaining: 105 });
  });
});

describe('the chat history', () => {
  /** @shows GET /api/arc-chat/history */
  test('is newest first and pages backwards', async () => {
    const person = await signUpReady(server);
    for (const word of ['help', 'hello', 'hi']) {
      await send(person, word);
      await reply(person, word);
    }
    const first = await history(person, '?limit=4');
    expect(first).toMatchObject({ count: 4, hasMore: true });
    expect(first.messages[1]?.message).toBe('hi');
    const rest = await history(person, `?limit=4&before=${first.messages.at(-1)?.id}`);
    expect(rest).toMatchObject({ count: 2, hasMore: false });
    expect(rest.messages.at(-1)?.message).toBe('help');
  });

  test('is answered 304 until something changes, for each person separately', async () => {
    const person = await signUpReady(server);
    const first = await person.browser.get('/api/arc-chat/history').expect(200);
    const { etag = '' } = first.headers as Record<string, string>;
    await person.browser.get('/api/arc-chat/history').set('If-None-Match', etag).expect(304);
    await send(person, 'help');
    await reply(person, 'help');
    await person.browser.get('/api/arc-chat/history').set('If-None-Match', etag).expect(200);
    const other = await signUpReady(server);
    await other.browser.get('/api/arc-chat/history').set('If-None-Match', etag).expect(200);
  });

  test('is separate for each person', async () => {
    const person = await signUpReady(server);
    await send(person, 'hello');
    await reply(person, 'hello');
    expect((await history(await signUpReady(server))).messages).toEqual([]);
  });
});

describe('the chat socket', () => {
  test('carries messages and answers, and announces changes', async () => {
    const person = await signUpReady(server);
    const socket = await server.socket(person.cookie);
    const said: ChatMessage[] = [];
    const topics = new Set<Topic>();
    socket.on('message', (message) => said.push(message));
    socket.on('changed', (changed) => {
      for (const topic of changed) topics.add(topic);
    });
    const acknowledged = await new Promise<{ success: boolean }>((resolve) =>
      socket.emit('send', { message: 'help' }, resolve),
    );
    expect(acknowledged.success).toBe(true);
    await eventually(async () => said.some(({ messageType }) => messageType === 'assistant'), 'the answer by socket');
    expect(topics).toContain('chat');
  });

  test('is refused to signed-out people, and to another site’s page', async () => {
    await expect(server.socket('')).rejects.toThrow();
  });

  test('hears nothing of another account', async () => {
    const [mine, other] = await Promise.all([signUpReady(server), signUpReady(server)]);
    const socket = await server.socket(other.cookie);
    const heard: unknown[] = [];
    socket.onAny((...event) => heard.push(event));
    await send(mine, 'help');
    await reply(mine, 'help');
    expect(heard).toEqual([]);
  });
});

describe('a turn that a crash left unfinished', () => {
  test('is processed if it has no run yet, and not repeated if it has one', async () => {
    const { sweepTurns } = await import('../../bot/engine/turns/sweepTurns.ts');
    const { Turn } = await import('../../models/turn.ts');
    const person = await signUpReady(server);
    const { accountId } = person.user;
    const { body } = await send(person, 'help');
    await reply(person, 'help');
    const again = (change: object) =>
      runInAccount(accountId, () => Turn.updateOne({ _id: body.messageId }, { $set: { status: 'stored', ...change } }));
    await again({});
    await sweepTurns();
    await eventually(
      async () =>
        (await runInAccount(accountId, () => Turn.findOne({ _id: body.messageId }).lean()))?.status === 'done',
      'the turn to be noted',
    );
    expect((await history(person)).messages).toHaveLength(2);
  });
});
