import type { Who } from '../../../models/policies/who.ts';
import { User, type UserRow } from '../../../models/user.ts';
import { readTimeZone } from './timeZone.ts';

export type Profile = Pick<UserRow, 'firstName' | 'lastName'> & { timeZone: string };

/** The user's names, and the time zone of their current company. */
export async function readProfile({ userId, accountId }: Who): Promise<Profile> {
  const [user, timeZone] = await Promise.all([
    User.findById(userId, { firstName: 1, lastName: 1 }).lean(),
    readTimeZone(accountId),
  ]);
  return { firstName: user?.firstName ?? null, lastName: user?.lastName ?? null, timeZone };
}
