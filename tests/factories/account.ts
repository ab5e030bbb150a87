import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll } from '@jest/globals';
import mongoose from 'mongoose';
import { agents } from '../../bot/agents/index.ts';
import { registerAgents } from '../../bot/engine/agents/registry.ts';
import { Member, type Role } from '../../models/member.ts';
import { connectStore, ensureIndexes, type Store } from '../../models/store/connect.ts';
import { runInAccount } from '../../models/store/context.ts';
import { announce } from '../../models/store/revisions.ts';
import { Subscription } from '../../models/subscription.ts';
import { User, type UserRow } from '../../models/user.ts';
import { nextNumber } from './who.ts';

export { codeOf, makeWho, nextNumber } from './who.ts';

/** How far the product counts in one database of tests; the next one counts from there. */
const COUNTED = 1000;
let counted = 0;

/**
 * Connects a test file to a database of its own in the run's store, with every index, and drops it at the end. The
 * files of a process have what the product remembers by an account's number in common: the product counts on where it
 * counted in the file before, so that none finds another's.
 */
export function connectTestStore(): void {
  let store: Store;
  beforeAll(async () => {
    registerAgents(agents);
    store = await connectStore(process.env.TEST_STORE_URI, `t_${randomBytes(6).toString('hex')}`);
    await ensureIndexes();
    counted += COUNTED;
    const kinds = ['account', 'user'] as const;
    await mongoose.connection
      .collection('counters')
      .insertMany(kinds.map((_id) => ({ _id: _id as never, seq: counted })));
  });
  afterAll(async () => {
    await mongoose.connection.db?.dropDatabase();
    await store.close();
  });
}

/** Stores somebody who belongs to a company: a new one where none is named. */
export async function addMember(
  roles: Role[] = ['owner'],
  { accountId = nextNumber(), ...user }: Partial<UserRow> & { accountId?: number } = {},
): Promise<{ userId: number; accountId: number; email: string }> {
  const userId = nextNumber();
  const email = `user${userId}@example.org`;
  await User.create({ _id: userId, email, emailVerified: true, firstName: 'Ada', ...user });
  await Member.create({ accountId, userId, roles });
  return { userId, accountId, email };
}

/** Gives a company a trial that goes on for some days, or ended that many days ago. */
export async function giveTrial(accountId: number, days = 5): Promise<void> {
  const trialEndsAt = new Date(Date.now() + days * 86_400_000);
  await runInAccount(accountId, () =>
    Subscription.create({ _id: accountId, accountId, plan: 'trial', status: 'trial', trialEndsAt }),
  );
  announce(accountId, ['account']);
}
