import { Account } from '../../../models/account.ts';
import { dayText } from '../../../models/contracts/zonedText.ts';
import { rememberPerAccount } from '../../../models/store/remember.ts';

/** The account's time zone. */
export const readTimeZone = rememberPerAccount(['account'], async (accountId) => {
  const account = await Account.findById(accountId, { timeZone: 1 }).lean();
  return account?.timeZone ?? 'Europe/London';
});

/** A moment as a day in the account's time zone: "5 Jun 2026". */
export const dayOf = async (accountId: number, at: Date | string): Promise<string> =>
  dayText(at, await readTimeZone(accountId));
