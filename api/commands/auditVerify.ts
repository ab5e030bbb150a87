import { verifyAudit } from '../../bot/engine/accounts/verifyAudit.ts';
import { Account } from '../../models/account.ts';
import { runInAccount } from '../../models/store/context.ts';
import { tell, withStore } from './withStore.ts';

/** Walks the audit chain of every account and says where one does not follow. */
await withStore(async () => {
  for (const { _id } of await Account.find({}, { _id: 1 }).sort({ _id: 1 }).lean()) {
    const { whole, rows, head, brokenAt } = await runInAccount(_id, () => verifyAudit(_id));
    tell(
      whole
        ? `account ${_id}: ${rows} rows, whole, head ${head ?? 'none'}`
        : `account ${_id}: broken at row ${brokenAt}`,
    );
    if (!whole) process.exitCode = 1;
  }
});
