import { AppError } from '../../../models/contracts/errors.ts';
import { User, type UserRow } from '../../../models/user.ts';
import { ensureAccount } from './createAccount.ts';
import { fitsPassword } from './passwords.ts';

/**
 * Checks e-mail and password.
 * @throws AppError bad_credentials, the same for an unknown e-mail and a wrong password
 */
export async function signIn(email: string, password: string): Promise<{ user: UserRow; accountId: number }> {
  const user = await User.findOne({ email: email.trim().toLowerCase() }).lean();
  if (!(await fitsPassword(user?.passwordHash ?? null, password)) || !user) throw new AppError('bad_credentials');
  return { user, accountId: await ensureAccount(user) };
}
