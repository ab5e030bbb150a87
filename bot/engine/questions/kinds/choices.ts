import { z } from 'zod';
import type { Interrupt } from '../../../../models/contracts/interrupts.ts';
import type { ConsentMode } from '../../../../models/contracts/preferences.ts';
import type { ViewField, ViewSection } from '../../../../models/contracts/questionView.ts';
import { saysNotKnown } from '../notKnown.ts';
import { type QuestionKind, unfit } from './kind.ts';
import { promptUnder } from './sections.ts';

const SECTION = { heading: null, text: null, items: [], more: 0, frame: null };

const choicePoint = z.object({
  id: z.string(),
  /** The question, in words without customer content: they go to platforms in every consent mode. */
  label: z.string(),
  /** The reason for asking. */
  why: z.string(),
  options: z.array(
    z.object({
      id: z.string(),
      label: z.string(),
      /** The same without customer content: "Column E". */
      reference: z.string(),
      text: z.string().nullable(),
      /** What shows the difference: where, what it means with this option, and the words as they stand. */
      examples: z.array(z.object({ title: z.string(), gives: z.string(), quote: z.string(), source: z.string() })),
    }),
  ),
});
/** A point to settle, with its options. */
export type ChoicePoint = z.output<typeof choicePoint>;

/** A point as answered: the option's id; null where the person does not know. */
const choiceMade = z.object({ point: z.string(), choice: z.string().nullable() });
type ChoiceMade = z.output<typeof choiceMade>;

/** The choices of an answered question. */
export const choicesIn = (userResponse: unknown): ChoiceMade[] =>
  z.object({ choices: z.array(choiceMade) }).parse(userResponse).choices;

const pointsOf = ({ context }: { context: object }): ChoicePoint[] =>
  z.array(choicePoint).parse((context as Interrupt['context']).points ?? []);

const NOT_KNOWN = { id: 'unknown', label: 'I don’t know' };

/** Field and option ids are numbers, because a point's own ids may hold customer content. */
const nameOf = (point: number) => `choice${point + 1}`;
const idOf = (option: number) => `option${option + 1}`;

const labelUnder = ({ label, reference }: ChoicePoint['options'][number], mode: ConsentMode) =>
  mode === 'full' ? label : reference;

const fieldsUnder = (points: readonly ChoicePoint[], mode: ConsentMode): ViewField[] =>
  points.map(({ label, options }, at) => ({
    name: nameOf(at),
    label,
    required: true,
    maxLength: 40,
    answers: 'userResponse.choices',
    options: [...options.map((option, n) => ({ id: idOf(n), label: labelUnder(option, mode) })), NOT_KNOWN],
  }));

/** Each point with its reason, then each option that has more to say than its name, with what it would mean. */
const sectionsOf = (points: readonly ChoicePoint[]): ViewSection[] =>
  points.flatMap(({ label, why, options }) => [
    { ...SECTION, text: `${label} ${why}` },
    ...options.filter(saysMore).map(({ label: option, text, examples }) => ({
      ...SECTION,
      heading: option,
      text,
      items: examples.map(({ title, gives, quote, source }) => ({
        title,
        text: gives,
        quote: { text: quote, source },
        colours: [],
      })),
    })),
  ]);

const saysMore = ({ text, examples }: ChoicePoint['options'][number]) => text !== null || examples.length > 0;

const answerGiven = z.union([
  z.object({ notKnown: z.literal(true) }),
  z.object({ named: z.string() }),
  z.object({ choices: z.record(z.string(), z.string()) }),
]);

/** The choice of each point in an answer; undefined where it is missing or none of the options. */
function readChoices(points: readonly ChoicePoint[], given: z.output<typeof answerGiven>) {
  const chosenAt = (options: ChoicePoint['options'], at: number) => {
    if ('notKnown' in given) return null;
    if ('named' in given) return points.length === 1 ? options.find(({ id }) => id === given.named)?.id : undefined;
    const chosen = given.choices[nameOf(at)];
    return chosen === NOT_KNOWN.id ? null : options.find((_, n) => idOf(n) === chosen)?.id;
  };
  return points.map(({ id, options }, at) => ({ point: id, choice: chosenAt(options, at) }));
}

/**
 * Several points to settle in one answer, each by one of its options or by "I don't know". Its context holds the
 * `points`; a question with a single point repeats its options in `options`, so that their labels answer it in words.
 */
export const choices: QuestionKind = {
  id: 'choices',
  label: 'Choices',
  isForPrograms: true,
  check(row, { userResponse }) {
    const points = pointsOf(row);
    const given = answerGiven.safeParse(userResponse);
    const made = given.success ? readChoices(points, given.data) : [];
    const fields = fieldsUnder(points, 'full');
    const open = fields.find((_, at) => made[at]?.choice === undefined);
    if (open) throw unfit(open.name, `${open.label} Choose one of the options, or “${NOT_KNOWN.label}”.`);
    return { userResponse: { choices: made }, outcome: 'answered' };
  },
  readWords({ options }, text) {
    if (saysNotKnown(text)) return { userResponse: { notKnown: true } };
    const named = options.find((it) => typeof it !== 'string' && it.label.toLowerCase() === text.toLowerCase());
    return named && typeof named !== 'string' ? { userResponse: { named: named.id } } : null;
  },
  wordsThatAnswer: 'Choose an option under the question, or say “I don’t know”.',
  view(question, mode) {
    const points = pointsOf(question);
    const fields = fieldsUnder(points, mode);
    return {
      prompt: promptUnder(question, mode),
      sections: mode === 'full' ? sectionsOf(points) : [],
      fields,
      actions: [
        {
          id: 'choose',
          name: 'choose',
          label: 'Choose',
          tone: 'primary',
          fields: fields.map(({ name }) => name),
          opens: null,
          answer: {},
        },
      ],
    };
  },
  answered(question, mode) {
    if (!question.userResponse) return null;
    const made = new Map(choicesIn(question.userResponse).map(({ point, choice }) => [point, choice]));
    return pointsOf(question)
      .map(({ id, options }) => {
        const chosen = options.find((option) => option.id === made.get(id));
        return chosen ? labelUnder(chosen, mode) : NOT_KNOWN.label;
      })
      .join('; ');
  },
};
