import { findAgent } from '../../../models/contracts/catalogue.ts';
import { baseUrl } from '../../../models/env.ts';

/** Whoever speaks in a message or a question: an agent, or the app itself where no name is given. */
export type Speaker = { agentId: string | null; agentName: string | null };

/** Under which name an agent speaks where one app carries them all: "Clara, Clinical safety officer". */
export function nameOf({ agentId, agentName }: Speaker): string | null {
  const role = agentId ? findAgent(agentId)?.role : null;
  return agentName && role ? `${agentName}, ${role}` : agentName;
}

/** An agent's picture, which a platform fetches itself: null where people don't reach us by https. */
export const pictureOf = ({ agentId }: Speaker): string | null =>
  agentId && baseUrl().startsWith('https://') ? `${baseUrl()}/agents/${agentId}.png` : null;
