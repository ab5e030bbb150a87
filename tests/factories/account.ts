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

/** Ids that one test database may use; the counters of the next database start after them. */
const IDS_PER_DATABASE = 1000;
let lastId = 0;

/**
 * Connects a test file to a database of its own in the run's store, with every index, and drops it at the end. The
 * files of a process share what the product caches by account id, so each database continues the id counters of the
 * previous one and no ids repeat.
 */
export function connectTestStore(): void {
  let store: Store;
  beforeAll(async () => {
    registerAgents(agents);
    store = await connectStore(process.env.TEST_STORE_URI, `t_${randomBytes(6).toString('hex')}`);
    await ensureIndexes();
    lastId += IDS_PER_DATABASE;
    const kinds = ['account', 'user'] as const;
    // Work that an earlier file of the process left running may have counted here by now.
    await mongoose.connection.collection('counters').bulkWrite(
      kinds.map((_id) => ({
        updateOne: { filter: { _id: _id as never }, update: { $max: { seq: lastId } }, upsert: true },
      })),
    );
  });
  afterAll(async () => {
    await mongoose.connection.db?.dropDatabase();
    await store.close();
  });
}

/** Adds a user who is a member of the given account, or of a new one. */
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

/** Gives a company a trial that ends in this many days; a negative number lies in the past. */
export async function giveTrial(accountId: number, days = 5): Promise<void> {
  const trialEndsAt = new Date(Date.now() + days * 86_400_000);
  await runInAccount(accountId, () =>
    Subscription.create({ _id: accountId, accountId, plan: 'trial', status: 'trial', trialEndsAt }),
  );
  announce(accountId, ['account']);
}
