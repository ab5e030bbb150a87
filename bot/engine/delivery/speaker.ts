import { findAgent } from '../../../models/contracts/catalogue.ts';
import { baseUrl } from '../../../models/env.ts';

/** The author of a message or question: an agent, or the app itself where there is no name. */
export type Speaker = { agentId: string | null; agentName: string | null };

/** The display name of an agent where one app speaks for all agents: its name and role. */
export function nameOf({ agentId, agentName }: Speaker): string | null {
  const role = agentId ? findAgent(agentId)?.role : null;
  return agentName && role ? `${agentName}, ${role}` : agentName;
}

/** URL of an agent's picture, which the platform downloads; null where Arc is not served by https. */
export const pictureOf = ({ agentId }: Speaker): string | null =>
  agentId && baseUrl().startsWith('https://') ? `${baseUrl()}/agents/${agentId}.png` : null;
