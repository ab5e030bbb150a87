import { Interrupt } from '../../../models/interrupt.ts';
import { waitsFor } from '../../../models/policies/interrupt.ts';
import type { Who } from '../../../models/policies/who.ts';
import { Run } from '../../../models/run.ts';

/** The activity of an account's hired agents, by their ids. */
export type Activity = {
  /** Number of pending questions per agent; absent where there are none. */
  pending: ReadonlyMap<number, number>;
  /** Number of those that wait for the reader. */
  own: ReadonlyMap<number, number>;
  /** Agents that are executing a run. */
  working: ReadonlySet<number>;
};

/** What {@link waitsFor} reads, and the agent. */
const WAITING_FIELDS = { userAgentId: 1, accountId: 1, requires: 1, 'firstSignature.userId': 1 };

/** Reads the pending questions and executing runs of an account's agents, as one member sees them. */
export async function readActivity(who: Who): Promise<Activity> {
  const { accountId } = who;
  const [asked, running] = await Promise.all([
    Interrupt.find({ accountId, status: 'pending' }, WAITING_FIELDS).lean(),
    Run.find({ accountId, status: 'ready' }, { userAgentId: 1 }).lean(),
  ]);
  return {
    pending: countByAgent(asked),
    own: countByAgent(asked.filter((row) => waitsFor(who, row))),
    working: new Set(running.map(({ userAgentId }) => userAgentId)),
  };
}

function countByAgent(rows: readonly { userAgentId: number }[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const { userAgentId } of rows) counts.set(userAgentId, (counts.get(userAgentId) ?? 0) + 1);
  return counts;
}
