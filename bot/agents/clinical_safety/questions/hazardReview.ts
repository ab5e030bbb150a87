import {
  type KnowledgeCandidate,
  type NewHazard,
  PROPOSED_FIELDS,
} from '../../../../models/contracts/clinical_safety/proposals.ts';
import type { ConsentMode } from '../../../../models/contracts/preferences.ts';
import type { QuestionRow, RowOption } from '../../../../models/contracts/questionRows.ts';
import { defineRowReview } from '../../../engine/questions/kinds/rowReview.ts';
import { dayText } from '../dayText.ts';

const gradeOf = ({ risk, severity, likelihood }: NewHazard['suggested']) => ({
  value: risk,
  texts: [severity, likelihood],
});

/** A candidate under a consent mode: *redacted* allows Arc's own title, *reference-only* just the id. */
const optionUnder = (candidate: KnowledgeCandidate, proposal: NewHazard, mode: ConsentMode): RowOption => ({
  id: candidate.kbId,
  title: mode === 'reference-only' ? null : candidate.title,
  note: candidate.score.toFixed(2),
  group: candidate.category,
  values: mode === 'full' ? (candidate.values ?? null) : null,
  grade: candidate.suggested ? gradeOf(candidate.suggested) : gradeOf(proposal.suggested),
});

/** Who rejected the same proposal before, and when; the reason only under *full*. */
function earlierUnder({ rejectedBefore: before }: NewHazard, mode: ConsentMode): string | null {
  if (!before) return null;
  const why = mode === 'full' && before.reason ? `: ${before.reason}` : '';
  return `Rejected before, on ${dayText(before.at)} by ${before.by}${why}`;
}

/** A proposed hazard under a consent mode: with its text, with only Arc's own title, or as an id. */
function rowUnder(proposal: NewHazard, mode: ConsentMode): QuestionRow {
  const { id, proposedId, category, kbId, values, evidence, suggested, sure, candidates } = proposal;
  const isFull = mode === 'full';
  const ownTitle = mode === 'redacted' ? (candidates[0]?.title ?? null) : null;
  return {
    id,
    name: proposedId,
    title: isFull ? values.name : ownTitle,
    group: isFull ? category : null,
    values: isFull ? values : null,
    quotes: isFull ? evidence.map(({ quote, ticketKey }) => ({ text: quote, source: ticketKey })) : [],
    grade: isFull ? gradeOf(suggested) : null,
    options: sure || candidates.length < 2 ? [] : candidates.map((one) => optionUnder(one, proposal, mode)),
    option: kbId,
    earlier: earlierUnder(proposal, mode),
  };
}

/** The review of proposed hazards: row by row, or all with one word while no row is decided. */
export const hazardReview = defineRowReview({
  id: 'hazard_review',
  label: 'Hazard review',
  requires: 'clinical-safety-officer',
  noun: { one: 'proposed hazard', many: 'proposed hazards' },
  headings: { row: 'Proposed hazard', quotes: 'What the tickets say', grade: 'Suggested' },
  fields: PROPOSED_FIELDS.map(({ name, label }) => ({
    name,
    label,
    required: name === 'name',
    half: name.startsWith('control'),
  })),
  ask: (count) => `Please review ${count} proposed ${count === 1 ? 'hazard' : 'hazards'}`,
  readRows: ({ rows }, mode) => ((rows ?? []) as NewHazard[]).map((one) => rowUnder(one, mode)),
});
