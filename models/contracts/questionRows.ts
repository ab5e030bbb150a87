import { z } from 'zod';
import { LIMITS } from './limits.ts';
import { rowGrade, rowOption } from './rowOptions.ts';

/** An editable field of a row. */
const rowField = z.object({
  name: z.string(),
  label: z.string(),
  required: z.boolean(),
  /** True where two such fields share a line. */
  half: z.boolean(),
  /** True where it is shown and cannot be edited. */
  fixed: z.boolean().optional(),
});

const rowOutcome = z.enum(['accepted', 'edited', 'rejected']);
export type RowOutcome = z.infer<typeof rowOutcome>;

/** A row to decide, with what the consent mode allows. */
const questionRow = z.object({
  id: z.string(),
  /** Display id: "NRL12". */
  name: z.string(),
  /** One-line title; null where consent withholds it. */
  title: z.string().nullable(),
  group: z.string().nullable(),
  /** Values by field name; null where consent withholds them. */
  values: z.record(z.string(), z.string()).nullable(),
  /** The quotations that it is based on. */
  quotes: z.array(
    z.object({
      text: z.string(),
      source: z.string(),
      /** The name of the field that it speaks for; absent where it speaks for the row. */
      field: z.string().optional(),
    }),
  ),
  grade: rowGrade.nullable(),
  /** The options to choose from, best first; empty where there is no choice. */
  options: z.array(rowOption),
  /** True where `option` stands unless another is chosen; otherwise a person has to choose one of several. */
  choiceIsOptional: z.boolean().optional(),
  /** The option used until another is chosen. */
  option: z.string(),
  /** What was decided on it in an earlier question, or proposed for this one, in sentences. */
  earlier: z.string().nullable(),
  /** True where little speaks for it, so that it needs a closer look. */
  isWeak: z.boolean().optional(),
  /** The outcome with which the draft begins, for a person to confirm or change; absent where it begins with none. */
  preselected: rowOutcome.optional(),
});
export type QuestionRow = z.infer<typeof questionRow>;

/** The words for an outcome, where a kind has its own. */
const outcomeWords = z.object({
  id: rowOutcome,
  /** On the button: "Accept". */
  label: z.string(),
  /** Of a decided row: "Accepted". */
  done: z.string(),
  /** After a number: "3 accepted". */
  counted: z.string(),
  /** For many rows at once: "Accept" all; null where each row has to be decided. */
  all: z.string().nullable(),
});
export type OutcomeWords = z.infer<typeof outcomeWords>;

/** Singular and plural of a row: "repair", "repairs". */
const rowNoun = z.object({ one: z.string(), many: z.string() });
type RowNoun = z.infer<typeof rowNoun>;

/** "2 of 12 repairs". */
export const partOfRows = ({ one, many }: RowNoun, part: number, all: number): string =>
  `${part} of ${all} ${all === 1 ? one : many}`;

/** Below a row that a surface shows alone: how far the review is, and that it may be left. */
export const describeKept = (noun: RowNoun | undefined, decided: number, all: number): string =>
  `${noun ? partOfRows(noun, decided, all) : ''} decided. Your decisions are saved when you close this.`;

/** "2 of 12 repairs are decided". */
export const describeDecided = (noun: RowNoun, decided: number, all: number): string =>
  `${partOfRows(noun, decided, all)} ${decided === 1 ? 'is' : 'are'} decided`;

/** The rows of a question that are decided one by one. */
export const questionRows = z.object({
  /** What a row is called. */
  noun: rowNoun,
  /** What a quotation comes from: "ticket", "tickets"; quotations are just counted where it is absent. */
  sources: rowNoun.optional(),
  /** Column headings. */
  headings: z.object({
    row: z.string(),
    quotes: z.string(),
    /** Null where no row has a grade. */
    grade: z.string().nullable(),
    /** The question above a row's options; "Which match is right?" by default. */
    options: z.string().optional(),
  }),
  /** The outcomes in display order; accept, edit and reject by default. */
  outcomes: z.array(outcomeWords).optional(),
  /** The first field is the row's title; the second is shown below it. */
  fields: z.array(rowField),
  /** Outcomes that require a reason. A rejection may always have one. */
  reasons: z.array(rowOutcome),
  rows: z.array(questionRow),
});
export type QuestionRows = z.infer<typeof questionRows>;

/** The decision on one row. */
export const rowDecision = z.object({
  /** The row's id. */
  id: z.string(),
  outcome: rowOutcome,
  /** With `edited`: the new values, by field name. */
  values: z.record(z.string(), z.string().max(LIMITS.rowValue)).optional(),
  /** The option chosen, where the row had several. */
  choice: z.string().optional(),
  /** Set where "accept all" took the best of several options and nobody chose. */
  bestMatch: z.boolean().optional(),
  reason: z.string().max(2000).optional(),
});
export type RowDecision = z.infer<typeof rowDecision>;

/** Upgrades a decision: before 0.2.0 the chosen option was stored as `kbId`. */
export const fromEarlier = <T extends object>({ kbId, ...row }: T & { kbId?: string }) =>
  (kbId === undefined ? row : { ...row, choice: kbId }) as T;

/** The decisions in an answer of any version. Recorded answers are never rewritten, because they were signed. */
export const decisionsIn = (userResponse: unknown): RowDecision[] =>
  ((userResponse as { rows?: RowDecision[] } | null)?.rows ?? []).map((row) => fromEarlier(row));

/** The outcomes of a row and their words, unless its kind has its own. */
export const ROW_OUTCOMES: readonly OutcomeWords[] = [
  { id: 'accepted', label: 'Accept', done: 'Accepted', counted: 'accepted', all: 'Accept' },
  { id: 'edited', label: 'Edit', done: 'Accepted with edits', counted: 'edited', all: null },
  { id: 'rejected', label: 'Reject', done: 'Rejected', counted: 'rejected', all: 'Reject' },
];

type HasOutcomes = Pick<QuestionRows, 'outcomes'>;

/** The outcomes of a review, in display order. */
export const outcomesOf = ({ outcomes }: HasOutcomes): readonly OutcomeWords[] => outcomes ?? ROW_OUTCOMES;

/** The words for one outcome. */
export const wordsOf = (view: HasOutcomes, outcome: RowOutcome): OutcomeWords =>
  outcomesOf(view).find(({ id }) => id === outcome) ?? (ROW_OUTCOMES.find(({ id }) => id === outcome) as OutcomeWords);

/** "11 accepted, 2 edited, 0 rejected" of these decisions. */
export const describeOutcomes = (view: HasOutcomes, rows: readonly Pick<RowDecision, 'outcome'>[]): string =>
  outcomesOf(view)
    .map(({ id, counted }) => `${rows.filter(({ outcome }) => outcome === id).length} ${counted}`)
    .join(', ');

/** "accept, edit or reject", by the labels of the buttons. */
const listLabels = (outcomes: readonly OutcomeWords[]): string => {
  const labels = outcomes.map(({ label }) => label.toLowerCase());
  const last = labels.pop() ?? '';
  return labels.length > 0 ? `${labels.join(', ')} or ${last}` : last;
};

/** The outcomes in a sentence: "accept, edit or reject". */
export const listOutcomes = (view: HasOutcomes): string => listLabels(outcomesOf(view));

/** The question above a row's options. */
export const askOption = ({ headings }: Pick<QuestionRows, 'headings'>): string =>
  headings.options ?? 'Which match is right?';

/** Whether the only change to a row is another option, so that *edit* means: choose one of the others. */
export const editsByChoice = ({ fields }: Pick<QuestionRows, 'fields'>): boolean =>
  fields.length > 0 && fields.every(({ fixed }) => fixed);

/** Whether to ask for a reason: where the outcome requires one, and for every rejection. */
export const asksReason = ({ reasons }: Pick<QuestionRows, 'reasons'>, outcome: unknown): boolean =>
  outcome === 'rejected' || reasons.some((needed) => needed === outcome);

/** "accept, edit or reject": the outcomes that require a reason, by their buttons' labels; null where none does. */
export function describeReasons(view: Pick<QuestionRows, 'reasons' | 'outcomes'>): string | null {
  const needing = outcomesOf(view).filter(({ id }) => view.reasons.includes(id));
  return needing.length === 0 ? null : listLabels(needing);
}

/** Whether a row has several options. */
export const hasOptions = ({ options }: Pick<QuestionRow, 'options'>): boolean => options.length > 1;

/** Whether a person has to choose one of several options. */
export const hasChoice = (row: Pick<QuestionRow, 'options' | 'choiceIsOptional'>): boolean =>
  hasOptions(row) && !row.choiceIsOptional;

/** The row with the values of one of its options. */
export function withOption(row: QuestionRow, choice: string | undefined): QuestionRow {
  const chosen = row.options.find(({ id }) => id === choice);
  if (!chosen || chosen.id === row.option || !chosen.values) return row;
  const { id, name = row.name, group, values, grade } = chosen;
  return { ...row, name, option: id, group, values, grade };
}

/** The initial values of a row's page: earlier edits, else the values of the chosen option, else the row's own. */
export const valuesShown = (row: QuestionRow, decided: RowDecision | undefined): Record<string, string> => ({
  ...withOption(row, decided?.choice).values,
  ...decided?.values,
});

/** The fields of a row that can be edited: those that it has a value for. */
export const editableFields = ({ fields }: Pick<QuestionRows, 'fields'>, values: QuestionRow['values']) =>
  fields.filter(({ name, fixed }) => !fixed && (values === null || name in values));

/** The fields whose values differ from the row's. */
const changedFields = ({ fields }: Pick<QuestionRows, 'fields'>, row: QuestionRow, values?: RowDecision['values']) =>
  fields.map(({ name }) => name).filter((name) => values?.[name] !== undefined && values[name] !== row.values?.[name]);

/** The faulty part of a decision. */
export type RowPart = 'choice' | 'outcome' | 'values' | 'reason';

/** The fault of a decision and the part that has it; null where the decision is valid. */
export function findRowFault(
  { fields, noun, reasons }: Pick<QuestionRows, 'fields' | 'noun' | 'reasons'>,
  row: QuestionRow,
  { outcome, choice, values, reason }: Omit<RowDecision, 'id'>,
): { part: RowPart; field?: string; text: string } | null {
  const { name, options, option } = row;
  if (choice && choice !== option && !options.some(({ id }) => id === choice))
    return { part: 'choice', text: `${name}: the chosen candidate was not proposed.` };
  const unsaid =
    reasons.includes(outcome) && !reason?.trim()
      ? { part: 'reason' as const, text: `${name}: say why it is ${outcome}.` }
      : null;
  if (outcome === 'rejected') return unsaid;
  const isOther = Boolean(choice) && choice !== option;
  if (editsByChoice({ fields })) {
    if (outcome === 'edited' && !isOther) return { part: 'choice', text: `${name}: choose one of the others.` };
    if (outcome === 'accepted' && isOther)
      return { part: 'outcome', text: `${name}: another one is chosen. Take it, or clear the choice.` };
    return unsaid;
  }
  if (hasChoice(row) && !choice)
    return { part: 'choice', text: `${name} has more than one match. Choose one of them.` };
  if (outcome === 'accepted') return unsaid;
  const written = withOption(row, choice).values;
  const stray = fields.find(({ name: field }) => values?.[field] !== undefined && written && !(field in written));
  if (stray) {
    const text = `${name}: with this choice the ${stray.label.toLowerCase()} is not written. Undo that edit.`;
    return { part: 'values', field: stray.name, text };
  }
  const empty = fields.find((field) => field.required && values?.[field.name]?.trim() === '');
  if (empty) return { part: 'values', field: empty.name, text: `${name}: a ${noun.one} needs a ${empty.name}.` };
  const isChanged = isOther || changedFields({ fields }, row, values).length > 0;
  return isChanged ? unsaid : { part: 'outcome', text: `${name} is marked as edited and nothing was changed.` };
}

/** The input of a row's page; fields that the page did not show are absent. */
export type FilledRow = {
  outcome: unknown;
  choice?: string | undefined;
  reason?: string | undefined;
  values: Record<string, string | undefined>;
};

/**
 * The decision that a page's input stands for; null where no outcome is chosen. Only values that differ from what the
 * page showed count as edits.
 */
export function readRow(
  view: Pick<QuestionRows, 'fields' | 'reasons'>,
  row: QuestionRow,
  filled: FilledRow,
  decided: RowDecision | undefined,
): RowDecision | null {
  const outcome = ROW_OUTCOMES.find(({ id }) => id === filled.outcome)?.id;
  if (!outcome) return null;
  const { id } = row;
  const said = asksReason(view, outcome) ? filled.reason?.trim() : '';
  const reason = said ? { reason: said } : {};
  if (outcome === 'rejected') return { id, outcome, ...reason };
  const shown = valuesShown(row, decided);
  const edited = editableFields(view, shown).flatMap(({ name }) => {
    const text = filled.values[name]?.trim();
    return text === undefined || text === shown[name]?.trim() ? [] : [[name, text] as const];
  });
  const values = outcome === 'edited' ? { ...decided?.values, ...Object.fromEntries(edited) } : {};
  const choice = filled.choice?.trim();
  return {
    id,
    outcome,
    ...(Object.keys(values).length > 0 ? { values } : {}),
    ...(choice ? { choice } : {}),
    ...reason,
  };
}

/** Index of the first undecided row, searching from `from` and then from the top; -1 where all are decided. */
export function nextOpenRow(
  { rows }: Pick<QuestionRows, 'rows'>,
  decisions: readonly Pick<RowDecision, 'id'>[],
  from = 0,
): number {
  const decided = new Set(decisions.map(({ id }) => id));
  const next = rows.findIndex(({ id }, index) => index >= from && !decided.has(id));
  return next >= 0 ? next : rows.findIndex(({ id }) => !decided.has(id));
}
