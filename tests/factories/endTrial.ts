import { runInAccount } from '../../models/store/context.ts';
import { announce } from '../../models/store/revisions.ts';
import { Subscription } from '../../models/subscription.ts';
import type { Person } from './person.ts';

/** Moves the end of the person's trial into the past. */
export async function endTrial({ user }: Pick<Person, 'user'>): Promise<void> {
  await runInAccount(user.accountId, () =>
    Subscription.updateOne({ accountId: user.accountId }, { $set: { trialEndsAt: new Date(0) } }),
  );
  announce(user.accountId, ['account']);
}
