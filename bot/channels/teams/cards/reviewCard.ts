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
import { proposalsUnder } from '../../../engine/questions/kinds/hazardReview.ts';
import { type Card, card, fitCard, openUrl, type Part, subtle, textBlock } from './card.ts';
import { plain, shorten } from './text.ts';

/** What was filled in on a page, by the ids of its inputs. */
export type Filled = Partial<Record<'outcome' | 'candidate' | 'reason' | keyof ProposedValues, string>>;

/** In the order of the web. */
const OUTCOMES: { value: ReviewRow['outcome']; title: string }[] = [
  { value: 'accepted', title: 'Accept' },
  { value: 'edited', title: 'Edit' },
  { value: 'rejected', title: 'Reject' },
];
/** Longest text that a field of a page takes; what is longer is edited in Arc. */
export const LONGEST_FIELD = 1000;
const FIELDS_ID = 'fields';
const QUOTES = 3;

export type ReviewPage = {
  /** The row, from 0. */
  page: number;
  /** What is wrong with what was filled in. */
  fault?: string;
  filled?: Filled;
  /** The least mode under which a page of this dialog was shown; the present one where it was just opened. */
  drawnUnder?: ConsentMode;
};

/** One row of a review: a page of the dialog. What was decided or filled in before stands chosen. */
export function reviewCard(
  question: Interrupt,
  mode: ConsentMode,
  { page, fault, filled = {}, drawnUnder = mode }: ReviewPage,
): Card {
  const proposals = proposalsUnder(question, mode);
  const shown = proposals[page];
  const proposal = question.context.rows?.[page];
  const rows = question.draft?.rows ?? [];
  const decided = rows.find(({ id }) => id === shown?.id);
  const words = shown?.words ?? null;
  const name = words?.values.name ?? shown?.title;
  const chosen = filled.outcome ?? decided?.outcome;
  const match = filled.candidate ?? decided?.kbId ?? question.draft?.chosen?.[shown?.id ?? ''];
  const others = proposals.filter(({ id }) => id !== shown?.id && !rows.some((row) => row.id === id));
  const values = words && { ...valuesShown(words, decided), ...filled };
  const data = { interruptId: question.id, page, drawnUnder };
  // Where it is too much, quotes go first and then fields, from the last: both stand in Arc.
  const draw = (parts: number) =>
    card(
      [
        fault ? textBlock(plain(fault), { color: 'Attention', weight: 'Bolder' }) : null,
        textBlock(`**${plain(shown?.proposedId ?? '')}**${name ? ` ${plain(name)}` : ''}`, { size: 'Medium' }),
        ...(words
          ? wordsOf(words, Math.max(0, parts - PROPOSED_FIELDS.length))
          : [subtle('The words of this row stay in Arc.')]),
        rejectedBefore(proposal, mode),
        {
          type: 'Input.ChoiceSet',
          id: 'outcome',
          label: 'Your decision',
          style: 'expanded',
          choices: OUTCOMES.filter(({ value }) => value !== 'edited' || words !== null),
          ...(chosen ? { value: chosen } : {}),
        },
        candidatesOf(proposal, mode, match),
        input('reason', 'Reason, where you reject', filled.reason ?? decided?.reason ?? ''),
        values
          ? {
              type: 'Container',
              id: FIELDS_ID,
              isVisible: chosen === 'edited',
              items: PROPOSED_FIELDS.slice(0, parts)
                .filter((field) => values[field.name].length <= LONGEST_FIELD)
                .map((field) => input(field.name, field.label, values[field.name], field.name !== 'name')),
            }
          : null,
        subtle(`${rows.length} of ${proposals.length} decided. What you decide is kept when you close.`),
      ],
      [
        submit(others.length === 0 ? 'Send review' : 'Next row', { ...data, verb: 'review_row' }, 'positive'),
        ...(values ? [{ type: 'Action.ToggleVisibility', title: 'Fields to edit', targetElements: [FIELDS_ID] }] : []),
        ...(page > 0 ? [submit('Back', { ...data, verb: 'review_back' })] : []),
        ...(page < proposals.length - 1 ? [submit('Skip for now', { ...data, verb: 'review_skip' })] : []),
        openUrl('Open in Arc', linkToReview(question.id)),
      ],
    );
  return fitCard(PROPOSED_FIELDS.length + Math.min(QUOTES, words?.evidence.length ?? 0), draw);
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
  maxLength: LONGEST_FIELD,
});

function wordsOf({ values, evidence }: NewHazard, quotes: number): Part[] {
  return [
    textBlock(plain(shorten(values.description || '–', 1500))),
    ...evidence
      .slice(0, quotes)
      .map(({ quote, ticketKey }) => subtle(`“${plain(shorten(quote, 300))}” (${plain(ticketKey)})`)),
  ];
}

/** That the same was rejected before, by whom and when; why, where words may leave. */
function rejectedBefore(proposal: NewHazard | undefined, mode: ConsentMode): Part | null {
  const before = proposal?.rejectedBefore;
  if (!before) return null;
  const day = new Date(before.at).toLocaleDateString('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
  const why = mode === 'full' && before.reason ? `: ${shorten(before.reason, 500)}` : '';
  return textBlock(plain(`Rejected before, on ${day} by ${before.by}${why}`), { color: 'Warning' });
}

/** Which of several matches it is, where the proposal is not sure; our own titles, under reference-only their ids. */
function candidatesOf(row: NewHazard | undefined, mode: ConsentMode, chosen: string | undefined): Part | null {
  if (!row || row.sure || row.candidates.length < 2) return null;
  return {
    type: 'Input.ChoiceSet',
    id: 'candidate',
    label: 'Which is it? Choose one, unless you reject',
    style: 'expanded',
    choices: row.candidates.map(({ kbId, title }) => ({
      value: kbId,
      title: mode === 'reference-only' ? kbId : shorten(`${kbId} ${title}`, 100),
    })),
    ...(chosen ? { value: chosen } : {}),
  };
}
