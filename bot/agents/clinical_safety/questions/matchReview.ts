import { describeChoice } from '../../../../models/contracts/clinical_safety/coverageText.ts';
import type { ConsentMode } from '../../../../models/contracts/preferences.ts';
import type { QuestionRow } from '../../../../models/contracts/questionRows.ts';
import type { RowOption } from '../../../../models/contracts/rowOptions.ts';
import { defineRowReview } from '../../../engine/questions/kinds/rowReview.ts';
import type { MatchRow } from '../matches/matchRow.ts';
import { closenessOf } from './closeness.ts';

/** Id of the kind of question. */
export const MATCH_REVIEW = 'match_review';

/** A ticket with its possible hazards under a consent mode: with the words of both sides, or with ids alone. */
function rowUnder({ id, summary, possible, others, earlier, choice }: MatchRow, mode: ConsentMode): QuestionRow {
  const isFull = mode === 'full';
  const [best] = possible;
  const valuesWith = (hazardId: string, name: string) =>
    isFull ? { ticket: summary, hazard: `${hazardId} ${name}`.trim() } : null;
  // A hazard may stand there twice, once for each of two that share its id.
  const scores = [...new Map(possible.map(({ hazardId, score }) => [hazardId, score])).values()];
  const option = (hazardId: string, name: string, score: number | null): RowOption => ({
    id: hazardId,
    title: isFull ? name : null,
    note: score === null ? null : closenessOf(score, scores),
    group: null,
    values: valuesWith(hazardId, name),
    grade: null,
  });
  const named = [
    ...possible.map(({ hazardId, hazardName, score }) => option(hazardId, hazardName, score)),
    ...others.map((other) => option(other.id, other.name, null)),
  ];
  return {
    id,
    name: id,
    title: isFull ? summary : null,
    group: null,
    values: valuesWith(best?.hazardId ?? '', best?.hazardName ?? ''),
    quotes: isFull ? withChoice(quotesOf(id, possible), id, choice) : [],
    grade: null,
    options: named.filter((one, at) => named.findIndex((other) => other.id === one.id) === at),
    choiceIsOptional: true,
    option: best?.hazardId ?? '',
    earlier: [choice ? describeChoice(choice) : null, earlier].filter(Boolean).join(' ') || null,
  };
}

type Quote = QuestionRow['quotes'][number];

/** The words of a ticket and of its possible hazards. */
const quotesOf = (id: string, possible: MatchRow['possible']): Quote[] =>
  [
    { text: possible[0]?.ticketQuote ?? '', source: id },
    ...possible.map(({ hazardId, hazardQuote, place }) => ({
      text: hazardQuote,
      source: `${hazardId}, ${place.sheet}!${place.cell}`,
    })),
  ].filter(({ text }) => text !== '');

/** Before them the words that a model chose by, where they are others. */
function withChoice(quotes: readonly Quote[], id: string, choice: MatchRow['choice']): Quote[] {
  const own = choice
    ? [
        { text: choice.ticketQuote, source: id },
        { text: choice.hazardQuote, source: choice.hazardId ?? '' },
      ]
    : [];
  return [...own.filter(({ text }) => text !== '' && quotes.every((one) => one.text !== text)), ...quotes];
}

/**
 * The review of possible matches: which hazard covers a ticket. There is no "this hazard" for all tickets at once: a
 * wrong one hides a risk.
 */
export const matchReview = defineRowReview({
  id: MATCH_REVIEW,
  label: 'Possible matches',
  requires: 'clinical-safety-officer',
  noun: { one: 'ticket', many: 'tickets' },
  headings: { row: 'Ticket', quotes: 'What speaks for the match', grade: null, options: 'Which hazard covers it?' },
  outcomes: [
    { id: 'accepted', label: 'This hazard', done: 'This hazard', counted: 'confirmed', all: null },
    { id: 'edited', label: 'Another hazard', done: 'Another hazard', counted: 'with another hazard', all: null },
    { id: 'rejected', label: 'None', done: 'No hazard', counted: 'with no hazard', all: 'No hazard for' },
  ],
  fields: [
    { name: 'ticket', label: 'Ticket', required: false, half: false, fixed: true },
    { name: 'hazard', label: 'Hazard', required: false, half: false, fixed: true },
  ],
  ask: (count) => `Please say which hazards cover ${count} ${count === 1 ? 'ticket' : 'tickets'}`,
  readRow: rowUnder,
});
