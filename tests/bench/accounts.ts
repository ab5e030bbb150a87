import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BenchRow, percentile } from './row.ts';

const CLIENTS = 8;
const ACCOUNTS = 16;
const OPERATIONS = 10_000;
const ALONE = 1000;
const USERS = 10_000;
const READS = 40;
const FIRST_ACCOUNT = 1000;

/** Runs numbered work with several clients at once. @returns how many a second */
async function rate(count: number, clients: number, work: (at: number) => Promise<unknown>): Promise<number> {
  let next = 0;
  const begun = performance.now();
  await Promise.all(
    Array.from({ length: clients }, async () => {
      while (next < count) await work(next++);
    }),
  );
  return (count / (performance.now() - begun)) * 1000;
}

/** Measures the ledger on the embedded store, whether it adds up after mixed work, and the list of 10,000 users. */
export async function benchAccounts(): Promise<BenchRow[]> {
  const directory = mkdtempSync(join(tmpdir(), 'arc-accounts-'));
  Object.assign(process.env, { DATA_DIR: directory, LOG_LEVEL: 'fatal' });
  const { connectStore, ensureIndexes } = await import('../../models/store/connect.ts');
  const { runInAccount } = await import('../../models/store/context.ts');
  const { LedgerEntry } = await import('../../models/ledgerEntry.ts');
  const { User } = await import('../../models/user.ts');
  const { Member } = await import('../../models/member.ts');
  const credits = await import('../../bot/engine/credits/credits.ts');
  const { readUserStatistics } = await import('../../bot/engine/accounts/adminFigures.ts');
  const store = await connectStore();
  await ensureIndexes();
  const charge = (accountId: number, at: number) => ({
    ...{ accountId, runId: `run-${at}`, agentId: 'clinical_safety', channel: 'arc', userId: 1 },
  });
  /** A grant, a reservation, what it cost, or the same grant again: by turns, and the last two change nothing twice. */
  const mixed = (accountId: number, at: number) =>
    runInAccount(accountId, async () => {
      const kind = at % 4;
      if (kind === 0) return credits.grantCredits(accountId, 100, `grant-${at}`, 'Bench');
      if (kind === 1) return credits.reserveCredits(charge(accountId, at), 30, 'Bench').catch(() => null);
      if (kind === 2) return credits.settleCredits(charge(accountId, at - 1), 30, 20, 'Bench').catch(() => null);
      return credits.grantCredits(accountId, 100, `grant-${at - 3}`, 'Bench');
    });
  try {
    const spread = await rate(OPERATIONS, ACCOUNTS * CLIENTS, (at) =>
      runInAccount(FIRST_ACCOUNT + (at % ACCOUNTS), () =>
        credits.grantCredits(FIRST_ACCOUNT + (at % ACCOUNTS), 1, `spread-${at}`, 'Bench'),
      ),
    );
    const alone = await rate(ALONE, CLIENTS, (at) =>
      runInAccount(1, () => credits.grantCredits(1, 1, `alone-${at}`, 'Bench')),
    );
    await rate(OPERATIONS, CLIENTS, (at) => mixed(FIRST_ACCOUNT + (Math.floor(at / 4) % ACCOUNTS), at));
    let isExact = true;
    for (let accountId = FIRST_ACCOUNT; accountId < FIRST_ACCOUNT + ACCOUNTS; accountId += 1)
      await runInAccount(accountId, async () => {
        const rows = await LedgerEntry.find({ accountId }).lean();
        const sum = rows.reduce((total, { amount }) => total + amount, 0);
        const { tokensRemaining, tokensUsed } = await credits.readBalance(accountId);
        const granted = rows.reduce((total, { kind, amount }) => total + (kind === 'grant' ? amount : 0), 0);
        isExact &&= sum === tokensRemaining && granted - sum === tokensUsed;
        isExact &&= new Set(rows.map(({ key }) => key)).size === rows.length;
      });
    const users = Array.from({ length: USERS }, (_, at) => ({
      ...{ _id: at + 1, email: `user${at}@example.org`, firstName: 'Ada', lastName: `Okafor ${at}` },
    }));
    await User.insertMany(users as never[]);
    await Member.insertMany(users.map(({ _id }) => ({ userId: _id, accountId: _id + 100_000, roles: ['owner'] })));
    const took: number[] = [];
    for (let at = 0; at < READS; at += 1) {
      const begun = performance.now();
      await readUserStatistics({ page: at + 1, sort: 'joined', direction: 'descending' });
      took.push(performance.now() - begun);
    }
    const p95 = percentile(took, 0.95);
    const whole = (value: number) => Math.round(value).toLocaleString('en-GB');
    return [
      { name: 'ledger over 16 accounts', value: `${whole(spread)}/s`, limit: '≥ 1,000/s', ok: spread >= 1000 },
      { name: 'ledger of one account', value: `${whole(alone)}/s`, limit: '≥ 150/s', ok: alone >= 150 },
      {
        name: 'ledger after 10,000 mixed operations of 8 clients',
        value: isExact ? 'adds up' : 'does not add up',
        limit: 'adds up',
        ok: isExact,
      },
      { name: 'a page of 10,000 users, p95', value: `${whole(p95)} ms`, limit: '≤ 200 ms', ok: p95 <= 200 },
    ];
  } finally {
    await store.close();
    rmSync(directory, { recursive: true, force: true });
  }
}
