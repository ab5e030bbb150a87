import type { KnownBlock, ModalView } from '@slack/web-api';
import type { Interrupt } from '../../../../models/contracts/interrupts.ts';
import type { ConsentMode } from '../../../../models/contracts/preferences.ts';
import {
  askOption,
  asksReason,
  describeKept,
  editableFields,
  editsByChoice,
  hasChoice,
  hasOptions,
  outcomesOf,
  type QuestionRow,
  type QuestionRows,
  type RowDecision,
  type RowOutcome,
  valuesShown,
} from '../../../../models/contracts/questionRows.ts';
import { describeOption } from '../../../../models/contracts/rowOptions.ts';
import { linkToReview } from '../../../engine/delivery/consent.ts';
import { shorten } from '../../../engine/delivery/splitText.ts';
import { savedAtOf } from '../../../engine/interrupts/reviewByPages.ts';
import { viewRows } from '../../../engine/questions/kinds/index.ts';
import { MAX_FIELD_LENGTH, plain, writeMemory } from './modals.ts';
import { BLOCK_LIMITS, escapeWithin, toMrkdwn } from './text.ts';

/** Slack's limits for a group of radio buttons, and for a menu. */
const MAX_RADIO_BUTTONS = 10;
const MAX_MENU_OPTIONS = 100;
/** Quotations shown on a page. */
const MAX_QUOTES = 4;

/** The inputs of a page. */
export type Part = 'outcome' | 'choice' | 'reason' | `field:${string}`;
/** The block id of a part. Slack keeps a block's input when the view is updated, so every page has its own ids. */
export const blockOf = (part: Part, page: number) => `${part}:${page}`;

export type ReviewPage = {
  page: number;
  home: boolean;
  /** The strictest consent mode under which a page of this review was shown; by default the current one. */
  drawnUnder?: ConsentMode;
  /** When the draft that the page showed first was saved; by default the draft of the question. */
  seenAt?: string | undefined;
  /** The outcome chosen on the page but not saved yet; it decides which fields are drawn. */
  outcome?: RowOutcome | undefined;
  /** Why the review can't be sent; shown at the top. */
  fault?: string;
};

/**
 * One row of a review as a page of the modal, with an earlier decision preselected. Choosing *Edit* adds the row's
 * fields; an outcome that needs a reason adds the reason. `draft.rows` are the decisions so far.
 */
export function reviewModal(
  question: Interrupt,
  mode: ConsentMode,
  { page, home, outcome, fault, drawnUnder = mode, seenAt = savedAtOf(question) }: ReviewPage,
): ModalView {
  const view = viewRows(question, mode);
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
    private_metadata: writeMemory({ interruptId: question.id, drawnUnder, page, home, seenAt }),
    title: plain(`Row ${page + 1} of ${all.length}`),
    submit: plain(others.length === 0 ? 'Send review' : 'Next row'),
    close: plain('Later'),
    blocks: [
      ...(fault ? [section(`*${toMrkdwn(fault)}*`)] : []),
      section(`*${toMrkdwn(row?.name ?? '')}*${row?.title ? ` ${escapeWithin(row.title, 2000)}` : ''}`),
      ...wordsOf(view, row, question.id),
      ...(row?.earlier ? [section(toMrkdwn(shorten(row.earlier, 600)))] : []),
      outcomeInput(view, row, chosen, page),
      ...(view && row && showsOptions(view, row, chosen) ? optionsOf(view, row, match, page) : []),
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
            text: describeKept(view?.noun, rows.length, all.length),
          },
        ],
      } as KnownBlock,
      // Slack refuses an actions block without elements.
    ].filter((block) => block.type !== 'actions' || block.elements.length > 0),
  };
}

const section = (text: string): KnownBlock => ({ type: 'section', text: { type: 'mrkdwn', text } });
const step = (action: string, label: string) => ({ type: 'button' as const, action_id: action, text: plain(label) });

/** The decision. Choosing one redraws the page with the fields that it needs. */
function outcomeInput(
  view: QuestionRows | null,
  row: QuestionRow | undefined,
  chosen: RowOutcome | undefined,
  page: number,
): KnownBlock {
  // Content that may not leave Arc can't be edited here.
  const options = outcomesOf(view ?? {})
    .filter(({ id }) => id !== 'edited' || row?.values)
    .map(({ id, label }) => ({
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

/** Whether the page asks for an option: where one of several has to be chosen, or may be. */
const showsOptions = (view: QuestionRows, row: QuestionRow, chosen: RowOutcome | undefined): boolean =>
  hasOptions(row) && (editsByChoice(view) ? chosen === 'edited' : chosen !== 'rejected');

/** The choice between several options: radio buttons, or a menu where there are too many. */
function optionsOf(view: QuestionRows, row: QuestionRow, chosen: string | undefined, page: number): KnownBlock[] {
  const isMenu = row.options.length > MAX_RADIO_BUTTONS;
  const offered = editsByChoice(view) ? row.options.filter(({ id }) => id !== row.option) : row.options;
  const options = offered.slice(0, MAX_MENU_OPTIONS).map((option) => ({
    value: option.id,
    text: plain(shorten(describeOption(option), BLOCK_LIMITS.option)),
  }));
  const initial = options.find(({ value }) => value === chosen);
  const note = hasChoice(row) ? ' Not needed if you reject' : '';
  return [
    {
      type: 'input',
      block_id: blockOf('choice', page),
      optional: true,
      label: plain(`${askOption(view)}${note}`),
      element: {
        type: isMenu ? 'static_select' : 'radio_buttons',
        action_id: 'choice',
        options,
        ...(initial ? { initial_option: initial } : {}),
      },
    },
  ];
}

const fieldsOf = (view: QuestionRows, values: Record<string, string>, page: number): KnownBlock[] =>
  // Slack would cut a value that is too long for the field; it can be edited in Arc.
  editableFields(view, values)
    .map((field, index) => ({ ...field, isFirst: index === 0, value: values[field.name] ?? '' }))
    .filter(({ value }) => value.length <= MAX_FIELD_LENGTH)
    .map(({ name, label, required, isFirst, value }) => ({
      type: 'input',
      block_id: blockOf(`field:${name}`, page),
      optional: !required,
      label: plain(label),
      element: {
        type: 'plain_text_input',
        action_id: 'text',
        multiline: !isFirst,
        max_length: MAX_FIELD_LENGTH,
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
    const text = `The text of this row stays in Arc: <${linkToReview(interruptId)}|read it there>.`;
    return [{ type: 'context', elements: [{ type: 'mrkdwn', text }] }];
  }
  const below = row.values[view?.fields[1]?.name ?? ''] ?? '';
  const quotes = row.quotes
    .slice(0, MAX_QUOTES)
    .map(({ source, text }) => `> ${escapeWithin(text, 600)} (${escapeWithin(source, 100)})`);
  return [section(escapeWithin(below, 1500) || '–'), section(quotes.join('\n') || '–')];
}
