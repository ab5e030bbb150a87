import { signOldChain, verifyAudit } from '../../bot/engine/audit/verifyAudit.ts';
import { Account } from '../../models/account.ts';
import { AuditHead } from '../../models/auditHead.ts';
import { highestId } from '../../models/counter.ts';
import { releaseFingerprint } from '../../models/releaseKey.ts';
import { dangerouslyRunInEveryAccount, runInAccount } from '../../models/store/context.ts';
import { exitWithUsage, print, withStore } from './withStore.ts';

const [word, ...more] = process.argv.slice(2);
if ((word !== undefined && word !== '--sign-old') || more.length > 0)
  exitWithUsage('npm run audit:verify [-- --sign-old]');

/**
 * Verifies the audit chain of every account and prints the first fault of each; where there is none, also the
 * fingerprint of the key that signs release files. With --sign-old it first signs, as they are, chains written before
 * rows were signed.
 */
await withStore(async () => {
  const accounts = await Account.find({}, { _id: 1 }).lean();
  // An account whose own document was deleted still has its head.
  const heads = await dangerouslyRunInEveryAccount(() => AuditHead.find({}, { accountId: 1 }).lean());
  // An account of which nothing is left is still found by its number.
  const made = Array.from({ length: await highestId('account') }, (_, index) => index + 1);
  const ids = new Set([...made, ...accounts.map(({ _id }) => _id), ...heads.map(({ accountId }) => accountId)]);
  for (const id of [...ids].sort((a, b) => a - b)) {
    await runInAccount(id, async () => {
      if (word && (await signOldChain(id))) print(`account ${id}: signed as it is`);
      const { whole, rows, head, reason } = await verifyAudit(id);
      print(whole ? `account ${id}: ${rows} rows, whole, head ${head ?? 'none'}` : `account ${id}: ${reason}`);
      if (!whole) process.exitCode = 1;
    });
  }
  if (!process.exitCode) print(`release key: ${await releaseFingerprint()}`);
});
