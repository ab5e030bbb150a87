import type { AnswerBody, ReviewStep } from '../../../../models/contracts/interrupts.ts';
import {
  asksReason,
  describeOutcomes,
  hasChoice,
  outcomesOf,
  type QuestionRow,
  type QuestionRows,
  type RowDecision,
  wordsOf,
} from '../../../../models/contracts/questionRows.ts';
import type { ViewAction } from '../../../../models/contracts/questionView.ts';
import type { InterruptRow } from '../../../../models/interrupt.ts';

type Draft = {
  rows: readonly RowDecision[];
  rest?: readonly RowDecision[] | undefined;
  version?: number;
} | null;
type MassOutcome = 'accepted' | 'rejected';

/** Rows that have no decision in the draft. */
export const undecidedRows = ({ rows }: Pick<QuestionRows, 'rows'>, draft: Draft): QuestionRow[] => {
  const decided = new Set(draft?.rows.map(({ id }) => id));
  return rows.filter(({ id }) => !decided.has(id));
};

/** "the 19 undecided" as the object of a verb. */
const theUndecided = (undecided: number) => (undecided === 1 ? 'the 1 undecided' : `the ${undecided} undecided`);

/** "The 11 decisions already made stay as they are." */
const describeStay = (decided: number) =>
  decided === 1
    ? 'The decision already made stays as it is.'
    : `The ${decided} decisions already made stay as they are.`;

/** The same decision on rows; an option that nobody chose is marked as the best one. */
export function decideAlike(
  view: QuestionRows,
  rows: readonly QuestionRow[],
  outcome: MassOutcome,
  { chosen, reason }: { chosen?: Record<string, string> | undefined; reason?: string | undefined },
): RowDecision[] {
  return rows.map((one) => ({
    id: one.id,
    outcome,
    ...(outcome === 'accepted' && hasChoice(one) ? optionOf(one, chosen?.[one.id]) : {}),
    ...(reason && asksReason(view, outcome) ? { reason } : {}),
  }));
}

/** The option chosen in the draft; else the best one, marked as chosen by nobody. */
const optionOf = ({ option, options }: QuestionRow, chosen: string | undefined) =>
  chosen && options.some(({ id }) => id === chosen) ? { choice: chosen } : { choice: option, bestMatch: true };

/** The fields of the action that decides all rows with an outcome. */
type FieldsOf = (outcome: MassOutcome) => string[];

/**
 * The steps of a review with decisions in its draft: decide the undecided rows alike, take that back, and send the
 * decisions once every row has one.
 * @param signer name of whoever signed the decisions as the first of two people
 */
export function stepActions(view: QuestionRows, draft: Draft, fieldsOf: FieldsOf, signer?: string): ViewAction[] {
  const decided = draft?.rows.length ?? 0;
  const undecided = undecidedRows(view, draft).length;
  const act = (id: string, label: string, review: ReviewStep, more: Partial<ViewAction> = {}): ViewAction => ({
    id,
    name: id.split(':')[0] ?? id,
    label,
    tone: 'plain',
    fields: [],
    opens: null,
    answer: { review },
    ...more,
  });
  const massOutcomes = outcomesOf(view).flatMap(({ id, all }) =>
    id === 'edited' || all === null ? [] : [{ outcome: id, verb: all }],
  );
  const rest = massOutcomes.map(({ outcome, verb }) =>
    act(
      // The number is part of the id, so that a button drawn for another number no longer works.
      `${outcome}Rest:${undecided}`,
      `${verb} ${theUndecided(undecided)}`,
      { step: 'decide-rest', outcome, undecided },
      {
        tone: outcome === 'rejected' ? 'danger' : 'plain',
        fields: fieldsOf(outcome),
        confirm: `${verb} ${theUndecided(undecided)}? ${describeStay(decided)} Nothing is sent yet.`,
      },
    ),
  );
  const send = act(
    // A button that was drawn for an earlier draft does not send this one.
    `send:${draft?.version ?? 0}`,
    signer ? `Agree with ${signer}` : `Send ${decided} decisions`,
    { step: 'send' },
    {
      tone: 'primary',
      confirm: `${signer ? `Agree with what ${signer} signed` : 'Send the review'}: ${describeOutcomes(view, draft?.rows ?? [])}? This answer is final.`,
    },
  );
  const taken = draft?.rest?.length ?? 0;
  return [
    ...(undecided > 0 ? rest : [send]),
    ...(taken > 0 ? [act('undoRest', `Undo the last ${taken}`, { step: 'undo-rest' })] : []),
  ];
}

const REST =
  /^(?<verb>accept|approve|reject) the (?<count>[1-9]\d{0,4}) undecided(?:\s*:\s*(?<reason>\S.*)|[\s.!]*)$/is;
const UNDO = /^undo(?: the)? last (\d{1,5})[\s.!]*$/i;
const SEND = /^send the decisions[\s.!]*$/i;

/** The step that a text asks for; null where it asks for none. */
export function readStep(text: string): AnswerBody | null {
  const { verb, count, reason } = REST.exec(text)?.groups ?? {};
  if (verb) {
    const outcome = verb.toLowerCase() === 'reject' ? 'rejected' : 'accepted';
    const review: ReviewStep = { step: 'decide-rest', outcome, undecided: Number(count) };
    return { review, ...(reason ? { reason } : {}) };
  }
  if (UNDO.test(text)) return { review: { step: 'undo-rest' } };
  return SEND.test(text) ? { review: { step: 'send' } } : null;
}

/** What a step has changed, and what can be said next. */
export function describeStep(view: QuestionRows, { draft }: Pick<InterruptRow, 'draft'>, step: ReviewStep): string {
  const undecided = undecidedRows(view, draft).length;
  if (step.step === 'undo-rest')
    return `Undone: ${undecided} of ${view.rows.length} ${view.noun.many} are undecided again. Nothing was sent.`;
  const made = draft?.rest?.length ?? 0;
  const outcome = step.step === 'decide-rest' ? step.outcome : 'accepted';
  return `${made} ${made === 1 ? view.noun.one : view.noun.many} ${wordsOf(view, outcome).counted}; every earlier decision stays as it was. Nothing is sent yet: say “send the decisions”, or “undo the last ${made}”.`;
}
