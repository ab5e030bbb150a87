import {
  type Addition,
  type KnowledgeCandidate,
  type NewHazard,
  PROPOSED_FIELDS,
} from '../../../../models/contracts/clinical_safety/proposals.ts';
import {
  additionOf,
  describeDrafter,
  titleOfAddition,
} from '../../../../models/contracts/clinical_safety/proposalText.ts';
import type { ConsentMode } from '../../../../models/contracts/preferences.ts';
import type { QuestionRow } from '../../../../models/contracts/questionRows.ts';
import type { RowOption } from '../../../../models/contracts/rowOptions.ts';
import { dayText } from '../../../../models/contracts/zonedText.ts';
import { defineRowReview } from '../../../engine/questions/kinds/rowReview.ts';
import { ticketCauses } from '../tickets/draftValues.ts';
import { closenessOf } from './closeness.ts';

const gradeOf = (suggested: NewHazard['suggested']) =>
  suggested ? { value: suggested.risk, texts: [suggested.severity, suggested.likelihood] } : null;

/** A candidate under a consent mode: *redacted* allows Arc's own title, *reference-only* just the id. */
const optionUnder = (candidate: KnowledgeCandidate, proposal: NewHazard, mode: ConsentMode): RowOption => ({
  id: candidate.kbId,
  title: mode === 'reference-only' ? null : candidate.title,
  note: closenessOf(
    candidate.score,
    proposal.candidates.map(({ score }) => score),
  ),
  group: candidate.category,
  values: mode === 'full' ? (candidate.values ?? null) : null,
  grade: gradeOf(candidate.suggested ?? proposal.suggested),
});

/** An addition to a hazard of the log under a consent mode. Its name begins with Arc's own words and the hazard's id. */
const additionUnder = (addition: Addition, { category }: NewHazard, mode: ConsentMode): RowOption => ({
  id: addition.id,
  name: addition.hazardId,
  title: mode === 'full' ? addition.values.name : titleOfAddition(addition),
  isTitleOnly: true,
  note: null,
  group: mode === 'full' ? category : null,
  values: mode === 'full' ? { ...addition.values } : null,
  grade: null,
});

/** The model that drafted the proposal; who rejected the same one before, and when, with the reason only under *full*. */
function earlierUnder(proposal: NewHazard, mode: ConsentMode): string | null {
  const { rejectedBefore: before } = proposal;
  const why = mode === 'full' && before?.reason ? `: ${before.reason}` : '';
  const rejected = before && `Rejected before, on ${before.day ?? dayText(before.at, 'UTC')} by ${before.by}${why}`;
  return [describeDrafter(proposal), rejected].filter(Boolean).join('. ') || null;
}

/** The options of a proposal: the entries of the knowledge base that it may be, and the hazards it may be added to. */
function optionsUnder(proposal: NewHazard, mode: ConsentMode): RowOption[] {
  const { sure, candidates, additions = [] } = proposal;
  const own = candidates.map((one): RowOption => {
    const option = optionUnder(one, proposal, mode);
    if (additions.length === 0) return option;
    const title = option.title === null ? 'New hazard' : `New hazard: ${option.title}`;
    // The proposal as it stands, so that a person can return to it from an addition.
    const isOwn = one.kbId === proposal.kbId && mode === 'full';
    return { ...option, name: proposal.proposedId, title, values: isOwn ? proposal.values : option.values };
  });
  const isOffered = additions.length > 0 || (!sure && candidates.length > 1);
  return isOffered
    ? [...(sure ? own.slice(0, 1) : own), ...additions.map((one) => additionUnder(one, proposal, mode))]
    : [];
}

/** The field that a ticket speaks for: the causes where it tells what fails, else the description. */
const fieldOf = (ticket: NewHazard['evidence'][number]) =>
  ticketCauses([ticket]).length > 0 ? 'cause' : 'description';

/** A proposed hazard under a consent mode: with its text, with only Arc's own title, or as an id. */
function rowUnder(proposal: NewHazard, mode: ConsentMode): QuestionRow {
  const { id, proposedId, category, kbId, values, evidence, suggested, sure, candidates, additions = [] } = proposal;
  const isFull = mode === 'full';
  const ownTitle = mode === 'redacted' ? (candidates[0]?.title ?? null) : null;
  const addition = additionOf(proposal);
  const withheldTitle = addition ? titleOfAddition(addition) : ownTitle;
  const shown = addition?.values ?? values;
  const said = additions.filter(({ as }, at) => as === 'cause' || additions[at - 1]?.as !== 'cause');
  return {
    id,
    name: addition?.hazardId ?? proposedId,
    title: isFull ? shown.name : withheldTitle,
    group: isFull ? category : null,
    values: isFull ? { ...shown } : null,
    quotes: isFull
      ? [
          ...evidence.map((one) => ({ text: one.quote, source: one.ticketKey, field: fieldOf(one) })),
          ...said.flatMap(({ says, hazardId }) =>
            says ? [{ text: says.text, source: `${hazardId}, ${says.place.sheet}!${says.place.cell}` }] : [],
          ),
        ]
      : [],
    grade: isFull && !addition ? gradeOf(suggested) : null,
    options: optionsUnder(proposal, mode),
    ...(additions.length > 0 && sure ? { choiceIsOptional: true } : {}),
    option: addition?.id ?? kbId,
    earlier: earlierUnder(proposal, mode),
    ...(sure && evidence.length > 1 ? {} : { isWeak: true }),
    ...(proposal.rejectedBefore ? { preselected: 'rejected' } : {}),
  };
}

/** The review of proposed hazards: row by row, or all with one word while no row is decided. */
export const hazardReview = defineRowReview({
  id: 'hazard_review',
  label: 'Hazard review',
  requires: 'clinical-safety-officer',
  noun: { one: 'proposal', many: 'proposals' },
  sources: { one: 'ticket', many: 'tickets' },
  headings: { row: 'Proposal', quotes: 'What the tickets say', grade: 'Suggested' },
  fields: PROPOSED_FIELDS.map(({ name, label }) => ({
    name,
    label,
    required: name === 'name',
    half: name.startsWith('control'),
  })),
  ask: (count) => `Please review ${count} ${count === 1 ? 'proposal' : 'proposals'}`,
  readRow: rowUnder,
});
