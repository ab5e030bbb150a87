import type { NewHazard } from '../../../../models/contracts/hazards.ts';
import type { Interrupt } from '../../../../models/contracts/interrupts.ts';
import type { ConsentMode } from '../../../../models/contracts/preferences.ts';
import { linkToReview, questionUnder } from '../../../engine/delivery/consent.ts';
import { type Card, card, fitCard, openUrl, type Part, subtle, textBlock } from './card.ts';
import { plain, shorten } from './text.ts';

/** What was filled in on a page that could not be taken. */
export type Filled = { outcome?: string; candidate?: string; name?: string; reason?: string };

const OUTCOMES = [
  { value: 'accepted', title: 'Accept' },
  { value: 'edited', title: 'Edit' },
  { value: 'rejected', title: 'Reject' },
];

/** One row of a review: a page of the dialog. What was decided or filled in before stands chosen. */
export function reviewCard(
  question: Interrupt,
  mode: ConsentMode,
  at: number,
  fault?: string,
  filled: Filled = {},
): Card {
  const { proposals } = questionUnder(mode, question);
  const row = proposals[at];
  const words = row?.words ?? null;
  const decided = question.draft?.rows.find(({ id }) => id === row?.id);
  const count = question.draft?.rows.length ?? 0;
  const name = words?.values.name ?? row?.title;
  const chosen = filled.outcome ?? decided?.outcome;
  const last = count >= proposals.length - 1;
  return fitCard(words?.evidence.length ?? 0, (quotes) =>
    card(
      [
        textBlock(`**${plain(row?.proposedId ?? '')}**${name ? ` ${plain(name)}` : ''}`, { size: 'Medium' }),
        ...(words ? wordsOf(words, quotes) : [subtle('The words of this row stay in Arc.')]),
        {
          type: 'Input.ChoiceSet',
          id: 'outcome',
          label: 'Your decision',
          style: 'expanded',
          isRequired: true,
          errorMessage: 'Accept, edit or reject the row.',
          choices: OUTCOMES.filter(({ value }) => value !== 'edited' || words !== null),
          ...(chosen ? { value: chosen } : {}),
        },
        candidatesOf(question.context.rows?.[at], mode, filled.candidate ?? decided?.kbId),
        words
          ? {
              type: 'Input.Text',
              id: 'name',
              label: 'Name, where you edit',
              maxLength: 500,
              value: filled.name ?? decided?.values?.name ?? words.values.name,
            }
          : null,
        {
          type: 'Input.Text',
          id: 'reason',
          label: 'Reason, where you reject',
          maxLength: 2000,
          isMultiline: true,
          value: filled.reason ?? decided?.reason ?? '',
        },
        fault ? textBlock(plain(fault), { color: 'Attention', weight: 'Bolder' }) : null,
        subtle(`${count} of ${proposals.length} decided`),
      ],
      [
        {
          type: 'Action.Submit',
          title: last ? 'Send review' : 'Next row',
          style: 'positive',
          data: { verb: 'review_row', interruptId: question.id, page: at },
        },
        openUrl('Open in Arc', linkToReview(question.id)),
      ],
    ),
  );
}

function wordsOf({ values, evidence }: NewHazard, quotes: number): Part[] {
  return [
    textBlock(plain(shorten(values.description || '–', 1500))),
    ...evidence
      .slice(0, Math.min(quotes, 3))
      .map(({ quote, ticketKey }) => subtle(`“${plain(shorten(quote, 300))}” (${plain(ticketKey)})`)),
  ];
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
