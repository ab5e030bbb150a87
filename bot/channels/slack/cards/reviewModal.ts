import type { KnownBlock, ModalView } from '@slack/web-api';
import type { Interrupt } from '../../../../models/contracts/interrupts.ts';
import type { ConsentMode } from '../../../../models/contracts/preferences.ts';
import {
  asksReason,
  hasChoice,
  partOfRows,
  type QuestionRow,
  type QuestionRows,
  ROW_OUTCOMES,
  type RowDecision,
  type RowOutcome,
  valuesShown,
} from '../../../../models/contracts/questionRows.ts';
import { linkToReview } from '../../../engine/delivery/consent.ts';
import { shorten } from '../../../engine/delivery/splitText.ts';
import { viewQuestion } from '../../../engine/questions/kinds/index.ts';
import { plain, writeMemory } from './modals.ts';
import { BLOCK_LIMITS, escapeWithin, toMrkdwn } from './text.ts';

/** Radio buttons that Slack takes. */
const MOST_OPTIONS = 10;
/** Longest text that a field of a modal takes. */
const LONGEST_FIELD = 3000;

/** The parts of a page that a person fills in; a field's is `field:` and its name. */
export type Part = 'outcome' | 'choice' | 'reason' | `field:${string}`;
/** The block of a part. Slack keeps what was typed in a block over an update of its view: every page has its own. */
export const blockOf = (part: Part, page: number) => `${part}:${page}`;

export type ReviewPage = {
  page: number;
  home: boolean;
  /** The least mode under which a page of this review was shown; the present one where it was just opened. */
  drawnUnder?: ConsentMode;
  /** The outcome chosen on the page, not saved yet: it decides which fields are there. */
  outcome?: RowOutcome | undefined;
  /** What keeps the review from being sent, said at the top. */
  fault?: string;
};

/**
 * One row of a review: a page of the modal. What was decided before stands chosen. *Edit* shows the row's fields, and
 * an outcome that asks for its reason the reason. `draft.rows` are the decisions so far.
 */
export function reviewModal(
  question: Interrupt,
  mode: ConsentMode,
  { page, home, outcome, fault, drawnUnder = mode }: ReviewPage,
): ModalView {
  const view = viewQuestion(question, mode).rows;
  const all = view?.rows ?? [];
  const row = all[page];
  const rows = question.draft?.rows ?? [];
  const decided = rows.find(({ id }) => id === row?.id);
  const chosen = outcome ?? decided?.outcome;
  const match = decided?.choice ?? question.draft?.chosen?.[row?.id ?? ''];
  const others = all.filter(({ id }) => id !== row?.id && !rows.some((one) => one.id === id));
  return {
    type: 'modal',
    callback_id: 'review_row',
    private_metadata: writeMemory({ interruptId: question.id, drawnUnder, page, home }),
    title: plain(`Row ${page + 1} of ${all.length}`),
    submit: plain(others.length === 0 ? 'Send review' : 'Next row'),
    close: plain('Later'),
    blocks: [
      ...(fault ? [section(`*${toMrkdwn(fault)}*`)] : []),
      section(`*${toMrkdwn(row?.name ?? '')}*${row?.title ? ` ${escapeWithin(row.title, 2000)}` : ''}`),
      ...wordsOf(view, row, question.id),
      ...(row?.earlier ? [section(toMrkdwn(shorten(row.earlier, 600)))] : []),
      outcomeInput(row, chosen, page),
      ...(chosen === 'rejected' ? [] : optionsOf(row, match, page)),
      ...(chosen === 'edited' && view && row?.values ? fieldsOf(view, valuesShown(row, decided), page) : []),
      ...(view && asksReason(view, chosen) ? [reasonInput(view, chosen, decided, page)] : []),
      {
        type: 'actions',
        block_id: 'walk',
        elements: [
          ...(page > 0 ? [step('review:back', 'Back')] : []),
          ...(page < all.length - 1 ? [step('review:skip', 'Skip for now')] : []),
        ],
      } as KnownBlock,
      {
        type: 'context',
        elements: [
          {
            type: 'mrkdwn',
            text: `${view ? partOfRows(view.noun, rows.length, all.length) : ''} decided. What you decide is kept when you close.`,
          },
        ],
      } as KnownBlock,
      // A row of actions without any is refused.
    ].filter((block) => block.type !== 'actions' || block.elements.length > 0),
  };
}

const section = (text: string): KnownBlock => ({ type: 'section', text: { type: 'mrkdwn', text } });
const step = (action: string, label: string) => ({ type: 'button' as const, action_id: action, text: plain(label) });

/** The decision; choosing draws the page anew with the fields that it needs. */
function outcomeInput(row: QuestionRow | undefined, chosen: RowOutcome | undefined, page: number): KnownBlock {
  // Words that stay in Arc can't be edited here.
  const options = ROW_OUTCOMES.filter(({ id }) => id !== 'edited' || row?.values).map(({ id, label }) => ({
    value: id,
    text: plain(label),
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

/** Which of several options the row is, where a person has to say so. */
function optionsOf(row: QuestionRow | undefined, chosen: string | undefined, page: number): KnownBlock[] {
  if (!row || !hasChoice(row)) return [];
  const options = row.options.slice(0, MOST_OPTIONS).map(({ id, title }) => ({
    value: id,
    text: plain(shorten(title === null ? id : `${id} ${title}`, BLOCK_LIMITS.option)),
  }));
  const initial = options.find(({ value }) => value === chosen);
  return [
    {
      type: 'input',
      block_id: blockOf('choice', page),
      optional: true,
      label: plain('Which match is right? Not needed if you reject'),
      element: { type: 'radio_buttons', action_id: 'choice', options, ...(initial ? { initial_option: initial } : {}) },
    },
  ];
}

const fieldsOf = ({ fields }: QuestionRows, values: Record<string, string>, page: number): KnownBlock[] =>
  // What is too long for a field would come back cut: it is edited in Arc.
  fields
    .map((field, index) => ({ ...field, isFirst: index === 0, value: values[field.name] ?? '' }))
    .filter(({ value }) => value.length <= LONGEST_FIELD)
    .map(({ name, label, required, isFirst, value }) => ({
      type: 'input',
      block_id: blockOf(`field:${name}`, page),
      optional: !required,
      label: plain(label),
      element: {
        type: 'plain_text_input',
        action_id: 'text',
        multiline: !isFirst,
        max_length: LONGEST_FIELD,
        ...(value ? { initial_value: value } : {}),
      },
    }));

const reasonInput = (
  { reasons }: QuestionRows,
  outcome: RowOutcome | undefined,
  decided: RowDecision | undefined,
  page: number,
): KnownBlock => ({
  type: 'input',
  block_id: blockOf('reason', page),
  optional: !reasons.some((needed) => needed === outcome),
  label: plain('Reason'),
  element: {
    type: 'plain_text_input',
    action_id: 'text',
    max_length: 2000,
    ...(decided?.reason && decided.outcome === outcome ? { initial_value: decided.reason } : {}),
  },
});

function wordsOf(view: QuestionRows | null, row: QuestionRow | undefined, interruptId: number): KnownBlock[] {
  if (!row?.values) {
    const text = `The words of this row stay in Arc: <${linkToReview(interruptId)}|read them there>.`;
    return [{ type: 'context', elements: [{ type: 'mrkdwn', text }] }];
  }
  const below = row.values[view?.fields[1]?.name ?? ''] ?? '';
  const quotes = row.quotes
    .slice(0, 3)
    .map(({ source, text }) => `> ${escapeWithin(text, 800)} (${escapeWithin(source, 100)})`);
  return [section(escapeWithin(below, 1500) || '–'), section(quotes.join('\n') || '–')];
}
