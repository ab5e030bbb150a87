import { randomInt, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Types } from 'mongoose';
import { grantCredits, readBalance, reserveCredits } from '../../bot/engine/credits/credits.ts';
import { LedgerEntry, ledger } from '../../models/ledgerEntry.ts';
import { Run } from '../../models/run.ts';
import { runInAccount } from '../../models/store/context.ts';
import { eventually, signUpReady } from '../factories/person.ts';
import { type Server, startServer } from '../factories/server.ts';

let server: Server;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

/** Accounts that nobody else has used in this process. */
const newAccount = () => randomInt(1_000_000, 2 ** 40);
const ACCOUNTS = { sixty: newAccount(), standing: newAccount(), elsewhere: newAccount() };

const reserve = (accountId: number, runId: string) =>
  reserveCredits({ accountId, runId, agentId: 'clinical_safety', channel: 'arc' }, 10, 'test');

test('of sixty reservations at once, exactly those that the balance covers succeed', () =>
  runInAccount(ACCOUNTS.sixty, async () => {
    await grantCredits(ACCOUNTS.sixty, 100, 'grant', 'test');
    const asked = await Promise.allSettled(
      Array.from({ length: 60 }, (_, index) => reserve(ACCOUNTS.sixty, `run-${index}`)),
    );
    const refused = asked.flatMap((it) => (it.status === 'rejected' ? [it.reason] : []));
    expect(refused).toHaveLength(50);
    expect(refused[0]).toMatchObject({ code: 'out_of_credit', values: { remaining: 0, needed: 10 } });
    expect(await readBalance(ACCOUNTS.sixty)).toEqual({ tokensRemaining: 0, tokensUsed: 100 });
    const rows = await LedgerEntry.find({ accountId: ACCOUNTS.sixty }).sort({ seq: 1 }).lean();
    expect(rows.map(({ seq }) => seq)).toEqual(Array.from({ length: 11 }, (_, index) => index + 1));
    expect(rows.every(({ balanceAfter }) => balanceAfter >= 0)).toBe(true);
  }));

test('an existing reservation is returned again, even with no credits left', () =>
  runInAccount(ACCOUNTS.standing, async () => {
    await grantCredits(ACCOUNTS.standing, 10, 'grant', 'test');
    const first = await reserve(ACCOUNTS.standing, 'one');
    expect(await reserve(ACCOUNTS.standing, 'one')).toMatchObject({ seq: first.seq });
    await expect(reserve(ACCOUNTS.standing, 'two')).rejects.toMatchObject({ code: 'out_of_credit' });
  }));

test('credits granted by another process count before this one is notified', () =>
  runInAccount(ACCOUNTS.elsewhere, async () => {
    await grantCredits(ACCOUNTS.elsewhere, 5, 'grant', 'test');
    await expect(reserve(ACCOUNTS.elsewhere, 'one')).rejects.toMatchObject({ code: 'out_of_credit' });
    const head = await ledger.head(ACCOUNTS.elsewhere);
    await LedgerEntry.create({
      ...head,
      _id: new Types.ObjectId(),
      seq: 2,
      key: 'elsewhere',
      amount: 50,
      balanceAfter: 55,
    });
    expect(await reserve(ACCOUNTS.elsewhere, 'two')).toMatchObject({ seq: 3, balanceAfter: 45 });
  }));

test('sixty questions at once never bring the balance below zero, and refused ones are not run later', async () => {
  const { browser, user } = await signUpReady(server);
  const inAccount = <T>(work: () => Promise<T>) => runInAccount(user.accountId, work);
  await inAccount(() =>
    ledger.append(user.accountId, { key: 'spent', kind: 'reserve', amount: -49_950, note: 'test' }),
  );
  const send = () =>
    browser.post('/api/arc-chat/send').send({ message: 'What is the risk matrix?', clientId: randomUUID() });
  await Promise.all(Array.from({ length: 60 }, send));
  const { Message } = await import('../../models/message.ts');
  await eventually(
    async () => (await inAccount(() => Message.countDocuments({ messageType: 'assistant' }))) === 60,
    'every question to be answered or refused',
  );
  expect(await inAccount(() => Message.countDocuments({ kind: 'refused' }))).toBe(55);
  expect((await inAccount(() => LedgerEntry.find({ balanceAfter: { $lt: 0 } }).lean())).length).toBe(0);
  expect(await inAccount(() => Run.countDocuments({}))).toBe(5);
});

describe('free work is done whatever the balance', () => {
  const FREE = [
    'help',
    'hello',
    'thanks!',
    'What can you do?',
    'Is it safe?',
    'Change the severity of QM-04',
    'Which hazards are overdue?',
    'What is our coverage?',
    'tell me a joke',
    'Show me the new hazards',
  ];
  const PAID = 'What is the risk matrix?';

  test.each([0, 9, 10])('with %i credits', async (credits) => {
    const { browser, user } = await signUpReady(server);
    const { Message } = await import('../../models/message.ts');
    const inAccount = <T>(work: () => Promise<T>) => runInAccount(user.accountId, work);
    await inAccount(() =>
      ledger.append(user.accountId, { key: 'spent', kind: 'reserve', amount: credits - 50_000, note: 'test' }),
    );
    const say = async (message: string, answers: number) => {
      await browser.post('/api/arc-chat/send').send({ message, clientId: randomUUID() }).expect(200);
      await eventually(
        async () => (await inAccount(() => Message.countDocuments({ messageType: 'assistant' }))) >= answers,
        `an answer to “${message}”`,
      );
    };
    const texts = () => inAccount(() => Message.find({ messageType: 'assistant' }).sort({ createdAt: 1 }).lean());
    for (const [at, message] of FREE.entries()) await say(message, at + 1);
    for (const { text } of await texts()) expect(text).not.toMatch(/credits/);
    expect(await inAccount(() => readBalance(user.accountId))).toMatchObject({ tokensRemaining: credits });
    await say(PAID, FREE.length + 1);
    const last = (await texts()).at(-1);
    if (credits < 10) expect([last?.kind, last?.text]).toEqual(['refused', expect.stringMatching(/credits/)]);
    else expect([last?.kind, last?.text]).toEqual(['text', expect.stringMatching(/NHS 5x5/)]);
    await eventually(
      async () => (await inAccount(() => readBalance(user.accountId))).tokensRemaining === credits % 10,
      'the ledger to be settled',
    );
  });
});
