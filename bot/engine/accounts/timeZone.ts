import { dayText } from '../../../models/contracts/zonedText.ts';
import { readAccountSettings } from './accountSettings.ts';

/** The account's time zone. */
export const readTimeZone = async (accountId: number): Promise<string> =>
  (await readAccountSettings(accountId))?.timeZone ?? 'Europe/London';

/** A moment as a day in the account's time zone: "5 Jun 2026". */
export const dayOf = async (accountId: number, at: Date | string): Promise<string> =>
  dayText(at, await readTimeZone(accountId));
