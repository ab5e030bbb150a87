import { findAgent } from '../../../../models/contracts/catalogue.ts';
import { baseUrl } from '../../../../models/env.ts';
import { type Part, subtle } from './card.ts';

export type Speaker = { agentId: string | null; agentName: string | null };

/** Under which name an agent speaks: one app carries them all. */
export function nameOf({ agentId, agentName }: Speaker): string | null {
  const role = agentId ? findAgent(agentId)?.role : null;
  return agentName && role ? `${agentName}, ${role}` : agentName;
}

/** Who speaks, at the top of a card: the agent's monogram and name. */
export function speakerLine(speaker: Speaker): Part | null {
  const name = nameOf(speaker);
  if (!name) return null;
  // Teams fetches the picture itself: it can only where people reach us by https.
  if (!speaker.agentId || !baseUrl().startsWith('https://')) return subtle(name);
  const url = `${baseUrl()}/agents/${speaker.agentId}.png`;
  return {
    type: 'ColumnSet',
    columns: [
      { type: 'Column', width: 'auto', items: [{ type: 'Image', url, altText: '', width: '20px', style: 'Person' }] },
      { type: 'Column', width: 'stretch', verticalContentAlignment: 'Center', items: [subtle(name)] },
    ],
  };
}
