import { findAgent } from '../../models/contracts/catalogue.ts';
import type { AgentId } from '../../models/contracts/catalogueAgent.ts';

/** Does something while the card of an agent says that its work is in preparation. */
export async function asInPreparation<T>(id: AgentId, work: () => Promise<T> | T): Promise<T> {
  const card = findAgent(id);
  if (!card) throw new Error(`No agent is called ${id}.`);
  const { status } = card;
  card.status = 'in-preparation';
  try {
    return await work();
  } finally {
    card.status = status;
  }
}
