import { expect, test } from '@jest/globals';
import stored from '../../../bot/agents/clinical_safety/answers/intentWeights.generated.json' with { type: 'json' };
import { openClassifier } from '../../../bot/engine/intents/classify.ts';
import { digestOfMessages, readMessages, readTuned } from './readMessages.ts';
import { calibrate, rankAll, SETTINGS, train } from './train.ts';

const messages = readMessages();

test('the stored weights are those of the messages and settings in the repository', () => {
  expect(stored.digest).toBe(digestOfMessages([...messages, ...readTuned()], SETTINGS));
  expect(JSON.stringify(stored).length).toBeLessThan(300_000);
});

test('a changed message or setting is noticed', () => {
  const [first, ...rest] = messages;
  const changed = [{ ...first!, text: `${first!.text}!` }, ...rest];
  expect(digestOfMessages(changed, SETTINGS)).not.toBe(digestOfMessages(messages, SETTINGS));
  expect(digestOfMessages(messages, { ...SETTINGS, seed: 2 })).not.toBe(digestOfMessages(messages, SETTINGS));
});

test('the same messages give the same weights', () => {
  const few = messages.filter((_, at) => at % 20 === 0);
  expect(train(few)).toEqual(train(few));
});

test('messages come from thirteen authors, at least 1,500 in all, a quarter of them queries, none twice in one', () => {
  const authors = new Set(messages.map(({ author }) => author));
  expect(authors.size).toBe(13);
  expect(messages.length).toBeGreaterThanOrEqual(1500);
  expect(messages.filter(({ intent }) => intent === 'query').length / messages.length).toBeGreaterThan(0.2);
  for (const author of authors) {
    const texts = messages.filter((one) => one.author === author).map(({ text }) => text);
    expect(texts.filter((text, at) => texts.indexOf(text) !== at)).toEqual([]);
  }
});

test('training finds intents of an author who was left out', () => {
  const few = messages.filter(({ author, intent }) => author !== 'tester' && ['query', 'clause'].includes(intent));
  const stored = train(few.filter((_, at) => at % 3 === 0));
  const left = messages.filter(({ author, intent }) => author === 'tester' && ['query', 'clause'].includes(intent));
  const right = rankAll(stored, left).filter(({ message, ranks }) => ranks[0]?.name === message.intent);
  expect(right.length / left.length).toBeGreaterThan(0.85);
  expect(calibrate(stored, left)).toBeGreaterThan(0);
});

test('weights that do not fit their classes are refused', () => {
  expect(() => openClassifier({ ...stored, weights: stored.weights.slice(0, 400) })).toThrow('do not fit');
});
