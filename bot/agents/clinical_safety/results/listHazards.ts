import { additionOf, titleOfAddition } from '../../../../models/contracts/clinical_safety/proposalText.ts';
import type { ConsentMode } from '../../../../models/contracts/preferences.ts';
import type { FoundThing } from '../../../engine/agents/agent.ts';
import { findCompanyResult } from './findAnalysis.ts';
import { loadResult } from './results.ts';

/**
 * Every hazard of the newest analysis, proposals last; empty where nothing was analysed yet. Text of the log and of
 * tickets is included only under *full*; *redacted* includes Arc's own titles of proposals.
 */
export async function listHazards(accountId: number, mode: ConsentMode): Promise<FoundThing[]> {
  const analysis = await findCompanyResult(accountId);
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
    ...newHazards.map((proposal) => {
      const { proposedId, candidates, values } = proposal;
      const addition = additionOf(proposal);
      const ownTitle = addition ? titleOfAddition(addition) : (candidates[0]?.title ?? null);
      return {
        id: addition?.hazardId ?? proposedId,
        title: isFull ? (addition?.values ?? values).name : mode === 'redacted' ? ownTitle : null,
        text: isFull ? (addition ? (addition.values.cause ?? null) : values.description) : null,
        state: addition ? 'Proposed addition, for review' : 'Proposed, for review',
      };
    }),
  ];
}
