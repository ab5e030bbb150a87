/** @environment store */
import { beforeEach, expect, test } from '@jest/globals';
import { readSeal } from '../../../bot/engine/audit/readSeal.ts';
import { recordEvent } from '../../../bot/engine/audit/recordEvent.ts';
import { AuditEvent } from '../../../models/auditEvent.ts';
import { AuditHead } from '../../../models/auditHead.ts';
import { runInAccount } from '../../../models/store/context.ts';
import { connectTestStore, nextNumber } from '../../factories/account.ts';

connectTestStore();

let accountId = 0;
const sealOf = () => runInAccount(accountId, () => readSeal(accountId));
beforeEach(async () => {
  accountId = nextNumber();
  for (const event of ['account.created', 'session.begun'] as const)
    await recordEvent(accountId, event, { userId: null, subject: `account:${accountId}`, outcome: 'done' });
});

test('a chain is sealed by the current key', async () => {
  expect(await sealOf()).toBe('current');
});

test.each([
  ['without its head', () => AuditHead.collection.deleteMany({ accountId })],
  [
    'whose head another key signed',
    () => AuditHead.collection.updateOne({ accountId }, { $set: { signature: 'a'.repeat(64) } }),
  ],
  ['whose last row is gone', () => AuditEvent.collection.deleteOne({ accountId, seq: 2 })],
  [
    'whose first row another key signed',
    () => AuditEvent.collection.updateOne({ accountId, seq: 1 }, { $set: { signature: 'a'.repeat(64) } }),
  ],
])('a chain %s is not sealed', async (_what, damage) => {
  await damage();
  expect(await sealOf()).toBeNull();
});
