import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { LedgerEntry, ledger } from '../../models/ledgerEntry.ts';
import { makeChain } from '../../models/store/appendOnly.ts';
import { runInAccount } from '../../models/store/context.ts';
import { announce } from '../../models/store/revisions.ts';
import { signUp } from '../factories/person.ts';
import { type Server, startServer } from '../factories/server.ts';

let server: Server;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

test('a row that another process appends is the head here after its change notice', async () => {
  const { user, browser } = await signUp(server);
  const { accountId } = user;
  const spend = (chain: typeof ledger, key: string) =>
    runInAccount(accountId, () => chain.append(accountId, { key, kind: 'settle', amount: -10, note: 'test' }));
  await spend(ledger, 'here');
  const elsewhere = makeChain<{ key: string }, never>(LedgerEntry as never, (before, entry) => {
    const last = before as unknown as { balanceAfter: number; usedAfter: number };
    const { balanceAfter, usedAfter } = last;
    return { ...entry, balanceAfter: balanceAfter - 10, usedAfter: usedAfter + 10, createdAt: new Date() } as never;
  }) as unknown as typeof ledger;
  await spend(elsewhere, 'elsewhere');
  announce(accountId, ['account'], false);
  const { body } = await browser.get('/api/user/tokens/balance').expect(200);
  expect(body.balance).toEqual({ tokensRemaining: 49_980, tokensUsed: 20 });
  // And the next row here follows that one.
  await spend(ledger, 'here again');
  const rows = await runInAccount(accountId, () => LedgerEntry.find({ accountId }).sort({ seq: 1 }).lean());
  expect(rows.map(({ seq, balanceAfter }) => [seq, balanceAfter])).toEqual([
    [1, 50_000],
    [2, 49_990],
    [3, 49_980],
    [4, 49_970],
  ]);
});
