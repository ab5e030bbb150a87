import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach } from '@jest/globals';
import { AuditEvent } from '../../models/auditEvent.ts';
import { Member, type MemberRow, type Role } from '../../models/member.ts';
import type { Who } from '../../models/policies/who.ts';
import { dangerouslyRunInEveryAccount } from '../../models/store/context.ts';
import { requireRow } from '../../models/store/requireRow.ts';
import { changes } from '../../models/store/revisions.ts';
import { User, type UserRow } from '../../models/user.ts';
import { makeWho, nextNumber } from './who.ts';

export const newEmail = () => `${randomUUID()}@example.org`;

/** A stored user without an account. */
export async function addUser(change: Partial<UserRow> = {}): Promise<UserRow> {
  const user = { _id: nextNumber(), email: newEmail(), emailVerified: true, firstName: 'Ada', ...change };
  await User.create(user as never);
  return requireRow(await User.findById(user._id).lean());
}

/** Makes a user a member of an account. */
export async function join(
  { _id: userId }: Pick<UserRow, '_id'>,
  accountId: number,
  roles: Role[] = ['member'],
  change: Partial<MemberRow> = {},
): Promise<void> {
  await Member.create({ accountId, userId, roles, ...change });
}

/** A stored member who acts; of a new account unless one is given. */
export async function addMember(overrides: Partial<Who> = {}, change: Partial<UserRow> = {}): Promise<Who> {
  const who = makeWho({ email: newEmail(), ...overrides });
  const [firstName = '', lastName = ''] = who.name.split(' ');
  await addUser({
    _id: who.userId,
    email: who.email,
    emailVerified: who.emailVerified,
    firstName,
    lastName,
    ...change,
  });
  await join({ _id: who.userId }, who.accountId, [...who.roles]);
  return who;
}

/** The events of an account's audit chain, oldest first: event, actor, subject and outcome. */
export async function auditOf(accountId: number): Promise<string[]> {
  const rows = await dangerouslyRunInEveryAccount(() => AuditEvent.find({ accountId }).sort({ seq: 1 }).lean());
  return rows.map((row) => `${row.event} by ${row.userId ?? row.surface}: ${row.subject} ${row.outcome}`);
}

/** Collects the change notices of each test, in order, e.g. `7 account`. */
export function collectChanges(): string[] {
  const heard: string[] = [];
  const listen = (accountId: number, topics: string[]) => void heard.push(`${accountId} ${topics.join()}`);
  beforeEach(() => {
    heard.length = 0;
    changes.on('changed', listen);
  });
  afterEach(() => {
    changes.off('changed', listen);
  });
  return heard;
}
