import { Account } from '../../../models/account.ts';
import { rememberPerAccount } from '../../../models/store/remember.ts';

/** The account's time zone. */
export const readTimeZone = rememberPerAccount(['account'], async (accountId) => {
  const account = await Account.findById(accountId, { timeZone: 1 }).lean();
  return account?.timeZone ?? 'Europe/London';
});
