import type { KnowledgeCandidate, NewHazard } from '../../../../models/contracts/clinical_safety/proposals.ts';
import { findKnowledge } from '../knowledge/knowledge.ts';
import { draftValues } from './draftValues.ts';

const MAX_CANDIDATES = 3;

/**
 * A proposal with another candidate chosen: with that entry's text, category and suggested rating, and with the entry
 * first in the list. The evidence and the ids stay. Values stored with the candidate take precedence over the current
 * knowledge base, because the person saw them. An unknown id changes nothing.
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
    candidates: [chosen, ...others].slice(0, MAX_CANDIDATES),
    values: { ...values },
    suggested,
  };
}
