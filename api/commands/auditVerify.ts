import { signOldChain, verifyAudit } from '../../bot/engine/audit/verifyAudit.ts';
import { Account } from '../../models/account.ts';
import { AuditHead } from '../../models/auditHead.ts';
import { highestId } from '../../models/counter.ts';
import { dangerouslyRunInEveryAccount, runInAccount } from '../../models/store/context.ts';
import { refuseUse, tell, withStore } from './withStore.ts';

const [word, ...more] = process.argv.slice(2);
if ((word !== undefined && word !== '--sign-old') || more.length > 0) refuseUse('npm run audit:verify [-- --sign-old]');

/**
 * Walks the audit chain of every account and says where one is not as it was written. With --sign-old it first signs,
 * as they stand, chains that were begun by a version that did not sign.
 */
await withStore(async () => {
  const accounts = await Account.find({}, { _id: 1 }).lean();
  // An account whose own document is gone still has its head.
  const heads = await dangerouslyRunInEveryAccount(() => AuditHead.find({}, { accountId: 1 }).lean());
  // One that was made, and of which nothing is left, is missed by its number.
  const made = Array.from({ length: await highestId('account') }, (_, index) => index + 1);
  const ids = new Set([...made, ...accounts.map(({ _id }) => _id), ...heads.map(({ accountId }) => accountId)]);
  for (const id of [...ids].sort((a, b) => a - b)) {
    await runInAccount(id, async () => {
      if (word && (await signOldChain(id))) tell(`account ${id}: signed as it stands`);
      const { whole, rows, head, reason } = await verifyAudit(id);
      tell(whole ? `account ${id}: ${rows} rows, whole, head ${head ?? 'none'}` : `account ${id}: ${reason}`);
      if (!whole) process.exitCode = 1;
    });
  }
});
