import { z } from 'zod';
import type { Interrupt } from '../../../../models/contracts/interrupts.ts';
import type { ConsentMode } from '../../../../models/contracts/preferences.ts';
import type { ViewAction } from '../../../../models/contracts/questionView.ts';
import { unfit } from './kind.ts';

type HasOptions = Pick<Interrupt, 'options'>;

/** The options of a question, each with an id. */
export const optionsOf = ({ options }: HasOptions): { id: string; label: string }[] =>
  options.map((it) => (typeof it === 'string' ? { id: it, label: it } : { id: it.id, label: it.label }));

const labelUnder = (label: string, index: number, mode: ConsentMode) =>
  mode === 'full' ? label : `Option ${index + 1}`;

/** One action per option: its label where it may be sent, else its number. */
export const optionActions = (
  question: HasOptions,
  mode: ConsentMode,
  choose: (id: string) => Pick<ViewAction, 'answer'> & { fields?: string[] },
): ViewAction[] =>
  optionsOf(question).map(({ id, label }, index) => ({
    id: `option:${index}`,
    name: id,
    label: labelUnder(label, index, mode),
    tone: 'plain',
    opens: null,
    fields: [],
    ...choose(id),
  }));

/** The label of an option under a consent mode; null for an unknown id. */
export function labelOf(question: HasOptions, mode: ConsentMode, id: unknown): string | null {
  const options = optionsOf(question);
  const index = options.findIndex((option) => option.id === id);
  return index < 0 ? null : labelUnder(options[index]?.label ?? '', index, mode);
}

/** Id of the option whose label is the text; undefined where there is none. */
export const namedOption = (question: HasOptions, words: string): string | undefined =>
  optionsOf(question).find(({ label }) => label.toLowerCase() === words.toLowerCase())?.id;

const choiceGiven = z.object({ choice: z.string().nullish(), text: z.string().trim().max(8000).nullish() });

/**
 * The option and the text of an answer; a text alone names the option.
 * @throws AppError bad_request where either is no text, or the text is too long
 */
export function readChoice(userResponse: unknown): { choice?: string; text?: string } {
  const given = typeof userResponse === 'string' ? { choice: userResponse } : (userResponse ?? {});
  const read = choiceGiven.safeParse(given);
  if (!read.success) throw unfit('userResponse', 'Choose one of the options, and write at most 8,000 characters.');
  const { choice, text } = read.data;
  return { ...(choice ? { choice } : {}), ...(text ? { text } : {}) };
}
