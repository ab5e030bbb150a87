import { z } from 'zod';
import { AppError } from '../../../../models/contracts/errors.ts';
import type { AnswerBody, Interrupt, Resolution } from '../../../../models/contracts/interrupts.ts';
import type { ConsentMode } from '../../../../models/contracts/preferences.ts';
import {
  describeDecided,
  findRowFault,
  hasChoice,
  listOutcomes,
  outcomesOf,
  partOfRows,
  type QuestionRow,
  type QuestionRows,
  type RowDecision,
  type RowOutcome,
  rowDecision,
  wordsOf,
} from '../../../../models/contracts/questionRows.ts';
import type { ViewAction, ViewField } from '../../../../models/contracts/questionView.ts';
import type { InterruptRow } from '../../../../models/interrupt.ts';
import { APPROVE, REJECT } from './approval.ts';
import { type CheckedAnswer, type QuestionKind, unfit } from './kind.ts';
import { decideAlike, readStep, stepActions } from './reviewSteps.ts';
import { makeItem, makeSection, sectionsOf } from './sections.ts';
import { readYesOrNo } from './words.ts';

/** Accepting or rejecting every row needs the word "all": a single "yes" must not sign for thirty rows. */
const YES_ALL = /^(approve|accept) (all|everything|all rows)[\s.!]*$/i;
const NO_ALL = /^reject (all|everything|all rows)[\s.!]*$/i;

/** Most rows listed in the question itself. */
const LISTED = 5;

const answerOfRows = z.object({ rows: z.array(rowDecision).min(1) });

/** The declaration of one kind of row review. */
type RowReview<Row> = Pick<QuestionKind, 'id' | 'label' | 'requires'> &
  Omit<QuestionRows, 'rows' | 'reasons'> & {
    /** Outcomes that require a reason; none by default. */
    reasons?: QuestionRows['reasons'];
    /** The prompt where content is withheld: "Please review 3 proposals". */
    ask(count: number): string;
    /** A row of `context.rows`, reduced to what the consent mode allows. */
    readRow(row: Row, mode: ConsentMode): QuestionRow;
  };

/** Name of the reason field of *Accept all*, where that requires one. */
const WHY_ACCEPTED = 'acceptance';
const reasonField = (name: string, required: boolean): ViewField => ({
  name,
  label: 'Reason',
  required,
  maxLength: 2000,
  answers: 'reason',
});

/** Declares a kind of question whose rows are decided one by one, or all at once while no row is decided. */
export function defineRowReview<Row>({
  ask,
  readRow,
  noun,
  sources,
  headings,
  fields,
  outcomes,
  reasons = [],
  ...kind
}: RowReview<Row>): QuestionKind {
  const forAll = (outcome: RowOutcome) => wordsOf({ outcomes }, outcome).all;
  const hasBothForAll = forAll('accepted') !== null && forAll('rejected') !== null;
  const fieldsOf = (outcome: RowOutcome) => {
    if (outcome === 'rejected') return ['reason'];
    return reasons.includes('accepted') ? [WHY_ACCEPTED] : [];
  };
  const storedRows = ({ context }: { context: Interrupt['context'] }) => (context.rows ?? []) as Row[];
  // An answer checks, records and shows the same rows: they are read once for it.
  const read = new WeakMap<readonly Row[], Map<ConsentMode, QuestionRow[]>>();
  const readRows = (stored: readonly Row[], mode: ConsentMode): QuestionRow[] => {
    const known = read.get(stored) ?? new Map<ConsentMode, QuestionRow[]>();
    read.set(stored, known);
    const rows = known.get(mode) ?? stored.map((row) => readRow(row, mode));
    known.set(mode, rows);
    return rows;
  };
  const rowsOf = (question: { context: Interrupt['context'] }, mode: ConsentMode): QuestionRows => ({
    noun,
    ...(sources ? { sources } : {}),
    headings,
    ...(outcomes ? { outcomes } : {}),
    fields: [...fields],
    reasons: [...reasons],
    rows: readRows(storedRows(question), mode),
  });
  return {
    ...kind,
    hasDraft: true,
    rows: rowsOf,
    check: (row, answer) => checkRows(row, rowsOf(row, 'full'), answer),
    requireAnswerable(question, { approved }) {
      if (approved !== undefined && !agrees(question.signedBy, approved))
        requireUndecided(question, rowsOf(question, 'reference-only'), hasBothForAll);
    },
    ...(hasBothForAll
      ? {
          readWords: (_row, text) => readStep(text) ?? readYesOrNo(text, YES_ALL, NO_ALL),
          wordsThatAnswer: 'Say “approve all” or “reject all”, or open the review to decide row by row.',
        }
      : {}),
    view(question, mode) {
      const stored = storedRows(question);
      const items = stored.slice(0, LISTED).map((one) => {
        const { name, title, quotes } = readRow(one, mode);
        return makeItem({ title: name, text: title, quote: quotes[0] ?? null });
      });
      const count = stored.length;
      const isBegun = question.status === 'pending' && (question.draft?.rows.length ?? 0) > 0;
      return {
        prompt: mode === 'full' ? question.prompt : `${ask(count)} (question ${question.id}).`,
        sections: [
          ...sectionsOf(question, mode),
          ...(items.length > 0 ? [makeSection({ items, more: count - items.length })] : []),
        ],
        fields: [
          reasonField('reason', reasons.includes('rejected')),
          ...(reasons.includes('accepted') ? [reasonField(WHY_ACCEPTED, true)] : []),
        ],
        actions: [
          {
            id: 'review',
            name: 'review',
            label: 'Review row by row',
            tone: 'primary',
            fields: [],
            opens: 'rows',
            answer: {},
          },
          ...outcomesOf({ outcomes }).flatMap(({ id, all }): ViewAction[] => {
            if (all === null || id === 'edited') return [];
            const label = `${all} all`;
            const more = isBegun
              ? { isOver: true as const }
              : { confirm: `${all} ${count === 1 ? noun.one : `all ${count} ${noun.many}`}? This answer is final.` };
            return id === 'accepted'
              ? [{ ...APPROVE, label, tone: 'plain', fields: fieldsOf(id), ...more }]
              : [{ ...REJECT, label, tone: 'danger', ...more }];
          }),
          ...(isBegun ? stepActions(rowsOf(question, mode), question.draft, fieldsOf, question.signedBy?.name) : []),
        ],
      };
    },
  };
}

/** The phrases for the undecided rows; for none left, the one that sends the review. */
const wordsForRest = (undecided: number) =>
  undecided > 0
    ? ` To decide only the others, say “accept the ${undecided} undecided” or “reject the ${undecided} undecided”.`
    : ' Every row is decided: say “send the decisions”.';

/**
 * Deciding all rows at once is only for a review without decisions: it would overwrite those in its draft.
 * @throws AppError review_begun
 */
export function requireUndecided(
  { status, draft }: Pick<InterruptRow, 'status'> & { draft: { rows: readonly unknown[] } | null },
  { noun, rows }: Pick<QuestionRows, 'noun' | 'rows'>,
  hasWords = false,
): void {
  const decided = draft?.rows.length ?? 0;
  if (status !== 'pending' || decided === 0) return;
  throw new AppError('review_begun', {
    decided: describeDecided(noun, decided, rows.length),
    rest: hasWords ? wordsForRest(rows.length - decided) : '',
  });
}

/** Whether deciding all rows alike repeats what the first of two people has signed. */
const agrees = (signed: { outcome: Resolution['outcome'] } | null | undefined, approved: boolean): boolean =>
  signed?.outcome === (approved ? 'approved' : 'rejected');

/** Validates a review: every row is decided exactly once, an edit changes something, a choice is one of the options. */
function checkRows(
  row: InterruptRow,
  view: QuestionRows,
  { approved, userResponse, reason }: AnswerBody,
): CheckedAnswer {
  if (approved !== undefined && agrees(row.firstSignature, approved))
    return checkRows(row, view, { userResponse: { rows: row.draft?.rows ?? [] } });
  if (approved !== undefined) {
    requireUndecided(
      row,
      view,
      ['accepted', 'rejected'].every((id) => wordsOf(view, id as RowOutcome).all !== null),
    );
    const outcome = approved ? 'accepted' : 'rejected';
    if (wordsOf(view, outcome).all === null)
      throw unfit('approved', 'Decide row by row: each row needs its own answer.');
    if (view.reasons.includes(outcome) && !reason?.trim())
      throw unfit('reason', `Say why all are ${outcome}, or decide row by row.`);
    const rows = decideAlike(view, view.rows, outcome, { chosen: row.draft?.chosen, reason });
    return { userResponse: { rows }, outcome: approved ? 'approved' : 'rejected' };
  }
  const read = answerOfRows.safeParse(userResponse);
  if (!read.success) throw unfit('userResponse', `Decide on every row: ${listOutcomes(view)}.`);
  const asked = new Map(view.rows.map((one) => [one.id, one]));
  const decisions = new Map<string, RowDecision>();
  for (const decided of read.data.rows) {
    const one = asked.get(decided.id);
    if (!one) throw unfit('userResponse', 'One of the rows is not part of this review. Reload and try again.');
    if (decisions.has(decided.id)) throw unfit('userResponse', `${one.name} was decided on twice.`);
    decisions.set(decided.id, decided);
    const fault = findRowFault(view, one, decided);
    if (fault) throw unfit('userResponse', fault.text);
  }
  const left = view.rows.filter(({ id }) => !decisions.has(id));
  if (left.length > 0) {
    const names = left.map(({ name }) => name).join(', ');
    throw unfit(
      'userResponse',
      `${partOfRows(view.noun, left.length, view.rows.length)} ${left.length === 1 ? 'is' : 'are'} not decided: ${names}.`,
    );
  }
  const rows = view.rows.map((one) => {
    const { bestMatch, values, ...decided } = decisions.get(one.id) as RowDecision;
    const known = values && Object.fromEntries(view.fields.flatMap(({ name }) => entryOf(values, name)));
    // Kept only where there was a choice and the best option is the one used.
    const unchosen = bestMatch && decided.outcome !== 'rejected' && hasChoice(one) && decided.choice === one.option;
    return { ...decided, ...(known ? { values: known } : {}), ...(unchosen ? { bestMatch } : {}) };
  });
  return { userResponse: { rows }, outcome: outcomeOf(rows) };
}

const entryOf = (values: Record<string, string>, name: string): [string, string][] =>
  values[name] === undefined ? [] : [[name, values[name]]];

function outcomeOf(rows: readonly RowDecision[]): Resolution['outcome'] {
  if (rows.every(({ outcome }) => outcome === 'accepted')) return 'approved';
  return rows.every(({ outcome }) => outcome === 'rejected') ? 'rejected' : 'modified';
}
