import { onFirstUse } from '../../../../models/onFirstUse.ts';
import { classify, openClassifier, type Ranked } from '../../../engine/intents/classify.ts';
import { featuresOf } from '../../../engine/intents/messageFeatures.ts';
import { withPlaceholders } from '../../../engine/intents/placeholders.ts';
import type { Intent } from './intent.ts';
import { meaningOf } from './intentMeaning.ts';
import stored from './intentWeights.generated.json' with { type: 'json' };

const readClassifier = onFirstUse(() => openClassifier(stored));

/** What a message probably wants, by the classifier alone. */
export type Guess = {
  intent: Intent;
  /** From 0 to 1. */
  probability: number;
  /** How much likelier the intent is than the next one. */
  margin: number;
  /** The probability of any one intent. */
  of(intent: Intent): number;
  /** The highest probability of an incident in the message or in any of its sentences. */
  incident: number;
};

/** Sentences that are looked at on their own, from the beginning and as many from the end. */
const MAX_SENTENCES = 6;
const MAX_READ = 4000;
/** Characters of a message that decide on its intent; an incident may be told of behind them. */
const MAX_WHOLE = 2000;
/** Names of people that are replaced, at most. */
const MAX_NAMES = 200;
/** Keeps an intent that one of two readings rules out from having no probability at all. */
const FLOOR = 1e-4;

/** The sentences of a text that hold a word, the first and the last few of many. */
function sentencesOf(text: string): string[] {
  const read = text.length > 2 * MAX_READ ? `${text.slice(0, MAX_READ)}. ${text.slice(-MAX_READ)}` : text;
  const sentences = read.split(/(?<=[.!?\n])\s/).filter((one) => /\p{L}/u.test(one));
  return sentences.length > 2 * MAX_SENTENCES
    ? [...sentences.slice(0, MAX_SENTENCES), ...sentences.slice(-MAX_SENTENCES)]
    : sentences;
}

function rank(text: string, names: readonly string[]): Ranked[] {
  const line = withPlaceholders(text, names);
  return classify(readClassifier(), featuresOf(line), meaningOf(line));
}

const probabilityIn = (ranks: readonly Ranked[], name: string) =>
  ranks.find((one) => one.name === name)?.probability ?? 0;

/** The sentence that says the most clearly what it wants, courtesy apart. */
function clearestOf(readings: readonly Ranked[][]): Ranked[] | undefined {
  const asking = readings.filter(([first]) => first?.name !== 'small-talk');
  const clarity = ([first]: Ranked[]) => first?.probability ?? 0;
  return (asking.length > 0 ? asking : readings).reduce<Ranked[] | undefined>(
    (best, one) => (best && clarity(best) >= clarity(one) ? best : one),
    undefined,
  );
}

/** The geometric mean of two readings, whose probabilities add up to 1 again. */
function combine(whole: readonly Ranked[], clearest: readonly Ranked[]): Ranked[] {
  const joint = whole.map(({ name, probability }) => ({
    name,
    probability: Math.sqrt((probability + FLOOR) * (probabilityIn(clearest, name) + FLOOR)),
  }));
  const total = joint.reduce((sum, { probability }) => sum + probability, 0);
  return joint
    .map(({ name, probability }) => ({ name, probability: probability / total }))
    .sort((one, other) => other.probability - one.probability);
}

/**
 * Guesses what a message wants from its words, by weights that were trained on labelled messages (`npm run
 * train-intents`). Deterministic; takes bounded time whatever the length of the text.
 * @param people names of people and owners in the account, which say nothing about the intent
 */
export function guessIntent(text: string, people: readonly string[] = []): Guess {
  const names = [...new Set(people.slice(0, MAX_NAMES).map((name) => name.trim().toLowerCase()))];
  const whole = rank(text.slice(0, MAX_WHOLE), names);
  const sentences = sentencesOf(text);
  const readings = sentences.length > 1 ? sentences.map((one) => rank(one, names)) : [];
  const clearest = clearestOf(readings.slice(-4));
  const ranks = clearest ? combine(whole, clearest) : whole;
  return {
    intent: (ranks[0]?.name ?? 'unknown') as Intent,
    probability: ranks[0]?.probability ?? 0,
    margin: (ranks[0]?.probability ?? 0) - (ranks[1]?.probability ?? 0),
    of: (intent) => probabilityIn(ranks, intent),
    incident: Math.max(...[whole, ...readings].map((one) => probabilityIn(one, 'incident'))),
  };
}
