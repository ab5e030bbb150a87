import { Account } from '../../../models/account.ts';
import { rememberPerAccount } from '../../../models/store/remember.ts';

/** What a company has chosen that most work asks for, in one read; null for an account that is gone. */
export const readAccountSettings = rememberPerAccount(['account'], (accountId) =>
  Account.findById(accountId, {
    timeZone: 1,
    quietHours: 1,
    workingHours: 1,
    holidays: 1,
    signsAnswers: 1,
    signsTwice: 1,
    budgets: 1,
  }).lean(),
);
