import type { KnownBlock, ModalView } from '@slack/web-api';
import {
  type NewHazard,
  PROPOSED_FIELDS,
  type ProposedValues,
  type ReviewRow,
} from '../../../../models/contracts/clinical_safety/hazards.ts';
import type { Interrupt } from '../../../../models/contracts/interrupts.ts';
import type { ConsentMode } from '../../../../models/contracts/preferences.ts';
import { linkToReview } from '../../../engine/delivery/consent.ts';
import { valuesShown } from '../../../engine/interrupts/reviewRows.ts';
import { proposalsUnder, type ShownProposal } from '../../../engine/questions/kinds/hazardReview.ts';
import { plain, writeMemory } from './modals.ts';
import { BLOCK_LIMITS, escapeWithin, shorten, toMrkdwn } from './text.ts';

/** In the order of the web. */
const OUTCOMES: { value: ReviewRow['outcome']; text: string }[] = [
  { value: 'accepted', text: 'Accept' },
  { value: 'edited', text: 'Edit' },
  { value: 'rejected', text: 'Reject' },
];
/** Radio buttons that Slack takes. */
const MOST_OPTIONS = 10;
/** Longest text that a field of a modal takes. */
const LONGEST_FIELD = 3000;

/** The parts of a page that a person fills in. */
type Part = 'outcome' | 'candidate' | 'reason' | keyof ProposedValues;
/** The block of a part. Slack keeps what was typed in a block over an update of its view: every page has its own. */
export const blockOf = (part: Part, page: number) => `${part}:${page}`;

export type ReviewPage = {
  page: number;
  home: boolean;
  /** The least mode under which a page of this review was shown; the present one where it was just opened. */
  drawnUnder?: ConsentMode;
  /** The outcome chosen on the page, not saved yet: it decides which fields are there. */
  outcome?: ReviewRow['outcome'] | undefined;
  /** What keeps the review from being sent, said at the top. */
  fault?: string;
};

/**
 * One row of a review: a page of the modal. What was decided before stands chosen. *Edit* shows the row's fields and
 * *Reject* its reason. `draft.rows` are the decisions so far.
 */
export function reviewModal(
  question: Interrupt,
  mode: ConsentMode,
  { page, home, outcome, fault, drawnUnder = mode }: ReviewPage,
): ModalView {
  const proposals = proposalsUnder(question, mode);
  const shown = proposals[page];
  const proposal = question.context.rows?.[page];
  const rows = question.draft?.rows ?? [];
  const decided = rows.find(({ id }) => id === shown?.id);
  const chosen = outcome ?? decided?.outcome;
  const match = decided?.kbId ?? question.draft?.chosen?.[shown?.id ?? ''];
  const others = proposals.filter(({ id }) => id !== shown?.id && !rows.some((row) => row.id === id));
  return {
    type: 'modal',
    callback_id: 'review_row',
    private_metadata: writeMemory({ interruptId: question.id, drawnUnder, page, home }),
    title: plain(`Row ${page + 1} of ${proposals.length}`),
    submit: plain(others.length === 0 ? 'Send review' : 'Next row'),
    close: plain('Later'),
    blocks: [
      ...(fault ? [section(`*${toMrkdwn(fault)}*`)] : []),
      section(
        `*${toMrkdwn(shown?.proposedId ?? '')}*${shown?.title ? ` ${escapeWithin(shown.words?.values.name ?? shown.title, 2000)}` : ''}`,
      ),
      ...wordsOf(shown?.words ?? null, question.id),
      ...rejectedBefore(proposal, mode),
      outcomeInput(shown, chosen, page),
      ...(chosen === 'rejected' ? [] : candidatesOf(proposal, mode, match, page)),
      ...(chosen === 'edited' && shown?.words ? fieldsOf(valuesShown(shown.words, decided), page) : []),
      ...(chosen === 'rejected' ? [reasonInput(decided?.reason, page)] : []),
      {
        type: 'actions',
        block_id: 'walk',
        elements: [
          ...(page > 0 ? [step('review:back', 'Back')] : []),
          ...(page < proposals.length - 1 ? [step('review:skip', 'Skip for now')] : []),
        ],
      } as KnownBlock,
      {
        type: 'context',
        elements: [
          {
            type: 'mrkdwn',
            text: `${rows.length} of ${proposals.length} decided. What you decide is kept when you close.`,
          },
        ],
      } as KnownBlock,
      // A row of actions without any is refused.
    ].filter((block) => block.type !== 'actions' || block.elements.length > 0),
  };
}

/** That the same was rejected before, by whom and when; why, where words may leave. */
function rejectedBefore(proposal: NewHazard | undefined, mode: ConsentMode): KnownBlock[] {
  const before = proposal?.rejectedBefore;
  if (!before) return [];
  const day = new Date(before.at).toLocaleDateString('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
  const why = mode === 'full' && before.reason ? `: ${shorten(before.reason, 500)}` : '';
  return [section(toMrkdwn(`Rejected before, on ${day} by ${before.by}${why}`))];
}

const section = (text: string): KnownBlock => ({ type: 'section', text: { type: 'mrkdwn', text } });
const step = (action: string, label: string) => ({ type: 'button' as const, action_id: action, text: plain(label) });

/** The decision; choosing draws the page anew with the fields that it needs. */
function outcomeInput(
  shown: ShownProposal | undefined,
  chosen: ReviewRow['outcome'] | undefined,
  page: number,
): KnownBlock {
  // Words that stay in Arc can't be edited here.
  const options = OUTCOMES.filter(({ value }) => value !== 'edited' || shown?.words).map(({ value, text }) => ({
    value,
    text: plain(text),
  }));
  const initial = options.find(({ value }) => value === chosen);
  return {
    type: 'input',
    block_id: blockOf('outcome', page),
    label: plain('Your decision'),
    dispatch_action: true,
    element: {
      type: 'radio_buttons',
      action_id: 'review:outcome',
      options,
      ...(initial ? { initial_option: initial } : {}),
    },
  };
}

/** Which of several matches it is, where the proposal is not sure; our own titles, under reference-only their ids. */
function candidatesOf(
  proposal: NewHazard | undefined,
  mode: ConsentMode,
  chosen: string | undefined,
  page: number,
): KnownBlock[] {
  if (!proposal || proposal.sure || proposal.candidates.length < 2) return [];
  const options = proposal.candidates.slice(0, MOST_OPTIONS).map(({ kbId, title }) => ({
    value: kbId,
    text: plain(shorten(mode === 'reference-only' ? kbId : `${kbId} ${title}`, BLOCK_LIMITS.option)),
  }));
  const initial = options.find(({ value }) => value === chosen);
  return [
    {
      type: 'input',
      block_id: blockOf('candidate', page),
      optional: true,
      label: plain('Which is it? Choose one, unless you reject'),
      element: { type: 'radio_buttons', action_id: 'choice', options, ...(initial ? { initial_option: initial } : {}) },
    },
  ];
}

const fieldsOf = (values: ProposedValues, page: number): KnownBlock[] =>
  // What is too long for a field would come back cut: it is edited in Arc.
  PROPOSED_FIELDS.filter(({ name }) => values[name].length <= LONGEST_FIELD).map(({ name, label }) => ({
    type: 'input',
    block_id: blockOf(name, page),
    optional: name !== 'name',
    label: plain(label),
    element: {
      type: 'plain_text_input',
      action_id: 'text',
      multiline: name !== 'name',
      max_length: LONGEST_FIELD,
      ...(values[name] ? { initial_value: values[name] } : {}),
    },
  }));

const reasonInput = (reason: string | undefined, page: number): KnownBlock => ({
  type: 'input',
  block_id: blockOf('reason', page),
  optional: true,
  label: plain('Reason'),
  element: {
    type: 'plain_text_input',
    action_id: 'text',
    max_length: 2000,
    ...(reason ? { initial_value: reason } : {}),
  },
});

function wordsOf(words: NewHazard | null, interruptId: number): KnownBlock[] {
  if (!words) {
    const text = `The words of this row stay in Arc: <${linkToReview(interruptId)}|read them there>.`;
    return [{ type: 'context', elements: [{ type: 'mrkdwn', text }] }];
  }
  const quotes = words.evidence
    .slice(0, 3)
    .map(({ ticketKey, quote }) => `> ${escapeWithin(quote, 800)} (${escapeWithin(ticketKey, 100)})`);
  return [section(escapeWithin(words.values.description, 1500) || '–'), section(quotes.join('\n') || '–')];
}
