import type { Question } from '../../../engine/interrupts/question.ts';
import type { ChoicePoint } from '../../../engine/questions/kinds/choices.ts';
import type { Variant } from '../rules/terms.ts';

/** Most spellings that are asked about; the others stay open points. */
const MAX_ASKED = 6;

/** The spellings that a person has to choose, the most frequent first. */
export const toAsk = (variants: readonly Variant[]): Variant[] =>
  variants
    .filter(({ sure }) => sure === null)
    .sort((one, other) => countOf(other) - countOf(one))
    .slice(0, MAX_ASKED);

const countOf = ({ spellings }: Variant): number => spellings.reduce((sum, { count }) => sum + count, 0);

const LETTERS = 'ABCDEFGH';

const pointOf = ({ key, spellings, example }: Variant, at: number): ChoicePoint => ({
  id: key,
  label: `Word ${at + 1}: which spelling should stand?`,
  why: `The document uses ${spellings.map(({ text, count }) => `“${text}” (${count})`).join(' and ')}.`,
  options: spellings.map(({ text }, n) => ({
    id: text,
    label: text,
    reference: `Spelling ${LETTERS.charAt(n)}`,
    text: null,
    examples: n === 0 ? [{ title: 'In the document', gives: '', quote: example, source: '' }] : [],
  })),
});

/** The question about words that the document spells in more than one way. "I don't know" leaves them as they are. */
export function askSpellings(variants: readonly Variant[]): Question {
  const points = variants.map(pointOf);
  const [only] = points;
  return {
    interruptType: 'choices',
    prompt: `The document spells ${points.length === 1 ? 'a word' : `${points.length} words`} in more than one way, and does not say which is right. Choose for each, or “I don’t know”: then nothing is changed and it is listed as open.`,
    ...(only && points.length === 1
      ? { options: only.options.map(({ id, label, reference }) => ({ id, label, reference, action: id })) }
      : {}),
    context: { step: 'spellings', points },
  };
}
