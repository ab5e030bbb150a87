import { AppError } from '../../../models/contracts/errors.ts';
import type { OutsideAsk } from '../../../models/contracts/outsideQuestions.ts';
import type { Question } from '../interrupts/question.ts';
import type { ChoicePoint } from '../questions/kinds/choices.ts';
import { kindOf } from '../questions/kinds/index.ts';
import { unfit } from '../questions/kinds/kind.ts';

type Options = NonNullable<OutsideAsk['options']>;

/** Options with distinct ids and labels, as questions keep them. @throws AppError bad_request */
function readOptions(given: Options, field: string) {
  const options = given.map((it) => (typeof it === 'string' ? { id: it, label: it } : it));
  for (const part of ['id', 'label'] as const)
    if (new Set(options.map((it) => it[part].toLowerCase())).size < options.length)
      throw unfit(field, 'Each option needs a name of its own.');
  return options.map(({ id, label }) => ({ id, label, action: id }));
}

function readPoints(given: NonNullable<OutsideAsk['points']>): ChoicePoint[] {
  if (new Set(given.map(({ id }) => id)).size < given.length)
    throw unfit('points', 'Each point needs an id of its own.');
  return given.map(({ id, prompt, options }, at) => ({
    id,
    // A label goes to platforms in every consent mode, so the program's words stand in the reason instead.
    label: `Point ${at + 1}.`,
    why: prompt,
    options: readOptions(options, `points.${at}.options`).map((option, n) => ({
      id: option.id,
      label: option.label,
      reference: `Option ${n + 1}`,
      text: null,
      examples: [],
    })),
  }));
}

/** What each kind takes beside its text. Kinds of the program's own take options or none. */
const TAKES: Record<string, { options: 'none' | 'needed' | 'free'; points: boolean }> = {
  approval: { options: 'none', points: false },
  input: { options: 'none', points: false },
  decision: { options: 'needed', points: false },
  choices: { options: 'none', points: true },
};
const OWN_KIND = { options: 'free', points: false } as const;

/**
 * The question that a program asks, in the form in which agents ask.
 * @throws AppError not_available for a kind that only agents may ask, bad_request naming the faulty field
 */
export function readAsk({ kind, prompt, description, options = [], points }: OutsideAsk): Question {
  const known = kindOf(kind);
  if (!known.isForPrograms || known.requires || known.hasDraft)
    throw new AppError('not_available', {
      text: `A question of the kind “${kind}” is asked by an agent only, as its answer releases something.`,
    });
  const takes = TAKES[known.id] ?? OWN_KIND;
  if (takes.options === 'none' && options.length > 0) throw unfit('options', `The kind “${kind}” takes no options.`);
  if ((takes.options === 'needed' && options.length < 2) || options.length === 1)
    throw unfit('options', 'Give at least two options.');
  if (takes.points !== (points !== undefined))
    throw unfit('points', takes.points ? 'Give the points to settle.' : `The kind “${kind}” takes no points.`);
  const settled = points ? readPoints(points) : null;
  return {
    interruptType: kind,
    prompt,
    options:
      settled?.length === 1
        ? (settled[0]?.options ?? []).map(({ id, label }) => ({ id, label, action: id }))
        : readOptions(options, 'options'),
    context: { ...(description ? { description } : {}), ...(settled ? { points: settled } : {}) },
  };
}
