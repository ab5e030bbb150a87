import type { Who } from './who.ts';

/** Who may answer a question: the account's owner and its approvers. Anything else is no. */
export function mayAnswer(who: Who, interrupt: { accountId: number }): boolean {
  return who.accountId === interrupt.accountId && who.roles.some((role) => role === 'owner' || role === 'approver');
}
