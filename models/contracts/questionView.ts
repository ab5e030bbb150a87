import { z } from 'zod';
import { questionRows } from './questionRows.ts';

/** Something to read in a question. */
const viewSection = z.object({
  heading: z.string().nullable(),
  text: z.string().nullable(),
  items: z.array(
    z.object({
      title: z.string(),
      text: z.string().nullable(),
      /** Somebody's words, and where they stand. */
      quote: z.object({ text: z.string(), source: z.string() }).nullable(),
      /** As in CSS: "#08574f". */
      colours: z.array(z.string()),
    }),
  ),
  /** How many further items are not listed. */
  more: z.number().int(),
  /** Address of a page of ours that may be framed. */
  frame: z.string().nullable(),
});
export type ViewSection = z.infer<typeof viewSection>;

/** Something to type. */
const viewField = z.object({
  name: z.string(),
  label: z.string(),
  required: z.boolean(),
  /** In characters. */
  maxLength: z.number().int(),
  /** Where the words stand in the answer (specification 2, section 7). */
  answers: z.enum(['reason', 'userInput', 'userResponse.text']),
});
export type ViewField = z.infer<typeof viewField>;

/** Something to press. */
const viewAction = z.object({
  /** Letters, digits and colons: platforms carry it in their buttons. */
  id: z.string(),
  /** What calls name it by: `approve`, or the id of an option. */
  name: z.string(),
  label: z.string(),
  tone: z.enum(['primary', 'plain', 'danger']),
  /** Names of the fields that are asked with it. */
  fields: z.array(z.string()),
  /** `rows`: opens the rows of the question, one after the other, and answers nothing yet. */
  opens: z.enum(['rows']).nullable(),
  /** The answer that it gives, to which what is typed is added. */
  answer: z.record(z.string(), z.unknown()),
});
export type ViewAction = z.infer<typeof viewAction>;

/** A question as every surface draws it: none knows a kind by name. */
export const questionView = z.object({
  /** What kind of question it is, for people: "Approval". */
  label: z.string(),
  prompt: z.string(),
  sections: z.array(viewSection),
  fields: z.array(viewField),
  /** What is decided on row by row; null where nothing is. */
  rows: questionRows.nullable(),
  /** In the order in which they stand. */
  actions: z.array(viewAction),
});
export type QuestionView = z.infer<typeof questionView>;

/** What somebody pressed on a question, with what they typed, by the names of the fields. */
export type PressedAction = { action: string; fields: Record<string, unknown> };

/**
 * The answer that pressing an action gives: what a call to resolve carries.
 * @returns null where the question has no such action, or it opens something and answers nothing yet
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
    if (answers === 'userResponse.text') answer.userResponse = { ...(answer.userResponse as object), text };
    else answer[answers] = text;
  }
  return answer;
}
