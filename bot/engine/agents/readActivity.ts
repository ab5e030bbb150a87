import { Interrupt } from '../../../models/interrupt.ts';
import { Run } from '../../../models/run.ts';

/** What the hired agents of an account are doing, by their ids. */
export type Activity = {
  /** How many questions of each wait for a person; absent where none does. */
  pending: ReadonlyMap<number, number>;
  /** The agents that work on something just now. */
  working: ReadonlySet<number>;
};

/** What the hired agents of an account wait for, and which of them work. */
export async function readActivity(accountId: number): Promise<Activity> {
  const [asked, running] = await Promise.all([
    Interrupt.find({ accountId, status: 'pending' }, { userAgentId: 1 }).lean(),
    Run.find({ accountId, status: 'ready' }, { userAgentId: 1 }).lean(),
  ]);
  const pending = new Map<number, number>();
  for (const { userAgentId } of asked) pending.set(userAgentId, (pending.get(userAgentId) ?? 0) + 1);
  return { pending, working: new Set(running.map(({ userAgentId }) => userAgentId)) };
}
