import { describe, expect, test } from '@jest/globals';
import { KNOWLEDGE } from '../../../../bot/agents/clinical_safety/knowledge/knowledge.ts';
import { rankByMeaning } from '../../../../bot/agents/clinical_safety/tickets/knowledgeMeaning.ts';
import {
  findNearest,
  indexMeanings,
  meaningOf,
  nearnessOf,
} from '../../../../bot/agents/clinical_safety/tickets/meaning.ts';

const near = (one: string, other: string) => nearnessOf(meaningOf(one), meaningOf(other));

describe('the meaning of a text', () => {
  test.each([
    ['The nurse gave the drug twice', 'A medicine was administered two times', 'The build pipeline is slow'],
    ['Laboratory results arrive late', 'Blood tests are delayed', 'Change the colour of the button'],
    ['The doctor can not log in', 'Clinicians are locked out of their account', 'The wound picture is blurred'],
  ])('brings “%s” nearer to “%s” than to “%s”', (text, alike, other) => {
    expect(near(text, alike)).toBeGreaterThan(near(text, other) + 0.1);
  });

  test('has length 1, whatever the length of the text', () => {
    for (const text of ['allergy', 'The allergy of the patient is missing. '.repeat(20)])
      expect(nearnessOf(meaningOf(text), meaningOf(text))).toBeCloseTo(1, 5);
  });

  test.each(['', 'zyxqwv', '12 %', 'é'])('is none for “%s”: it is near to nothing', (text) => {
    expect([...meaningOf(text)].every((axis) => axis === 0)).toBe(true);
    expect(near(text, 'allergy')).toBe(0);
  });

  test('depends on the words, not on their case, their marks or an address beside them', () => {
    expect(near('ALLERGY is hidden!', 'allergy is hidden https://tracker.example/EPS-1')).toBeCloseTo(1, 5);
  });

  test('ends after 160 words', () => {
    const words = 'allergy '.repeat(159);
    expect(near(`${words}dose backup`, `${words}dose`)).toBeCloseTo(1, 6);
    expect(near(`${words}backup dose`, `${words}dose`)).toBeLessThan(0.999999);
  });

  test('lets common words weigh little', () => {
    expect(near('the the the of of and and is is allergy', 'allergy')).toBeGreaterThan(0.75);
  });

  test('is compared with many, the nearest first, and with none that it is not near to', () => {
    const texts = indexMeanings(['allergy', 'backup', '', 'dose of a drug', 'medicine'].map(meaningOf));
    expect(findNearest(texts, meaningOf('medicine'), 3).slice(0, 2)).toEqual([4, 3]);
    expect(findNearest(texts, meaningOf('medicine'), 1)).toEqual([4]);
    expect(findNearest(texts, meaningOf(''), 3)).toEqual([]);
    expect(findNearest(indexMeanings([]), meaningOf('medicine'), 3)).toEqual([]);
  });

  const words = KNOWLEDGE.flatMap(({ description, causes }) => [description, ...causes]);
  const made = (count: number) =>
    Array.from({ length: count }, (_, at) =>
      meaningOf(`${words[at % words.length]} ${words[(at * 7) % words.length]}`),
    );
  const bestOf = (texts: readonly Float32Array[], meaning: Float32Array, count: number) =>
    texts
      .map((text, at) => ({ at, score: Math.fround(nearnessOf(meaning, text)) }))
      .sort((one, other) => other.score - one.score || one.at - other.at)
      .slice(0, count)
      .map(({ at }) => at);
  const asked = ['A prescription was sent twice', 'The nurse can not see the allergy', 'Results come late at night'];

  test.each([1, 63, 400])('finds the nearest of %i as by comparing with each', (count) => {
    const texts = made(count);
    for (const meaning of asked.map(meaningOf))
      expect(findNearest(indexMeanings(texts), meaning, 5)).toEqual(
        bestOf(texts, meaning, 5).filter((at) => at < count),
      );
  });

  test('finds two in three of the nearest of thousands at least', () => {
    const texts = made(3000);
    const index = indexMeanings(texts);
    expect(index.groups.flatMap(({ places }) => places).sort((one, other) => one - other)).toEqual([...texts.keys()]);
    const found = asked.map(meaningOf).flatMap((meaning) => {
      const best = new Set(bestOf(texts, meaning, 10));
      return findNearest(index, meaning, 10).filter((at) => best.has(at));
    });
    expect(found.length).toBeGreaterThanOrEqual(20);
  });
});

describe('entries of the knowledge base by words and meaning', () => {
  const [one, two, three] = KNOWLEDGE;
  const byWords = [one!, two!, three!].map((entry, at) => ({ entry, score: 30 - at }));

  test('are those by words where the meaning is unknown, and no others', () => {
    expect(rankByMeaning(byWords, meaningOf(''), 5)).toEqual(byWords);
    expect(rankByMeaning(byWords, meaningOf(''), 2)).toEqual(byWords.slice(0, 2));
  });

  test('are found without a word in common, and keep the score by words', () => {
    expect(rankByMeaning([], meaningOf(two!.description), 3)).toContainEqual({ entry: two, score: 0 });
    const near = rankByMeaning([{ entry: three!, score: 1 }], meaningOf(three!.title), 1);
    expect(near).toEqual([{ entry: three, score: 1 }]);
  });
});
