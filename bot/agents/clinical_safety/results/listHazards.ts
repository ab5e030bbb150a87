import type { ConsentMode } from '../../../../models/contracts/preferences.ts';
import type { FoundThing } from '../../../engine/agents/agent.ts';
import { findLatestResult, loadResult } from './results.ts';

/**
 * Every hazard of the newest analysis, proposals last; empty where nothing was analysed yet. Text of the log and of
 * tickets is included only under *full*; *redacted* includes Arc's own titles of proposals.
 */
export async function listHazards(accountId: number, mode: ConsentMode): Promise<FoundThing[]> {
  const analysis = await findLatestResult(accountId);
  if (!analysis) return [];
  const { existingHazards, newHazards } = await loadResult(analysis);
  const isFull = mode === 'full';
  return [
    ...existingHazards.map(({ id, name, description }) => ({
      id,
      title: isFull ? name : null,
      text: isFull ? description : null,
      state: 'In the hazard log',
    })),
    ...newHazards.map(({ proposedId, candidates, values }) => ({
      id: proposedId,
      title: isFull ? values.name : mode === 'redacted' ? (candidates[0]?.title ?? null) : null,
      text: isFull ? values.description : null,
      state: 'Proposed, for review',
    })),
  ];
}
