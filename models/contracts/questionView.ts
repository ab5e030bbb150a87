import { z } from 'zod';
import { questionRows } from './questionRows.ts';

/** A part of a question to read. */
const viewSection = z.object({
  heading: z.string().nullable(),
  text: z.string().nullable(),
  items: z.array(
    z.object({
      title: z.string(),
      text: z.string().nullable(),
      /** A quotation and its source. */
      quote: z.object({ text: z.string(), source: z.string() }).nullable(),
      /** CSS colours: "#08574f". */
      colours: z.array(z.string()),
    }),
  ),
  /** Number of items left out of `items`. */
  more: z.number().int(),
  /** URL of a page of ours to show in a frame. */
  frame: z.string().nullable(),
});
export type ViewSection = z.infer<typeof viewSection>;

/** A field: a text, or a choice of one option. */
const viewField = z.object({
  name: z.string(),
  label: z.string(),
  required: z.boolean(),
  /** In characters. */
  maxLength: z.number().int(),
  /** The field of the answer that the text goes into (docs/spec-coverage.md, S2 section 7). */
  answers: z.enum(['reason', 'userInput', 'userResponse.text', 'userResponse.choices']),
  /** The text that it begins with, where a person changes one instead of writing it. */
  value: z.string().optional(),
  /** What to choose from; absent for a text. Ids are free of customer content, because platforms carry them. */
  options: z.array(z.object({ id: z.string(), label: z.string() })).optional(),
});
export type ViewField = z.infer<typeof viewField>;

/** A button. */
const viewAction = z.object({
  /** Letters, digits and colons: platforms carry it in their buttons. */
  id: z.string(),
  /** The name that API calls use: `approve`, or the id of an option. */
  name: z.string(),
  label: z.string(),
  tone: z.enum(['primary', 'plain', 'danger']),
  /** Names of the fields to ask for before answering. */
  fields: z.array(z.string()),
  /** `rows`: opens the row review and does not answer yet. */
  opens: z.enum(['rows']).nullable(),
  /** The answer; the typed fields are added to it. */
  answer: z.record(z.string(), z.unknown()),
  /** What to ask before it is done; absent where it is done at once. */
  confirm: z.string().optional(),
  /** Set where surfaces no longer draw it; a button that was drawn earlier still gets its refusal. */
  isOver: z.literal(true).optional(),
});
export type ViewAction = z.infer<typeof viewAction>;

/** A question as data that every surface draws, whatever its kind. */
export const questionView = z.object({
  /** Display name of the kind: "Approval". */
  label: z.string(),
  prompt: z.string(),
  sections: z.array(viewSection),
  fields: z.array(viewField),
  /** The rows to decide one by one; null where there are none. */
  rows: questionRows.nullable(),
  /** In display order. */
  actions: z.array(viewAction),
});
export type QuestionView = z.infer<typeof questionView>;

/** The pressed button and the typed fields, by name. */
export type PressedAction = { action: string; fields: Record<string, unknown> };

/** Whether a button that a surface drew earlier stood for an action that the question has now under another number. */
export const wasDrawn = ({ view }: { view: Pick<QuestionView, 'actions'> }, actionId: string): boolean =>
  view.actions.some(({ id, name }) => id.includes(':') && name === actionId.split(':')[0]);

/**
 * The body of the resolve call that a pressed button stands for.
 * @returns null where the question has no such action, or the action only opens the rows
 */
export function answerOf(
  { actions, fields }: Pick<QuestionView, 'actions' | 'fields'>,
  pressed: PressedAction,
): Record<string, unknown> | null {
  const action = actions.find(({ id }) => id === pressed.action);
  if (!action || action.opens) return null;
  const answer: Record<string, unknown> = { ...action.answer };
  for (const { name, answers } of fields.filter((field) => action.fields.includes(field.name))) {
    const typed = pressed.fields[name];
    const text = typeof typed === 'string' ? typed.trim() : '';
    if (text === '') continue;
    const response = answer.userResponse as { choices?: object } | undefined;
    if (answers === 'userResponse.text') answer.userResponse = { ...response, text };
    else if (answers === 'userResponse.choices')
      answer.userResponse = { ...response, choices: { ...response?.choices, [name]: text } };
    else answer[answers] = text;
  }
  return answer;
}
