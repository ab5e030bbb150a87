import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { examine, fault, hint, ok } from '../../api/commands/doctor/check.ts';
import { outsideChecks } from '../../api/commands/doctor/outside.ts';
import { paymentChecks } from '../../api/commands/doctor/payments.ts';
import { judgeSpace, serverChecks } from '../../api/commands/doctor/server.ts';
import { judgeClock, judgeSeals, judgeSecrets, judgeWalk, judgeWork } from '../../api/commands/doctor/store.ts';
import { parseEnvironment } from '../../models/env.ts';
import { startModelServer } from '../fakes/model/server.ts';
import { PRICES } from '../fakes/stripe/books.ts';
import { startStripe } from '../fakes/stripe/index.ts';
import { runCommand } from './runCommand.ts';

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'arc-doctor-'));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const linesOf = async (checks: Parameters<typeof examine>[0], subject: string) =>
  (await examine(checks.filter((one) => one.subject === subject))).lines;
const given = (more: Record<string, string>) => parseEnvironment({ DATA_DIR: directory, ...more });

test('the command says what it found, and ends with an error where something is to be mended', async () => {
  const well = await runCommand(directory, ['doctor']);
  expect(well).toMatchObject({ code: 0, said: expect.stringContaining('Nothing to mend.') });
  expect(well.said).toMatch(/^ok {5}Store: embedded, answers in \d+ ms, 0 accounts$/m);
  expect(well.said).toMatch(
    /^ok {5}Data: \d+ documents and \d+ index entries of \d+ collections were read, none is damaged$/m,
  );
  const ill = await runCommand(directory, ['doctor'], { HOST: '0.0.0.0' });
  expect(ill).toMatchObject({ code: 1, said: expect.stringContaining('FAULT  Address: 0.0.0.0:3000 is not https') });
  expect((await runCommand(directory, ['doctor', 'me'])).code).toBe(2);
}, 60_000);

describe('an examination', () => {
  test('marks each finding, says what to do, and goes on after a check that throws', async () => {
    const { lines, isWell } = await examine([
      { subject: 'A', look: async () => [ok('fine'), hint('soon', 'Do that.')] },
      { subject: 'B', look: () => Promise.reject(new Error('gone')) },
      { subject: 'C', look: async () => [fault('ill', 'Mend it.')] },
    ]);
    expect(lines).toEqual([
      'ok     A: fine',
      'hint   A: soon\n        Do that.',
      'FAULT  B: gone\n        Mend this first; the other checks may depend on it.',
      'FAULT  C: ill\n        Mend it.',
    ]);
    expect(isWell).toBe(false);
    expect((await examine([{ subject: 'A', look: async () => [hint('soon')] }])).isWell).toBe(true);
  });
});

describe('the machine', () => {
  test('needs room on its disk', () => {
    const level = (gib: number) => judgeSpace(gib * 2 ** 30, '/data').level;
    expect([level(0.99), level(1), level(4.99), level(5)]).toEqual(['fault', 'hint', 'hint', 'ok']);
  });

  test.each([
    [{}, 'ok     Address: for this machine alone, port 3000'],
    [{ BASE_URL: 'https://arc.example.org', HOST: '0.0.0.0' }, 'ok     Address: https://arc.example.org'],
    [{ BASE_URL: 'http://arc.example.org' }, 'FAULT  Address: http://arc.example.org is not https'],
  ])('has an address that is safe: %j', async (environment, line) => {
    expect((await linesOf(serverChecks(given(environment as Record<string, string>)), 'Address'))[0]).toContain(line);
  });

  test('keeps its keys to itself', async () => {
    const file = join(directory, 'keys.json');
    writeFileSync(file, '{}');
    chmodSync(file, 0o640);
    const keys = () => linesOf(serverChecks(given({})), 'Keys');
    expect((await keys())[0]).toMatch(/^FAULT {2}Keys: .*keys\.json can be read by others\./);
    chmodSync(file, 0o600);
    expect((await keys())[0]).toMatch(/^ok {5}Keys: in /);
    rmSync(file);
  });

  test('names keys.json for the encryption key only where that key is in it', async () => {
    const file = join(directory, 'keys.json');
    writeFileSync(file, '{}', { mode: 0o600 });
    const keys = (more: Record<string, string> = {}) => linesOf(serverChecks(given(more)), 'Keys');
    const ENCRYPTION_KEY = 'a'.repeat(64);
    expect((await keys())[1]).toContain(`Keep a copy of ${file} apart`);
    const [where, copy] = await keys({ ENCRYPTION_KEY });
    expect(where).toBe(`ok     Keys: ENCRYPTION_KEY is set; the secret of sessions is in ${file}`);
    expect(copy).toContain('Keep a copy of ENCRYPTION_KEY apart');
    const both = await keys({ ENCRYPTION_KEY, SESSION_SECRET: 's'.repeat(32) });
    expect(both.join(' ')).not.toContain('keys.json');
    rmSync(file);
  });
});

describe('the store', () => {
  test('has nothing that is damaged', () => {
    const walk = { collections: 2, documents: 30, entries: 60 };
    expect(judgeWalk({ ...walk, faults: [] })).toEqual({
      level: 'ok',
      text: '30 documents and 60 index entries of 2 collections were read, none is damaged',
    });
    const found = judgeWalk({
      ...walk,
      faults: Array.from({ length: 12 }, (_, i) => `users: document ${i} is damaged`),
    });
    expect(found).toMatchObject({ level: 'fault', mend: expect.stringContaining('npm run restore') });
    expect(found.text).toMatch(/Damaged: users: document 0 is damaged; .*document 9 is damaged, and 2 more\.$/);
  });

  test('says which document of a damaged file can’t be read', async () => {
    const damaged = mkdtempSync(join(tmpdir(), 'arc-damaged-'));
    expect((await runCommand(damaged, ['seed'])).code).toBe(0);
    const file = join(damaged, 'store', 'store.mdb');
    const bytes = readFileSync(file);
    for (let at = bytes.indexOf('Quillmere'); at >= 0; at = bytes.indexOf('Quillmere', at + 1)) bytes[at]! ^= 1;
    writeFileSync(file, bytes);
    const ill = await runCommand(damaged, ['doctor']);
    expect(ill).toMatchObject({
      code: 1,
      said: expect.stringMatching(/FAULT {2}Data: .*Damaged: .*\w: document \d+ is damaged/),
    });
    rmSync(damaged, { recursive: true, force: true });
  }, 60_000);

  test('has a clock that agrees to five seconds', () => {
    expect([5000, -5000, null].map((skew) => judgeClock(skew).level)).toEqual(['ok', 'ok', 'ok']);
    expect([5001, -5001].map((skew) => judgeClock(skew).level)).toEqual(['fault', 'fault']);
  });

  test('has secrets that this server can open', () => {
    expect(judgeSecrets({ secrets: 2, lost: [] })).toMatchObject({ level: 'ok', text: '2 can be opened' });
    expect(judgeSecrets({ secrets: 2, lost: ['deadbeef'] })).toMatchObject({
      level: 'fault',
      text: expect.stringContaining('deadbeef'),
    });
  });

  test('has audit chains whose seals are this server’s', () => {
    expect(judgeSeals({ chains: 2, broken: [], needRetired: [] }).level).toBe('ok');
    expect(judgeSeals({ chains: 2, broken: [], needRetired: [2] })).toMatchObject({
      level: 'hint',
      mend: expect.stringContaining('npm run keys:reencrypt'),
    });
    const many = Array.from({ length: 12 }, (_, at) => at + 1);
    const found = judgeSeals({ chains: 12, broken: many, needRetired: [] });
    expect(found).toMatchObject({ level: 'fault', mend: expect.stringContaining('npm run audit:verify') });
    expect(found.text).toContain('accounts 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 2 more');
  });

  test('has no work that nobody carries on', () => {
    expect(judgeWork({ turns: 0, runs: 0, failed: 0 }).map(({ level }) => level)).toEqual(['ok']);
    expect(judgeWork({ turns: 1, runs: 0, failed: 2 }).map(({ level }) => level)).toEqual(['fault', 'hint']);
    expect(judgeWork({ turns: 0, runs: 1, failed: 0 })[0]?.text).toContain('0 messages and 1 runs');
  });
});

describe('services outside', () => {
  test('that are not set up are off, not at fault', async () => {
    const { lines, isWell } = await examine(outsideChecks(given({})));
    expect(isWell).toBe(true);
    expect(lines.map((line) => line.split('\n')[0])).toEqual([
      'hint   Mail: off: codes and invitations are shown or told, not mailed.',
      'ok     Model: none: the built-in engine answers alone',
    ]);
  });

  test('are asked: a model that answers, and one that refuses the key', async () => {
    const model = await startModelServer(() => ({ text: 'Yes.' }));
    const line = async (more: object) =>
      (await linesOf(outsideChecks(given({ ...model.environment, ...more })), 'Model'))[0];
    expect(await line({})).toBe('ok     Model: openai-compatible:small-model answers');
    expect(await line({ OPENAI_API_KEY: 'wrong' })).toMatch(
      /^FAULT {2}Model: openai-compatible:small-model does not answer: /,
    );
    await model.stop();
  });

  test('are asked: a mail server that is not there is a fault', async () => {
    const port = await new Promise<number>((resolve) => {
      const server = createServer().listen(0, '127.0.0.1', () => {
        const { port: free } = server.address() as { port: number };
        server.close(() => resolve(free));
      });
    });
    const lines = await linesOf(outsideChecks(given({ SMTP_URL: `smtp://127.0.0.1:${port}` })), 'Mail');
    expect(lines[0]).toMatch(/^FAULT {2}Mail: The mail server refuses: /);
  });
});

describe('payments', () => {
  test('are off without Stripe’s keys', async () => {
    expect((await linesOf(paymentChecks(given({})), 'Payments'))[0]).toContain('hint   Payments: off');
  });

  test('need both prices, active and paid every month', async () => {
    const stripe = await startStripe();
    const lines = async (more: Record<string, string> = {}) =>
      (await linesOf(paymentChecks(given({ ...stripe.environment, ...more })), 'Payments')).map(
        (line) => line.split('\n')[0],
      );
    const pro = stripe.prices.get(PRICES.pro);
    const proIs = async (change: object) => {
      stripe.prices.set(PRICES.pro, { ...pro, ...change } as never);
      const said = (await lines())[1];
      stripe.prices.set(PRICES.pro, pro as never);
      return said;
    };
    const WELL = `ok     Payments: Starter (${PRICES.starter}) is $19/month at Stripe`;
    expect(await lines()).toEqual([WELL, `ok     Payments: Pro (${PRICES.pro}) is $49/month at Stripe`]);
    expect(await proIs({ active: false })).toContain('FAULT  Payments: The price of Pro (price_pro_month) is archived');
    for (const recurring of [null, { interval: 'year', interval_count: 1 }, { interval: 'month', interval_count: 3 }])
      expect(await proIs({ recurring })).toContain(
        'FAULT  Payments: The price of Pro (price_pro_month) is not paid every',
      );
    expect(await proIs({ unit_amount: 4800 })).toContain('hint   Payments: Pro (price_pro_month) is 48 USD at Stripe');
    expect(await proIs({ currency: 'gbp' })).toContain('is 49 GBP at Stripe');
    expect(await proIs({ unit_amount: null })).toContain('is no fixed amount at Stripe');
    expect((await lines({ STRIPE_PRICE_PRO: 'price_none' }))[1]).toContain(
      'FAULT  Payments: Stripe has no price for Pro',
    );
    expect((await lines({ STRIPE_PRICE_PRO: PRICES.starter }))[0]).toContain('have the same price');
    expect((await lines({ STRIPE_SECRET_KEY: 'sk_wrong' }))[0]).toContain('does not let this key read');
    stripe.fail(500, 1);
    expect((await lines()).some((line) => line?.includes('Stripe answers 500'))).toBe(true);
    await stripe.stop();
    expect(await lines()).toEqual(Array(2).fill('FAULT  Payments: Stripe does not answer.'));
  });
});
