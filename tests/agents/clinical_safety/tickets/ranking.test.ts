import { describe, expect, test } from '@jest/globals';
import { KNOWLEDGE } from '../../../../bot/agents/clinical_safety/knowledge/knowledge.ts';
import {
  type KnowledgeRanking,
  queryOf,
  rankKnowledge,
  ticketTerms,
} from '../../../../bot/agents/clinical_safety/tickets/knowledgeRanking.ts';
import { linearScore } from '../../../../bot/agents/clinical_safety/tickets/linearModel.ts';
import { meaningOf } from '../../../../bot/agents/clinical_safety/tickets/meaning.ts';
import {
  addScores,
  addScoresAndHits,
  buildIndex,
  findBest,
  type WeightedTerms,
} from '../../../../bot/agents/clinical_safety/tickets/ranking.ts';
import { scoreTicket } from '../../../../bot/agents/clinical_safety/tickets/relevance.ts';
import { FEATURES, relevanceFeatures } from '../../../../bot/agents/clinical_safety/tickets/relevanceFeatures.ts';
import {
  hasSureKind,
  isAbout,
  isClearWinner,
  isSure,
} from '../../../../bot/agents/clinical_safety/tickets/sureness.ts';
import { stem, termsOf } from '../../../../bot/agents/clinical_safety/tickets/words.ts';
import { plainBm25 } from './plainBm25.ts';

const rounded = (scores: Iterable<number>) => [...scores].map((score) => Math.round(score * 10_000) / 10_000);
const fields = (...texts: [text: string, weight: number][]): WeightedTerms[] =>
  texts.map(([text, weight]) => ({ terms: text.split(' ').filter(Boolean), weight }));

describe('the index', () => {
  const documents = [
    fields(['dose wrong', 2], ['dose is shown in the wrong unit', 1]),
    fields(['allergy hidden', 2], ['the allergy is hidden', 0.5]),
    fields(['', 2], ['', 1]),
    fields(['dose dose dose', 1]),
    fields(['unit', 0.5]),
  ];
  const QUERIES: [string, number][][] = [
    [['dose', 1]],
    [
      ['allergy', 1],
      ['hidden', 0.35],
    ],
    [
      ['dose', 1],
      ['wrong', 1],
      ['unit', 0.35],
      ['unknown', 1],
    ],
    [['unknown', 1]],
    [],
  ];

  test.each(QUERIES.map((query) => [query] as const))('scores %j as BM25 does', (query) => {
    const index = buildIndex(documents);
    const scores = new Float32Array(documents.length);
    addScores(index, query, scores);
    expect(rounded(scores)).toEqual(rounded(plainBm25(documents, query)));
    // A second query adds to the scores.
    addScores(index, query, scores);
    expect(rounded(scores)).toEqual(
      rounded(
        plainBm25(
          documents,
          query.map(([term, weight]) => [term, weight * 2]),
        ),
      ),
    );
    const again = new Float32Array(documents.length);
    addScoresAndHits(index, query, again, new Uint8Array(documents.length));
    expect(rounded(again)).toEqual(rounded(plainBm25(documents, query)));
  });

  test('of one document weighs its words by its own length', () => {
    const one = [fields(['dose is shown in the wrong unit', 1])];
    const scores = new Float32Array(1);
    addScores(buildIndex(one), [['dose', 1]], scores);
    expect(rounded(scores)).toEqual(rounded(plainBm25(one, [['dose', 1]])));
  });

  test('scores nothing if it is empty, or for words without weight', () => {
    expect(buildIndex([]).size).toBe(0);
    const scores = new Float32Array(2);
    addScores(buildIndex([fields(['dose', 0]), []]), [['dose', 1]], scores);
    expect([...scores]).toEqual([0, 0]);
  });

  test('counts a shared word from a gain of a quarter on', () => {
    const index = buildIndex(documents);
    const hitsOf = (...query: [string, number][]) => {
      const hits = new Uint8Array(documents.length);
      addScoresAndHits(index, query, new Float32Array(documents.length), hits);
      return [...hits];
    };
    const [gain = 0] = plainBm25(documents, [['dose', 1]]);
    expect(hitsOf(['dose', 0.2501 / gain], ['wrong', 0.001])[0]).toBe(1);
    expect(hitsOf(['dose', 0.2499 / gain], ['wrong', 0.001])[0]).toBe(0);
    expect(hitsOf(['dose', 1], ['wrong', 1], ['allergy', 1], ['unknown', 1])).toEqual([2, 1, 0, 1, 0]);
  });

  test('ignores words of more than five hundred documents, and of more than 15 in a hundred', () => {
    const scored = (having: number, size: number, isFirst: boolean) => {
      const documents = Array.from({ length: size }, (_, at) => fields([at < having ? 'dose' : 'other', 1]));
      const scores = new Float32Array(size);
      const index = buildIndex(isFirst ? documents : documents.reverse());
      addScoresAndHits(index, [['dose', 1]], scores, new Uint8Array(size));
      return scores.some((score) => score > 0);
    };
    // Whichever word the index knew first.
    for (const isFirst of [true, false]) {
      expect(scored(100, 590, isFirst)).toBe(true);
      expect(scored(500, 600, isFirst)).toBe(true);
      expect(scored(501, 600, isFirst)).toBe(false);
      expect(scored(600, 4000, isFirst)).toBe(true);
      expect(scored(601, 4000, isFirst)).toBe(false);
    }
  });

  test.each([
    [[3, 1, 2], 2, 0, [0, 2]],
    [[1, 2, 3], 2, 0, [2, 1]],
    [[2, 2, 2, 2], 2, 0, [0, 1]],
    [[1, 2, 2], 3, 0, [1, 2, 0]],
    [[0, 0.1, 0], 2, 0, [1]],
    [[1, 2, 3], 3, 2, [2]],
    [[1, 2, 3], 1, 0, [2]],
    [[3, 2, 4, 1, 5], 3, 0, [4, 2, 0]],
    [[], 2, 0, []],
  ])('finds in the scores %j the best %i over %d: %j', (scores, count, least, places) => {
    expect(findBest(Float32Array.from(scores), count, least).map(({ at }) => at)).toEqual(places);
    expect(findBest(Float32Array.from(scores), count, least).map(({ score }) => score)).toEqual(
      rounded(Float32Array.from(places.map((at) => scores[at] ?? 0))).map((score) => Math.fround(score)),
    );
  });
});

describe('the words of a ticket', () => {
  test('come from a thousand characters of the summary and six thousand of the description, 160 at most', () => {
    const { summary, description } = ticketTerms(`${'ab '.repeat(333)}xcd`, `${'cd '.repeat(400)}`);
    expect([summary.length, summary.at(-1), description.length]).toEqual([333, 'ab', 160]);
    expect(ticketTerms(`${'ab '.repeat(332)}wxyz`, '').summary.at(-1)).toBe('wxyz');
    expect(ticketTerms('', `${'1'.repeat(5996)} abc`).description).toEqual(['abc']);
    expect(ticketTerms('', `${'1'.repeat(5998)} abc`).description).toEqual([]);
    expect(ticketTerms('', Array.from({ length: 161 }, (_, at) => `w${at}x`).join(' ')).description.at(-1)).toBe(
      'w159x',
    );
  });

  test('count fully in the summary and a third in the description', () => {
    expect([...queryOf({ summary: ['dose', 'dose'], description: ['dose', 'unit'] })]).toEqual([
      ['dose', 1],
      ['unit', 0.35],
    ]);
  });
});

describe('the knowledge base', () => {
  const documents = KNOWLEDGE.map((entry) => [
    { terms: termsOf(entry.title), weight: 2 },
    { terms: termsOf(entry.description), weight: 1 },
    { terms: entry.causes.flatMap(termsOf), weight: 1 },
    { terms: entry.keywords.flatMap(termsOf), weight: 2 },
    { terms: termsOf(entry.clinicalImpact), weight: 0.5 },
  ]);
  /** Every keyword as its stems, with the entries that have it. */
  const phrases = new Map<string, Set<number>>();
  for (const [at, { keywords }] of KNOWLEDGE.entries())
    for (const keyword of keywords) {
      const key = termsOf(keyword).join(' ');
      if (key) phrases.set(key, (phrases.get(key) ?? new Set()).add(at));
    }
  function addPhrases(terms: string[], weight: number, scores: number[]): number {
    let count = 0;
    for (const [key, entries] of phrases) {
      const size = key.split(' ').length;
      if (!` ${terms.join(' ')} `.includes(` ${key} `)) continue;
      if (size > 1) count += 1;
      for (const at of entries)
        scores[at] = (scores[at] ?? 0) + (weight * (size > 1 ? 1.6 + 0.8 * size : 1)) / Math.sqrt(entries.size);
    }
    return count;
  }
  function rankPlainly({ summary, description }: ReturnType<typeof ticketTerms>, count: number) {
    const scores = plainBm25(
      documents,
      [...new Set(summary)].map((term) => [term, 1]),
    );
    const phrasesInSummary = addPhrases(summary, 1.5, scores);
    const summaryScore = Math.max(0, ...scores);
    const rest = [...new Set(description)].filter((term) => !summary.includes(term));
    for (const [at, score] of plainBm25(
      documents,
      rest.map((term) => [term, 0.35]),
    ).entries())
      scores[at] = (scores[at] ?? 0) + score;
    const phrasesInDescription = addPhrases(description, 0.5, scores);
    const top = scores
      .map((score, at) => ({ id: KNOWLEDGE[at]?.id, score }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score)
      .slice(0, count);
    return { top, summaryScore, phrasesInSummary, phrasesInDescription };
  }
  const flat = ({ top, ...rest }: KnowledgeRanking) => ({
    ...rest,
    top: top.map(({ entry, score }) => ({ id: entry.id, score })),
  });

  test.each([
    ['Allergy panel shows none known although the service failed', 'The known allergy is missing.'],
    ['Dose unit changes from microgram to milligram', 'After conversion the dose unit is wrong, see unit conversion.'],
    ['Restore of the nightly backup fails', ''],
    ['', 'Wrong patient record is opened after switching tabs; wrong patient again'],
    ['Ransomware', 'Ransomware'],
    ['Zyx', ''],
  ])('is ranked for “%s” by words and by phrases', (summary, description) => {
    const terms = ticketTerms(summary, description);
    const ranked = flat(rankKnowledge(terms));
    const plain = rankPlainly(terms, 5);
    expect(ranked.top.map(({ id }) => id)).toEqual(plain.top.map(({ id }) => id));
    expect(rounded(ranked.top.map(({ score }) => score / 100))).toEqual(
      rounded(plain.top.map(({ score }) => score / 100)),
    );
    expect(ranked.summaryScore).toBeCloseTo(plain.summaryScore, 4);
    expect(ranked).toMatchObject({
      phrasesInSummary: plain.phrasesInSummary,
      phrasesInDescription: plain.phrasesInDescription,
    });
    expect(rankKnowledge(terms, 2).top).toHaveLength(Math.min(2, plain.top.length));
  });
});

describe('the features of a ticket', () => {
  const none = Object.fromEntries(FEATURES.map((name) => [name, 0]));
  /** Tested on their own below. */
  const BY_FORM = ['asksForChange', 'descriptionLength'];
  const ranking = (
    score: number,
    summaryScore: number,
    phrasesInSummary = 0,
    phrasesInDescription = 0,
  ): KnowledgeRanking => ({
    top: score > 0 ? [{ entry: KNOWLEDGE[0]!, score }] : [],
    summaryScore,
    phrasesInSummary,
    phrasesInDescription,
  });
  const signsOf = (summary: string, description = '', ranked = ranking(0, 0)) => {
    const signs = relevanceFeatures(
      {
        summary: summary.split(' ').filter(Boolean).map(stem),
        description: description.split(' ').filter(Boolean).map(stem),
      },
      ranked,
      { summary, description },
    );
    return Object.fromEntries(
      Object.entries(signs)
        .filter(([name, value]) => value !== none[name] && !BY_FORM.includes(name))
        .map(([name, value]) => [name, Math.round(value * 1000) / 1000]),
    );
  };

  test.each<[string, string, Record<string, number>]>([
    ['', '', { shortSummary: 1 }],
    ['quick brown foxes', '', { shortSummary: 1 }],
    ['quick brown foxes jump', '', {}],
    // Three of a kind are the maximum in the summary, four in the description.
    ['patient quick brown foxes', '', { care: 0.333 }],
    ['patient allergy dose nurse', '', { care: 1 }],
    ['patient patients brown foxes jump', '', { care: 0.333 }],
    ['quick brown foxes jump', 'patient allergy', { careDescription: 0.5 }],
    ['quick brown foxes jump', 'patient allergy dose nurse ward', { careDescription: 1 }],
    ['quick brown mapping foxes', '', { carries: 0.333 }],
    ['quick brown mapping bundle queue', '', { carries: 1 }],
    ['quick brown foxes jump', 'mapping', { carriesDescription: 0.25 }],
    ['wrong brown foxes jump', '', { fault: 0.333 }],
    ['quick brown foxes jump', 'wrong lost', { faultDescription: 0.5 }],
    ['quick lint foxes jump', 'lint', { works: 0.333, worksShare: 0.25, worksDescription: 0.25, worksNoFault: 1 }],
    ['lint', '', { works: 0.333, worksShare: 1, worksNoFault: 1, shortSummary: 1 }],
    ['lint lint docker jump', '', { works: 0.667, worksShare: 0.75, worksNoFault: 1, shortSummary: 1 }],
    ['wrong lint foxes jump', '', { works: 0.333, worksShare: 0.25, fault: 0.333 }],
    ['wrong patient foxes jump', '', { care: 0.333, fault: 0.333, careAndFault: 1 }],
    ['patient brown mapping foxes', '', { care: 0.333, carries: 0.333, careAndCarries: 1 }],
    // The opening words.
    ['add quick brown foxes', '', { offers: 1 }],
    ['quick add brown foxes', '', { offers: 1 }],
    ['quick brown add foxes', '', {}],
    ['quick bug brown foxes', '', { firstFix: 1 }],
    ['quick brown bug foxes', '', {}],
    ['perf quick brown foxes', '', { firstWorks: 1 }],
    ['quick perf brown foxes', '', {}],
  ])('“%s”, “%s”: %j', (summary, description, signs) => {
    expect(signsOf(summary, description)).toEqual(signs);
  });

  test.each([
    ['quick test foxes jump', 1],
    ['quick foxes jump test', 1],
    ['test foxes jump quick', 1],
    ['quick foxes', 0],
    ['blood test foxes jump', 0],
    ['quick test results jump', 0],
    ['test results and test foxes', 1],
    ['blood of one test foxes', 1],
  ])('“%s” is about tests of software: %i', (summary, is) => {
    expect(signsOf(summary).testWork ?? 0).toBe(is);
  });

  test.each([
    [ranking(8, 0), { knowledge: 1 }],
    [ranking(4, 0), { knowledge: 0.5 }],
    [ranking(80, 0), { knowledge: 1.5 }],
    [ranking(0, 8), { knowledgeSummary: 1 }],
    [ranking(0, 80), { knowledgeSummary: 1.5 }],
    [ranking(0, 0, 1, 2), { phrasesSummary: 0.333, phrasesDescription: 0.667 }],
    [ranking(0, 0, 4, 5), { phrasesSummary: 1, phrasesDescription: 1 }],
  ])('of a ranking, by the length of the summary: %#', (ranked, signs) => {
    expect(signsOf('quick brown foxes jump', '', ranked)).toEqual(signs);
  });

  test('treat a short summary as one of three words or of four', () => {
    const { knowledge, knowledgeSummary } = signsOf('quick', '', ranking(8, 8));
    expect([knowledge, knowledgeSummary]).toEqual([1, 1.155]);
    const long = signsOf('a1 a2 a3 a4 a5 a6 a7 a8 a9', '', ranking(12, 12));
    expect([long.knowledge, long.knowledgeSummary]).toEqual([1, 1]);
  });

  test('are weighed together, on a scale of 0 to 1', () => {
    const features = Object.fromEntries(FEATURES.map((name) => [name, 1])) as Record<(typeof FEATURES)[number], number>;
    const weights = { ...features, care: -20 };
    const model = { bias: 0, weights, meaning: [], threshold: 0.5, unsure: 0.3 };
    const meaning = Float32Array.of(0.5, -1);
    expect(linearScore(features, meaning, model)).toBeCloseTo(1 / (1 + Math.exp(-2)));
    expect(linearScore(features, meaning, { ...model, bias: -2 })).toBe(0.5);
    expect(linearScore(features, meaning, { ...model, meaning: [4, 4] })).toBe(0.5);
  });

  test('decide from the threshold on, and are unsure from the lower one on', () => {
    const ticket = { key: 'A', summary: 'Dose is wrong', description: '' };
    const { score } = scoreTicket(ticket);
    const weights = Object.fromEntries(FEATURES.map((name) => [name, 0])) as Record<(typeof FEATURES)[number], number>;
    const judged = (threshold: number, unsure: number) =>
      scoreTicket(ticket, { bias: 0, weights, meaning: [], threshold, unsure }).relevance;
    expect(score).toBe(Math.round(score * 1000) / 1000);
    expect([judged(0.5, 0.2), judged(0.501, 0.5), judged(0.6, 0.501)]).toEqual(['relevant', 'unsure', 'not']);
    for (const type of ['Bug', 'defect', 'Major incident'])
      expect(scoreTicket({ ...ticket, type }).terms.summary[0]).toBe('fix');
    for (const type of ['Story', '']) expect(scoreTicket({ ...ticket, type }).terms.summary[0]).toBe('dose');
  });
});

test.each([
  ['Export list as PDF', '', 0.75],
  ['Export list as PDF', 'The list is wrong.', 0],
  ['List as PDF', '', 0],
  ['List as PDF?', '', 0.75],
])('a ticket that asks and tells of no failure is a sign: “%s”, “%s”: %d', (summary, description, sign) => {
  const terms = ticketTerms(summary, description);
  expect(relevanceFeatures(terms, rankKnowledge(terms), { summary, description }).asksForChange).toBe(sign);
});

test.each([
  [0, 0],
  [10, 0.375],
  [20, 0.75],
  [21, 0.75],
])('a description of %i words is a sign of %d', (words, sign) => {
  const text = { summary: '', description: 'word '.repeat(words) };
  const terms = ticketTerms('', text.description);
  expect(relevanceFeatures(terms, rankKnowledge(terms), text).descriptionLength).toBe(sign);
});

describe('a kind that is sure for a ticket', () => {
  const [known, other] = KNOWLEDGE as [(typeof KNOWLEDGE)[number], (typeof KNOWLEDGE)[number]];
  const hasKind = (summary: string, first: number, next: number, description = '') =>
    hasSureKind({
      ticket: { key: 'A-1', summary, description },
      terms: ticketTerms(summary, description),
      meaning: meaningOf(`${summary}. ${description}`),
      ranking: {
        ...rankKnowledge(ticketTerms('', '')),
        top: [
          { entry: known, score: first },
          { entry: other, score: next },
        ],
      },
    });

  test.each([
    [12, 6, true],
    [11.99, 0, false],
    [20, 10, true],
    [19.99, 10, false],
  ])('scores at least 12 and twice the next: %d before %d: %s', (first, next, is) => {
    expect(hasKind(known.title, first, next)).toBe(is);
  });

  test('is near by meaning, and not one of a request, a question or a chore', () => {
    expect(hasKind(`${known.title} quagga`, 30, 1)).toBe(true);
    // Words of the entry in a ticket about something else.
    expect(hasKind('Patient record', 30, 1, 'Coffee machine lunch football holiday party music dance garden')).toBe(
      false,
    );
    expect(hasKind('Export patient’s record shown or opened', 30, 1)).toBe(false);
    expect(hasKind('Export patient’s record shown or opened', 30, 1, 'It is empty.')).toBe(true);
    expect(hasKind('Patient’s record shown or opened?', 30, 1)).toBe(false);
    expect(hasSureKind({ ...scoreTicket({ key: 'A-1', summary: 'Zyx', description: '' }) })).toBe(false);
  });
});

describe('an entry that is sure alone', () => {
  test.each([
    [12, 0, true],
    [11.99, 0, false],
    [13, 10, true],
    [12.99, 10, false],
    [26, 20, true],
    [25.9, 20, false],
  ])('with a score of %d before %d: %s', (first, next, is) => {
    expect(isClearWinner(first, next)).toBe(is);
    const [one, other] = KNOWLEDGE;
    const ticket = {
      terms: ticketTerms(one!.title, ''),
      ranking: {
        top: [
          { entry: one!, score: first },
          { entry: other!, score: next },
        ],
      },
    };
    expect(isSure(ticket as Parameters<typeof isSure>[0])).toBe(is);
  });

  test('alone in the ranking still needs the score and the words', () => {
    const [one] = KNOWLEDGE;
    const sure = (score: number, summary: string) =>
      isSure({ terms: ticketTerms(summary, ''), ranking: { top: [{ entry: one!, score }] } } as Parameters<
        typeof isSure
      >[0]);
    expect([sure(12, one!.title), sure(11, one!.title), sure(12, 'quick brown foxes')]).toEqual([true, false, false]);
    expect(
      isSure({ terms: ticketTerms('x', ''), ranking: { top: [] } } as unknown as Parameters<typeof isSure>[0]),
    ).toBe(false);
  });

  test('has a phrase of the summary or two of its words, and three in ten of all', () => {
    const entry = {
      id: 'test-entry',
      title: 'Parrot escapes',
      description: 'It flies.',
      causes: ['open window'],
      keywords: ['green parrot', 'cage', 'one', 'nest-nest'],
    } as unknown as (typeof KNOWLEDGE)[number];
    const speaks = (summary: string) =>
      isAbout({ terms: { summary: summary.split(' ').map(stem), description: [] } }, entry);
    expect(speaks('parrot window')).toBe(true);
    expect(speaks('parrot door')).toBe(false);
    // A single keyword is no phrase.
    expect(speaks('cage')).toBe(false);
    expect(speaks('green parrot a1 a2 a3')).toBe(true);
    // A phrase of one word twice is a phrase.
    expect(speaks('a1 nest nest')).toBe(true);
    expect(speaks('nest a1 nest')).toBe(false);
    expect(speaks('parrot cage window b1 b2 b3 b4 b5 b6 b7')).toBe(true);
    expect(speaks('parrot cage window b1 b2 b3 b4 b5 b6 b7 b8')).toBe(false);
    // The same word twice counts once.
    expect(speaks('parrot parrot door')).toBe(false);
  });
});
