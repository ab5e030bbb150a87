import { z } from 'zod';

/** A part of a row that a person may change. */
const rowField = z.object({
  name: z.string(),
  label: z.string(),
  required: z.boolean(),
  /** True where two stand side by side. */
  half: z.boolean(),
});

/** What is suggested for a row to discuss, never entered anywhere: a figure from 1 (least) to 5, and its words. */
const rowGrade = z.object({ value: z.number(), texts: z.array(z.string()) });

/** One of the things that a row may be. */
const rowOption = z.object({
  id: z.string(),
  /** Null where it may not leave: its id says it. */
  title: z.string().nullable(),
  /** How near it is: "0.83". */
  note: z.string().nullable(),
  group: z.string().nullable(),
  /** What the row reads as with it; null where its words stay in Arc, or where it brings none. */
  values: z.record(z.string(), z.string()).nullable(),
  grade: rowGrade.nullable(),
});
export type RowOption = z.infer<typeof rowOption>;

/** A row to decide on, as far as it may leave. */
const questionRow = z.object({
  id: z.string(),
  /** What people call it: "NRL12". */
  name: z.string(),
  /** What it is in one line; null where that may not leave. */
  title: z.string().nullable(),
  group: z.string().nullable(),
  /** Its words, by the names of the fields; null where they stay in Arc. */
  values: z.record(z.string(), z.string()).nullable(),
  /** Somebody's words that it rests on. */
  quotes: z.array(z.object({ text: z.string(), source: z.string() })),
  grade: rowGrade.nullable(),
  /** What it may be, best first, where that has to be chosen; else none. */
  options: z.array(rowOption),
  /** The option that stands until another is chosen. */
  option: z.string(),
  /** What was decided on it in an earlier question, in a sentence. */
  earlier: z.string().nullable(),
});
export type QuestionRow = z.infer<typeof questionRow>;

const rowOutcome = z.enum(['accepted', 'edited', 'rejected']);
export type RowOutcome = z.infer<typeof rowOutcome>;

/** What rows are called: "repair", "repairs". */
const rowNoun = z.object({ one: z.string(), many: z.string() });
type RowNoun = z.infer<typeof rowNoun>;

/** "2 of 12 repairs". */
export const partOfRows = ({ one, many }: RowNoun, part: number, all: number): string =>
  `${part} of ${all} ${all === 1 ? one : many}`;

/** "2 of 12 repairs are decided". */
export const describeDecided = (noun: RowNoun, decided: number, all: number): string =>
  `${partOfRows(noun, decided, all)} ${decided === 1 ? 'is' : 'are'} decided`;

/** The rows of a question, decided on one by one. */
export const questionRows = z.object({
  /** What rows are called. */
  noun: rowNoun,
  /** Over the columns of a table. */
  headings: z.object({ row: z.string(), quotes: z.string(), grade: z.string() }),
  /** The first is what a row is called; the second stands below it. */
  fields: z.array(rowField),
  /** Outcomes that need a reason. Why a row is rejected may always be said. */
  reasons: z.array(rowOutcome),
  rows: z.array(questionRow),
});
export type QuestionRows = z.infer<typeof questionRows>;

/** What was decided on one row. */
export const rowDecision = z.object({
  /** The row's id. */
  id: z.string(),
  outcome: rowOutcome,
  /** With edited: what replaces the row's values, by the names of the fields. */
  values: z.record(z.string(), z.string()).optional(),
  /** The option chosen, where the row had several. */
  choice: z.string().optional(),
  /** One word for all took the best of several options; nobody chose among them. Kept only where it is so. */
  bestMatch: z.boolean().optional(),
  reason: z.string().max(2000).optional(),
});
export type RowDecision = z.infer<typeof rowDecision>;

/** A decision as it is written today: before 0.2.0 it named the option after where options came from then. */
export const fromEarlier = <T extends object>({ kbId, ...row }: T & { kbId?: string }) =>
  (kbId === undefined ? row : { ...row, choice: kbId }) as T;

/** The decisions in an answer, whenever it was given: what was signed is never written anew. */
export const decisionsIn = (userResponse: unknown): RowDecision[] =>
  ((userResponse as { rows?: RowDecision[] } | null)?.rows ?? []).map((row) => fromEarlier(row));

/** What may be decided on a row, in the order of every surface. */
export const ROW_OUTCOMES: readonly { id: RowOutcome; label: string }[] = [
  { id: 'accepted', label: 'Accept' },
  { id: 'edited', label: 'Edit' },
  { id: 'rejected', label: 'Reject' },
];

/** Said where a page is sent without a decision. */
export const NOT_DECIDED = 'Choose accept, edit or reject.';

/** Whether an outcome is asked for its reason: any that needs one, and a rejection. */
export const asksReason = ({ reasons }: Pick<QuestionRows, 'reasons'>, outcome: unknown): boolean =>
  outcome === 'rejected' || reasons.some((needed) => needed === outcome);

/** "accept, edit or reject": the outcomes that need a reason, in the words of their buttons; null where none does. */
export function describeReasons({ reasons }: Pick<QuestionRows, 'reasons'>): string | null {
  const verbs = ROW_OUTCOMES.filter(({ id }) => reasons.includes(id)).map(({ label }) => label.toLowerCase());
  const last = verbs.pop();
  return last === undefined ? null : verbs.length > 0 ? `${verbs.join(', ')} or ${last}` : last;
}

/** Whether a person has to say which of several options a row is. */
export const hasChoice = ({ options }: Pick<QuestionRow, 'options'>): boolean => options.length > 1;

/** A row as it reads with one of its options: what a person sees is what counts. */
export function withOption(row: QuestionRow, choice: string | undefined): QuestionRow {
  const chosen = row.options.find(({ id }) => id === choice);
  if (!chosen || chosen.id === row.option || !chosen.values) return row;
  return { ...row, option: chosen.id, group: chosen.group, values: chosen.values, grade: chosen.grade ?? row.grade };
}

/** The values that a page begins with: what was edited before, else those of the row with the option that was chosen. */
export const valuesShown = (row: QuestionRow, decided: RowDecision | undefined): Record<string, string> => ({
  ...row.values,
  ...withOption(row, decided?.choice).values,
  ...decided?.values,
});

/** The fields that a decision changes against the row. */
const changedFields = ({ fields }: Pick<QuestionRows, 'fields'>, row: QuestionRow, values?: RowDecision['values']) =>
  fields.map(({ name }) => name).filter((name) => values?.[name] !== undefined && values[name] !== row.values?.[name]);

/** Which part of a decision is at fault. */
export type RowPart = 'choice' | 'outcome' | 'values' | 'reason';

/** What is wrong with the decision on one row, and with which part of it; null where nothing is. */
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
  if (hasChoice(row) && !choice)
    return { part: 'choice', text: `${name} has more than one match. Choose one of them.` };
  if (outcome === 'accepted') return unsaid;
  const empty = fields.find((field) => field.required && values?.[field.name]?.trim() === '');
  if (empty) return { part: 'values', field: empty.name, text: `${name}: a ${noun.one} needs a ${empty.name}.` };
  const isChanged = (choice && choice !== option) || changedFields({ fields }, row, values).length > 0;
  return isChanged ? unsaid : { part: 'outcome', text: `${name} is marked as edited and nothing was changed.` };
}

/** What somebody filled in on the page of a row; a field that was not there is absent. */
export type FilledRow = {
  outcome: unknown;
  choice?: string | undefined;
  reason?: string | undefined;
  values: Record<string, string | undefined>;
};

/**
 * What a page says of its row; null where nothing is chosen on it. Only what the person changed against what the page
 * showed is an edit: a field that was not there, or was left as it was, changes nothing.
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
  const edited = view.fields.flatMap(({ name }) => {
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

/** The first row that is not decided, from a row on and then from the top; -1 where none is left. */
export function nextOpenRow(
  { rows }: Pick<QuestionRows, 'rows'>,
  decisions: readonly Pick<RowDecision, 'id'>[],
  from = 0,
): number {
  const decided = new Set(decisions.map(({ id }) => id));
  const next = rows.findIndex(({ id }, index) => index >= from && !decided.has(id));
  return next >= 0 ? next : rows.findIndex(({ id }) => !decided.has(id));
}
