import type { KnowledgeCandidate, NewHazard } from '../../../../models/contracts/clinical_safety/proposals.ts';
import { findKnowledge } from '../knowledge/knowledge.ts';
import { draftValues } from './draftValues.ts';

const MOST_CANDIDATES = 3;

/**
 * A proposal as it stands with another of its candidates: that entry's words, category and suggested rating; the
 * evidence and the ids stay. The chosen entry comes first in the list. What the candidate carries wins over the
 * knowledge base of today, for it is what the person saw. An id that nothing is known of changes nothing.
 */
export function chosenProposal(proposal: NewHazard, kbId: string): NewHazard {
  if (kbId === proposal.kbId) return proposal;
  const entry = findKnowledge(kbId);
  const listed = proposal.candidates.find((candidate) => candidate.kbId === kbId);
  const values = listed?.values ?? (entry && draftValues(entry, proposal.evidence));
  const suggested = listed?.suggested ?? entry?.suggested;
  const about = listed ?? entry;
  if (!values || !suggested || !about) return proposal;
  const { title, category } = about;
  const chosen: KnowledgeCandidate = { kbId, title, category, score: listed?.score ?? 0, values, suggested };
  const others = proposal.candidates.filter((candidate) => candidate !== listed);
  return {
    ...proposal,
    kbId,
    category,
    candidates: [chosen, ...others].slice(0, MOST_CANDIDATES),
    values: { ...values },
    suggested,
  };
}
