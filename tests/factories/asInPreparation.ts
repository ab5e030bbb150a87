import { findAgent, WORKING_AGENTS } from '../../models/contracts/catalogue.ts';
import type { AgentId } from '../../models/contracts/catalogueAgent.ts';

/** Does something while the card of an agent says that its work is in preparation. */
export async function asInPreparation<T>(id: AgentId, work: () => Promise<T> | T): Promise<T> {
  const card = findAgent(id);
  if (!card) throw new Error(`No agent is called ${id}.`);
  const working = [...WORKING_AGENTS];
  card.status = 'in-preparation';
  WORKING_AGENTS.splice(0, working.length, ...working.filter((agent) => agent !== card));
  try {
    return await work();
  } finally {
    card.status = 'working';
    WORKING_AGENTS.splice(0, WORKING_AGENTS.length, ...working);
  }
}
