import { findLatestResult, loadResult } from './results.ts';

/** A hazard as a search shows it: of the log, or proposed. */
export type FoundHazard = {
  /** As in the log, or as proposed. */
  id: string;
  proposed: boolean;
  /** Our own title of what it is; null for a hazard of the log, whose every word is the log's. */
  title: string | null;
  /** Words of the log or of tickets. */
  name: string;
  description: string;
};

/** Every hazard of the newest analysis, proposals last; none where nothing was analysed yet. */
export async function listHazards(accountId: number): Promise<FoundHazard[]> {
  const analysis = await findLatestResult(accountId);
  if (!analysis) return [];
  const { existingHazards, newHazards } = await loadResult(analysis);
  return [
    ...existingHazards.map(({ id, name, description }) => ({ id, proposed: false, title: null, name, description })),
    ...newHazards.map(({ proposedId, candidates, values }) => ({
      id: proposedId,
      proposed: true,
      title: candidates[0]?.title ?? null,
      name: values.name,
      description: values.description,
    })),
  ];
}
