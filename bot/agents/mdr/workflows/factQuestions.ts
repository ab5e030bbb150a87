import type { Question } from '../../../engine/interrupts/question.ts';
import type { ChoicePoint } from '../../../engine/questions/kinds/choices.ts';
import { askedAgain } from '../../../engine/questions/notKnown.ts';
import { CHOICES, type ChoiceFact, type DeviceFacts, factOf, TEXT_FACTS, TEXTS } from '../facts/facts.ts';
import { listFacts } from '../rules/describe.ts';
import { qualify } from '../rules/qualification.ts';

/** The points, in the groups in which they are asked. */
const GROUPS: readonly { title: string; facts: readonly ChoiceFact[] }[] = [
  { title: 'is it a medical device, and where is it sold', facts: ['medical', 'processing', 'individual', 'market'] },
  {
    title: 'its class',
    facts: ['decisions', 'significance', 'harm', 'condition', 'monitoring', 'driven'],
  },
  { title: 'its software and its use', facts: ['failure', 'lay', 'combined', 'mobile', 'measuring'] },
];

/** Facts that only matter where its information is used for decisions. */
const OF_DECISIONS: readonly ChoiceFact[] = ['significance', 'harm', 'condition'];

function isAsked(facts: DeviceFacts, fact: ChoiceFact, group: number): boolean {
  if (factOf(facts, fact) !== undefined) return false;
  // A product that is no device has no class.
  if (group === 1 && qualify(facts).qualifies === 'no') return false;
  return !(OF_DECISIONS.includes(fact) && factOf(facts, 'decisions') === 'no');
}

/** The next group, from `from` on, with points that are open; null where none is left. */
export function nextPoints(facts: DeviceFacts, from: number): { group: number; points: ChoiceFact[] } | null {
  for (let group = from; group < GROUPS.length; group += 1) {
    const points = (GROUPS[group]?.facts ?? []).filter((fact) => isAsked(facts, fact, group));
    if (points.length > 0) return { group, points };
  }
  return null;
}

const pointOf = (fact: ChoiceFact): ChoicePoint => ({
  id: fact,
  label: CHOICES[fact].question,
  why: CHOICES[fact].why,
  options: CHOICES[fact].options.map(({ id, label }) => ({ id, label, reference: label, text: null, examples: [] })),
});

/** The question for a group of points. Each can be answered by "I don't know". */
export function askPoints(points: readonly ChoiceFact[], group: number, unread: readonly string[]): Question {
  const [only] = points;
  const example = only ? `${CHOICES[only].label}: ${CHOICES[only].options[0]?.label ?? ''}` : '';
  return {
    interruptType: 'choices',
    prompt: `Facts ${group + 1} of ${GROUPS.length}: ${GROUPS[group]?.title ?? ''}. Choose for each, or “I don’t know”. You can also write lines, for example “${example}”.${describeUnread(unread)}`,
    // One point can be answered by the words of its options.
    ...(only && points.length === 1 ? { options: CHOICES[only].options.map((it) => ({ ...it, action: it.id })) } : {}),
    context: { step: 'facts', points: points.map(pointOf) },
  };
}

export const describeUnread = (unread: readonly string[]): string =>
  unread.length > 0 ? ` I couldn’t read: ${unread.map((line) => `“${line}”`).join(', ')}.` : '';

const LINES = TEXT_FACTS.map((fact) => {
  const { label, hint, required } = TEXTS[fact];
  return `${label}: ${hint}${required ? '' : ' (optional)'}`;
}).join('\n');

/** The first question about a product: facts in words, a line each; those that can be left out are marked. */
export const askProduct = (unread: readonly string[]): Question => ({
  interruptType: 'input',
  prompt: `Tell me about the product, a line for each fact. The name and the intended purpose are needed.${describeUnread(unread)}`,
  context: { step: 'facts', description: LINES },
});

const promptFor = (fact: 'name' | 'purpose', facts: DeviceFacts): string =>
  fact === 'name'
    ? 'What is the product called?'
    : `What is ${factOf(facts, 'name') ?? 'the product'} for? Say its intended purpose in one or two sentences.`;

/**
 * The question for one needed fact that an answer left out.
 * @param isAgain whether it was asked before, and the answer did not give it
 */
export const askMissing = (fact: 'name' | 'purpose', facts: DeviceFacts, isAgain = false): Question => ({
  interruptType: 'input',
  prompt: isAgain ? askedAgain(promptFor(fact, facts)) : promptFor(fact, facts),
  context: { step: 'facts' },
});

/** The question about a known product: what has changed since. */
export const askChanges = (name: string, facts: DeviceFacts): Question => ({
  interruptType: 'input',
  prompt: `What has changed about ${name}? Say “nothing”, or write only the lines that changed, for example “Version: 2.2”. Another product: begin with “Name: …”.`,
  context: { step: 'facts', description: listFacts(facts).join('\n') },
});
