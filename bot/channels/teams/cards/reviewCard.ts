import type { Interrupt } from '../../../../models/contracts/interrupts.ts';
import type { ConsentMode } from '../../../../models/contracts/preferences.ts';
import {
  askOption,
  describeKept,
  describeReasons,
  editableFields,
  editsByChoice,
  hasChoice,
  hasOptions,
  outcomesOf,
  type QuestionRow,
  type QuestionRows,
  valuesShown,
} from '../../../../models/contracts/questionRows.ts';
import { describeOption } from '../../../../models/contracts/rowOptions.ts';
import { linkToReview } from '../../../engine/delivery/consent.ts';
import { shorten } from '../../../engine/delivery/splitText.ts';
import { savedAtOf } from '../../../engine/interrupts/reviewByPages.ts';
import { viewRows } from '../../../engine/questions/kinds/index.ts';
import { type Card, card, fitCard, inputOf, openUrl, type Part, subtle, textBlock } from './card.ts';
import { plain } from './text.ts';

/** The inputs of a page, by their ids. */
export type Filled = Record<string, string | undefined>;

/** A longer value can only be edited in Arc. */
export const MAX_FIELD_LENGTH = 1000;
const FIELDS_ID = 'fields';
const MAX_QUOTES = 4;
/** More options are a list to search in. */
const MAX_RADIO_BUTTONS = 10;

export type ReviewPage = {
  /** The row, from 0. */
  page: number;
  /** The error in the inputs, shown at the top. */
  fault?: string;
  filled?: Filled;
  /** The strictest consent mode under which a page of this dialog was shown; by default the current one. */
  drawnUnder?: ConsentMode;
};

/** One row of a review as a page of the dialog, with earlier decisions and inputs filled in. */
export function reviewCard(
  question: Interrupt,
  mode: ConsentMode,
  { page, fault, filled = {}, drawnUnder = mode }: ReviewPage,
): Card {
  const view = viewRows(question, mode);
  const all = view?.rows ?? [];
  const row = all[page];
  const rows = question.draft?.rows ?? [];
  const decided = rows.find(({ id }) => id === row?.id);
  const chosen = filled.outcome ?? decided?.outcome;
  const match = filled.choice ?? decided?.choice ?? question.draft?.chosen?.[row?.id ?? ''];
  const others = all.filter(({ id }) => id !== row?.id && !rows.some((one) => one.id === id));
  const shown = row?.values ? valuesShown(row, decided) : null;
  const fields = view && shown ? editableFields(view, shown) : [];
  const textOf = (name: string) => filled[inputOf(name)] ?? shown?.[name] ?? '';
  const below = row?.values?.[view?.fields[1]?.name ?? ''] ?? '';
  const data = { interruptId: question.id, page, drawnUnder, seenAt: savedAtOf(question) };
  const reasonNeeded = view && describeReasons(view);
  // If the card is too large, quotes are left out first, then the last fields. Arc shows both.
  const draw = (parts: number) =>
    card(
      [
        fault ? textBlock(plain(fault), { color: 'Attention', weight: 'Bolder' }) : null,
        textBlock(`**${plain(row?.name ?? '')}**${row?.title ? ` ${plain(row.title)}` : ''}`, { size: 'Medium' }),
        ...(row && shown
          ? wordsOf(below, row.quotes.slice(0, Math.max(0, parts - fields.length)))
          : [subtle('The text of this row stays in Arc.')]),
        row?.earlier ? textBlock(plain(shorten(row.earlier, 600)), { color: 'Warning' }) : null,
        {
          type: 'Input.ChoiceSet',
          id: 'outcome',
          label: 'Your decision',
          style: 'expanded',
          choices: outcomesOf(view ?? {})
            .filter(({ id }) => id !== 'edited' || shown)
            .map(({ id, label }) => ({
              value: id,
              title: label,
            })),
          ...(chosen ? { value: chosen } : {}),
        },
        view && row ? optionsOf(view, row, match) : null,
        input(
          'reason',
          reasonNeeded ? `Reason, needed to ${reasonNeeded}` : 'Reason for a rejection (optional)',
          filled.reason ?? decided?.reason ?? '',
        ),
        fields.length > 0
          ? {
              type: 'Container',
              id: FIELDS_ID,
              isVisible: chosen === 'edited',
              items: fields
                .slice(0, parts)
                .filter(({ name }) => textOf(name).length <= MAX_FIELD_LENGTH)
                .map(({ name, label }, index) => input(inputOf(name), label, textOf(name), index > 0)),
            }
          : null,
        subtle(describeKept(view?.noun, rows.length, all.length)),
      ],
      [
        submit(others.length === 0 ? 'Send review' : 'Next row', { ...data, verb: 'review_row' }, 'positive'),
        ...(fields.length > 0
          ? [{ type: 'Action.ToggleVisibility', title: 'Fields to edit', targetElements: [FIELDS_ID] }]
          : []),
        ...(page > 0 ? [submit('Back', { ...data, verb: 'review_back' })] : []),
        ...(page < all.length - 1 ? [submit('Skip for now', { ...data, verb: 'review_skip' })] : []),
        openUrl('Open in Arc', linkToReview(question.id)),
      ],
    );
  return fitCard(fields.length + Math.min(MAX_QUOTES, row?.quotes.length ?? 0), draw);
}

const submit = (title: string, data: Record<string, unknown>, style?: string): Part => ({
  type: 'Action.Submit',
  title,
  data,
  ...(style ? { style } : {}),
});

const input = (id: string, label: string, value: string, isMultiline = true): Part => ({
  type: 'Input.Text',
  id,
  label,
  value,
  isMultiline,
  maxLength: MAX_FIELD_LENGTH,
});

function wordsOf(text: string, quotes: QuestionRow['quotes']): Part[] {
  return [
    textBlock(plain(shorten(text || '–', 1500))),
    ...quotes.map((quote) => subtle(`“${plain(shorten(quote.text, 300))}” (${plain(quote.source)})`)),
  ];
}

/** The choice between several options, for a row that has them. */
function optionsOf(view: QuestionRows, row: QuestionRow, chosen: string | undefined): Part | null {
  if (!hasOptions(row)) return null;
  const offered = editsByChoice(view) ? row.options.filter(({ id }) => id !== row.option) : row.options;
  return {
    type: 'Input.ChoiceSet',
    id: 'choice',
    label: `${askOption(view)}${hasChoice(row) ? ' Not needed if you reject' : ''}`,
    style: offered.length > MAX_RADIO_BUTTONS ? 'filtered' : 'expanded',
    choices: offered.map((option) => ({
      value: option.id,
      title: shorten(describeOption(option), 100),
    })),
    ...(chosen ? { value: chosen } : {}),
  };
}
