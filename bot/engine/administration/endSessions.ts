import { AppError } from '../../../models/contracts/errors.ts';
import { announce } from '../../../models/store/revisions.ts';
import { User } from '../../../models/user.ts';
import { endSessionOf, endSessionsOf } from '../accounts/ownSessions.ts';

const OUTCOME = { one: 'ended by an administrator', all: 'ended everywhere by an administrator' };

/** Signs a user out of one browser. @throws AppError not_found */
export const endUserSession = (by: { userId: number }, userId: number, sessionId: string): Promise<void> =>
  endSessionOf(userId, sessionId, { by: by.userId, outcome: OUTCOME.one });

/** Signs a user out everywhere, in frames of platforms too. @throws AppError not_found */
export async function endUserSessions(by: { userId: number }, userId: number): Promise<void> {
  if (!(await User.exists({ _id: userId }))) throw new AppError('not_found');
  const accountIds = await endSessionsOf(userId, { by: by.userId, outcome: OUTCOME.all });
  for (const accountId of accountIds) announce(accountId, ['account']);
}
