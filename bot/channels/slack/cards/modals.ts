import type { KnownBlock, ModalView } from '@slack/web-api';
import type { ReviewRow } from '../../../../models/contracts/hazards.ts';
import type { Interrupt } from '../../../../models/contracts/interrupts.ts';
import type { ConsentMode } from '../../../../models/contracts/preferences.ts';
import { linkToReview, questionUnder } from '../../../engine/delivery/consent.ts';
import { escapeWithin, shorten, toMrkdwn } from './text.ts';

const plain = (text: string) => ({ type: 'plain_text' as const, text });

/** What a modal remembers between its pages. */
export type ModalMemory = { interruptId: number; page: number };
export const readMemory = (text: string): ModalMemory => JSON.parse(text) as ModalMemory;

/** A question that is answered in words. */
export function inputModal(question: Interrupt, mode: ConsentMode): ModalView {
  return {
    type: 'modal',
    callback_id: 'answer_input',
    private_metadata: JSON.stringify({ interruptId: question.id, page: 0 } satisfies ModalMemory),
    title: plain('Answer'),
    submit: plain('Send'),
    close: plain('Cancel'),
    blocks: [
      {
        type: 'section',
        text: { type: 'mrkdwn', text: escapeWithin(questionUnder(mode, question).prompt, 2900) },
      },
      {
        type: 'input',
        block_id: 'answer',
        label: plain('Your answer'),
        element: { type: 'plain_text_input', action_id: 'text', multiline: true, max_length: 3000 },
      },
    ],
  };
}

/** A rejection with its reason. */
export function rejectModal(question: Interrupt, mode: ConsentMode): ModalView {
  return {
    type: 'modal',
    callback_id: 'reject',
    private_metadata: JSON.stringify({ interruptId: question.id, page: 0 } satisfies ModalMemory),
    title: plain('Reject'),
    submit: plain('Reject'),
    close: plain('Cancel'),
    blocks: [
      {
        type: 'section',
        text: { type: 'mrkdwn', text: escapeWithin(questionUnder(mode, question).prompt, 2900) },
      },
      {
        type: 'input',
        block_id: 'reason',
        label: plain('Reason'),
        element: { type: 'plain_text_input', action_id: 'text', multiline: true, max_length: 2000 },
      },
    ],
  };
}

const OUTCOMES: { value: ReviewRow['outcome']; text: string }[] = [
  { value: 'accepted', text: 'Accept' },
  { value: 'edited', text: 'Edit' },
  { value: 'rejected', text: 'Reject' },
];

/** One row of a review: a page of the modal. What was decided before stands chosen. */
export function reviewModal(question: Interrupt, mode: ConsentMode, page: number): ModalView {
  const { proposals } = questionUnder(mode, question);
  const row = proposals[page];
  const decided = question.draft?.rows.find(({ id }) => id === row?.id);
  const chosen = OUTCOMES.find(({ value }) => value === decided?.outcome);
  const options = OUTCOMES.filter(({ value }) => value !== 'edited' || row?.words).map(({ value, text }) => ({
    value,
    text: plain(text),
  }));
  const last = page === proposals.length - 1;
  const count = question.draft?.rows.length ?? 0;
  return {
    type: 'modal',
    callback_id: 'review_row',
    private_metadata: JSON.stringify({ interruptId: question.id, page } satisfies ModalMemory),
    title: plain(`Row ${page + 1} of ${proposals.length}`),
    submit: plain(last ? 'Send review' : 'Next row'),
    close: plain('Later'),
    blocks: [
      {
        type: 'section',
        text: {
          type: 'mrkdwn',
          text: `*${toMrkdwn(row?.proposedId ?? '')}*${row?.title ? ` ${toMrkdwn(row.words?.values.name ?? row.title)}` : ''}`,
        },
      },
      ...wordsOf(row?.words ?? null, question.id),
      {
        type: 'input',
        block_id: 'outcome',
        label: plain('Your decision'),
        element: {
          type: 'radio_buttons',
          action_id: 'choice',
          options,
          ...(chosen && options.some(({ value }) => value === chosen.value)
            ? { initial_option: { value: chosen.value, text: plain(chosen.text) } }
            : {}),
        },
      },
      ...candidatesOf(question, page, mode, decided?.kbId),
      ...(row?.words ? [nameInput(decided?.values?.name ?? row.words.values.name)] : []),
      {
        type: 'input',
        block_id: 'reason',
        optional: true,
        label: plain('Reason, where you reject'),
        element: { type: 'plain_text_input', action_id: 'text', max_length: 2000 },
      },
      { type: 'context', elements: [{ type: 'mrkdwn', text: `${count} of ${proposals.length} decided` }] },
    ],
  };
}

/** Which of several matches it is, where the proposal is not sure; our own titles, under reference-only their ids. */
function candidatesOf(question: Interrupt, page: number, mode: ConsentMode, chosen: string | undefined): KnownBlock[] {
  const proposal = question.context.rows?.[page];
  if (!proposal || proposal.sure || proposal.candidates.length < 2) return [];
  const options = proposal.candidates.map(({ kbId, title }) => ({
    value: kbId,
    text: plain(shorten(mode === 'reference-only' ? kbId : `${kbId} ${title}`, 75)),
  }));
  const initial = options.find(({ value }) => value === chosen);
  return [
    {
      type: 'input',
      block_id: 'candidate',
      optional: true,
      label: plain('Which is it? Choose one, unless you reject'),
      element: { type: 'radio_buttons', action_id: 'choice', options, ...(initial ? { initial_option: initial } : {}) },
    },
  ];
}

const nameInput = (name: string): KnownBlock => ({
  type: 'input',
  block_id: 'name',
  optional: true,
  label: plain('Name, where you edit'),
  element: { type: 'plain_text_input', action_id: 'text', initial_value: name, max_length: 500 },
});

function wordsOf(words: NonNullable<Interrupt['context']['rows']>[number] | null, interruptId: number): KnownBlock[] {
  if (!words) {
    return [
      {
        type: 'context',
        elements: [
          {
            type: 'mrkdwn',
            text: `The words of this row stay in Arc: <${linkToReview(interruptId)}|read them there>.`,
          },
        ],
      },
    ];
  }
  const quotes = words.evidence
    .slice(0, 3)
    .map(({ ticketKey, quote }) => `> ${toMrkdwn(shorten(quote, 300))} (${toMrkdwn(ticketKey)})`);
  return [
    { type: 'section', text: { type: 'mrkdwn', text: escapeWithin(words.values.description, 1500) || '–' } },
    { type: 'section', text: { type: 'mrkdwn', text: quotes.join('\n') || '–' } },
  ];
}
