import { Interrupt } from '../../../models/interrupt.ts';
import { Run } from '../../../models/run.ts';

/** The activity of an account's hired agents, by their ids. */
export type Activity = {
  /** Number of pending questions per agent; absent where there are none. */
  pending: ReadonlyMap<number, number>;
  /** Agents that are executing a run. */
  working: ReadonlySet<number>;
};

/** Reads the pending questions and executing runs of an account's agents. */
export async function readActivity(accountId: number): Promise<Activity> {
  const [asked, running] = await Promise.all([
    Interrupt.find({ accountId, status: 'pending' }, { userAgentId: 1 }).lean(),
    Run.find({ accountId, status: 'ready' }, { userAgentId: 1 }).lean(),
  ]);
  const pending = new Map<number, number>();
  for (const { userAgentId } of asked) pending.set(userAgentId, (pending.get(userAgentId) ?? 0) + 1);
  return { pending, working: new Set(running.map(({ userAgentId }) => userAgentId)) };
}
