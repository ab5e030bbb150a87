import { meaningOf } from '../../../bot/agents/clinical_safety/answers/intentMeaning.ts';
import { classify, openClassifier, type Ranked, type StoredWeights } from '../../../bot/engine/intents/classify.ts';
import { BUCKETS, featuresOf } from '../../../bot/engine/intents/messageFeatures.ts';
import { withPlaceholders } from '../../../bot/engine/intents/placeholders.ts';
import { digestOfMessages, type Message } from './readMessages.ts';

/** How the classifier is trained. A change of any of them is a change of the weights' digest. */
export const SETTINGS = {
  buckets: BUCKETS,
  rounds: 30,
  rate: 0.5,
  /** Strength of the pull of each weight towards 0. */
  decay: 1e-4,
  /** 0 gives each message the same weight, 1 each intent. */
  balance: 0.5,
  /** A missed incident is worse than any other mistake. */
  importance: { incident: 2 } as Readonly<Record<string, number>>,
  seed: 1,
  /** People and owners in the messages, which are replaced by a placeholder as those of an account are. */
  people:
    'okafor,patel,whitfield,shah,bev,marcus,sunita,alex,sam,piotr,katarzyna,tom,sarah,helen,raj,simon,zed,priya,ada quill,clinical lead,data lead,product manager,medicines lead,operations lead,head nurse,quality manager,medical director,head of engineering,ward manager'.split(
      ',',
    ),
};

/** Rows of weights that a message needs, with the value of each. */
type Example = { rows: Int32Array; values: Float64Array; target: number };

function exampleOf({ text, intent }: Message, classes: readonly string[]): Example {
  const { buckets, values } = featuresOf(withPlaceholders(text, SETTINGS.people));
  const meaning = [...meaningOf(text)];
  return {
    rows: Int32Array.from([...buckets, ...meaning.map((_, axis) => BUCKETS + axis)]),
    values: Float64Array.from([...values, ...meaning]),
    target: classes.indexOf(intent),
  };
}

/** Numbers from 0 to 1 in a fixed order (a linear congruential generator). */
function fixedNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

function shuffle<Item>(items: Item[], random: () => number): void {
  for (let at = items.length - 1; at > 0; at -= 1) {
    const other = Math.floor(random() * (at + 1));
    [items[at], items[other]] = [items[other]!, items[at]!];
  }
}

/** Turns logits into probabilities, in place. */
function normalise(logits: Float64Array): void {
  const highest = Math.max(...logits);
  let sum = 0;
  for (let at = 0; at < logits.length; at += 1) {
    logits[at] = Math.exp(logits[at]! - highest);
    sum += logits[at]!;
  }
  for (let at = 0; at < logits.length; at += 1) logits[at] = logits[at]! / sum;
}

/** Softmax regression by stochastic descent with a rate for each weight (AdaGrad). Same messages, same result. */
function fitWeights(examples: readonly Example[], classes: readonly string[]) {
  const width = classes.length;
  const height = examples.reduce((most, { rows }) => Math.max(most, (rows.at(-1) ?? 0) + 1), BUCKETS);
  const weights = new Float64Array(height * width);
  const squares = new Float64Array(height * width).fill(1e-6);
  const bias = new Float64Array(width);
  const biasSquares = new Float64Array(width).fill(1e-6);
  const frequency = classes.map((_, at) => examples.filter(({ target }) => target === at).length);
  const importance = frequency.map(
    (count, at) =>
      (examples.length / width / Math.max(1, count)) ** SETTINGS.balance *
      (SETTINGS.importance[classes[at] ?? ''] ?? 1),
  );
  const random = fixedNumbers(SETTINGS.seed);
  const order = examples.map((_, at) => at);
  const errors = new Float64Array(width);
  for (let round = 0; round < SETTINGS.rounds; round += 1) {
    shuffle(order, random);
    for (const at of order) {
      const { rows, values, target } = examples[at]!;
      errors.set(bias);
      for (let sign = 0; sign < rows.length; sign += 1) {
        const start = rows[sign]! * width;
        for (let own = 0; own < width; own += 1) errors[own] = errors[own]! + weights[start + own]! * values[sign]!;
      }
      normalise(errors);
      errors[target] = errors[target]! - 1;
      for (let own = 0; own < width; own += 1) {
        const error = errors[own]! * importance[target]!;
        errors[own] = error;
        biasSquares[own] = biasSquares[own]! + error * error;
        bias[own] = bias[own]! - (SETTINGS.rate * error) / Math.sqrt(biasSquares[own]!);
      }
      for (let sign = 0; sign < rows.length; sign += 1) {
        const start = rows[sign]! * width;
        for (let place = start; place < start + width; place += 1) {
          const slope = errors[place - start]! * values[sign]! + SETTINGS.decay * weights[place]!;
          squares[place] = squares[place]! + slope * slope;
          weights[place] = weights[place]! - (SETTINGS.rate * slope) / Math.sqrt(squares[place]!);
        }
      }
    }
  }
  return { weights, bias };
}

/** Rounds each class's weights to 255 steps. */
function quantise(weights: Float64Array, width: number): { steps: number[]; bytes: Int8Array } {
  const most = new Float64Array(width);
  for (const [place, weight] of weights.entries())
    most[place % width] = Math.max(most[place % width]!, Math.abs(weight));
  const steps = [...most].map((value) => Number((value / 127).toPrecision(6)) || 1);
  return { steps, bytes: Int8Array.from(weights, (weight, place) => Math.round(weight / steps[place % width]!)) };
}

/** Trains a classifier. Deterministic. @param temperature see {@link StoredWeights} */
export function train(messages: readonly Message[], temperature = 1): StoredWeights {
  const classes = [...new Set(messages.map(({ intent }) => intent))].sort();
  const { weights, bias } = fitWeights(
    messages.map((message) => exampleOf(message, classes)),
    classes,
  );
  const { steps, bytes } = quantise(weights, classes.length);
  return {
    digest: digestOfMessages(messages, SETTINGS),
    classes,
    temperature,
    bias: [...bias].map((value) => Number(value.toFixed(4))),
    steps,
    weights: Buffer.from(bytes).toString('base64'),
  };
}

/** Ranks the intents of messages by stored weights. */
export function rankAll(stored: StoredWeights, messages: readonly Message[]): { message: Message; ranks: Ranked[] }[] {
  const classifier = openClassifier(stored);
  return messages.map((message) => ({
    message,
    ranks: classify(classifier, featuresOf(withPlaceholders(message.text, SETTINGS.people)), meaningOf(message.text)),
  }));
}

/** The temperature, in steps of 0.05, by which the right intents of messages are the least surprising. */
export function calibrate(stored: StoredWeights, messages: readonly Message[]): number {
  const surprise = (temperature: number) =>
    rankAll({ ...stored, temperature }, messages).reduce(
      (sum, { message, ranks }) =>
        sum - Math.log(Math.max(1e-9, ranks.find(({ name }) => name === message.intent)?.probability ?? 0)),
      0,
    );
  const tried = Array.from({ length: 51 }, (_, at) => 0.5 + at * 0.05);
  const rated = tried.map((temperature) => ({ temperature, surprise: surprise(temperature) }));
  return rated.reduce((best, one) => (one.surprise < best.surprise ? one : best)).temperature;
}
