import { describe, expect, test } from '@jest/globals';
import { findKnowledge, KNOWLEDGE } from '../../../../bot/agents/clinical_safety/knowledge/knowledge.ts';
import type { LogHazard } from '../../../../bot/agents/clinical_safety/reading/logModel.ts';
import type { JudgedTicket } from '../../../../bot/agents/clinical_safety/tickets/coverage.ts';
import { draftValues } from '../../../../bot/agents/clinical_safety/tickets/draftValues.ts';
import {
  findSimilarHazards,
  indexHazards,
  matchHazards,
  type TermWeight,
  weighTerms,
} from '../../../../bot/agents/clinical_safety/tickets/hazardMatching.ts';
import {
  queryOf,
  rankKnowledge,
  ticketTerms,
} from '../../../../bot/agents/clinical_safety/tickets/knowledgeRanking.ts';
import { meaningOf } from '../../../../bot/agents/clinical_safety/tickets/meaning.ts';
import { proposeHazards } from '../../../../bot/agents/clinical_safety/tickets/proposals.ts';
import { scoreTicket } from '../../../../bot/agents/clinical_safety/tickets/relevance.ts';
import { termsOf } from '../../../../bot/agents/clinical_safety/tickets/words.ts';
import { plainBm25 } from './plainBm25.ts';

type Parts = { name: string; description?: string; causes?: string[]; impact?: string; controls?: string[] };
const hazard = ({ name, description = '', causes = [], impact = '', controls = [] }: Parts, at = 0) =>
  ({
    id: `H${at + 1}`,
    hasId: true,
    textPlaces: {},
    name,
    description,
    causes: causes.map((text) => ({ text })),
    clinicalImpact: impact,
    controls: controls.map((text) => ({ text })),
  }) as unknown as LogHazard;
const entry = (id: string) => {
  const found = findKnowledge(id);
  if (!found) throw new Error(`no entry ${id}`);
  return found;
};
const likeEntry = (id: string): Parts => ({ name: entry(id).title, description: entry(id).description });

const HAZARDS = [
  {
    name: 'Allergy is not shown while prescribing',
    description: 'A known allergy is missing from the prescribing screen.',
    causes: ['The allergy service fails', 'The panel reads none known'],
    impact: 'The patient is given an allergen.',
    controls: ['Banner where the allergy service fails', 'Regression pack'],
  },
  {
    name: 'Dose is shown wrongly',
    description: 'The dose on the prescription is not the one meant.',
    causes: ['Unit conversion of the dose'],
    controls: [`${'filler '.repeat(600)} allergy service`, 'Pharmacist'],
  },
  { name: 'Backup can not be restored', impact: 'The allergy service fails; the panel is empty.' },
  { name: 'Allergy', description: 'The panel.' },
  { name: 'Allergy panel', description: 'The panel.' },
  { name: 'Allergy panel', description: 'The panel.' },
  likeEntry('ALG-01'),
  {
    name: 'Screen is slow',
    description: `${'delay wait '.repeat(90)} allergy panel service`,
    causes: ['Allergy panel is hidden by a failed allergy service'],
  },
  { name: 'Slow', description: `${'delay '.repeat(100)} ${likeEntry('ALG-01').description}` },
  { name: 'Quagga', controls: ['Zebra drill'] },
].map(hazard);

/** The meaning of a text of which no word is known: only words count. */
const UNKNOWN = meaningOf('');

const SUMMARIES: [summary: string, description: string][] = [
  ['Allergy panel shows none known although the allergy service failed', 'The known allergy is missing on the screen.'],
  ['Dose unit is wrong after conversion', 'The prescription shows the dose in another unit.'],
  ['Restore of the backup fails', 'The allergy panel is empty.'],
  ['Allergy', ''],
  ['Allergy panel', ''],
  ['Quagga zebra', ''],
  ['Zyx', 'qwv'],
  [`${Array.from({ length: 58 }, (_, at) => `word${at}x`).join(' ')} allergy panel`, 'service'],
  [`${Array.from({ length: 59 }, (_, at) => `word${at}x`).join(' ')} allergy panel`, 'service'],
];
const everyWord: TermWeight = () => 1;

/** The hazards near to a text, with their score, in the ranking of the knowledge base. */
function nearTo({ name, description, causes }: LogHazard): Map<string, number> {
  const about = [...termsOf(description), ...termsOf(causes.map(({ text }) => text).join('\n'))];
  const { top } = rankKnowledge({ summary: termsOf(name), description: about.slice(0, 160) }, 3);
  const near = top.map(({ entry: { id }, score }): [string, number] => [
    id,
    Math.min(1, score / 8) * (score / (top[0]?.score ?? 1)),
  ]);
  return new Map(near.filter(([, nearness]) => nearness >= 0.35));
}

/** Matches by their definition, without caching or shortcuts. */
function matchPlainly(hazards: LogHazard[], [summary, description]: [string, string], telling: TermWeight) {
  const terms = ticketTerms(summary, description);
  const documents = [
    ...hazards.map((one) => [
      { terms: termsOf(one.name), weight: 2 },
      { terms: termsOf(one.description), weight: 1 },
      { terms: one.causes.flatMap(({ text }) => termsOf(text)), weight: 1 },
      { terms: termsOf(one.clinicalImpact), weight: 0.5 },
      {
        terms: termsOf(
          one.controls
            .map(({ text }) => text)
            .join('\n')
            .slice(0, 4000),
        ),
        weight: 0.4,
      },
    ]),
    ...KNOWLEDGE.map((one) => [
      { terms: termsOf(`${one.title} ${one.description} ${one.clinicalImpact} ${one.keywords.join(' ')}`), weight: 1 },
    ]),
  ];
  const words = [...queryOf(terms)]
    .slice(0, 60)
    .map(([term, weight]): [string, number] => [term, weight * telling(term)]);
  const size = words.reduce((sum, [, weight]) => sum + weight, 0);
  const query = words.map(([term, weight]): [string, number] => [term, weight / Math.sqrt(Math.max(3, size))]);
  const scores = plainBm25(documents, query);
  const hits = query.map((one) => plainBm25(documents, [one]));
  const { top } = rankKnowledge(terms);
  return hazards
    .flatMap((one, at) => {
      const score = scores[at] ?? 0;
      if (score <= 0.8) return [];
      const nearness = score / 1.35;
      if (hits.filter((gains) => (gains[at] ?? 0) >= 0.25).length < 2) return [{ at, score: 0, nearness }];
      const near = nearTo(one);
      const more = top.slice(0, 3).map(({ entry: { id }, score: own }) => {
        const certainty = Math.min(1, own / 8) * (own / (top[0]?.score ?? 1));
        return (near.get(id) ?? 0) * (Math.min(score * 0.35, 1) + 1.4 * certainty);
      });
      return [{ at, score: more.reduce((sum, gain) => sum + gain, nearness), nearness }];
    })
    .sort((a, b) => Math.round(b.nearness * 100) - Math.round(a.nearness * 100) || a.at - b.at);
}

describe('the hazards nearest to a ticket', () => {
  const index = indexHazards(HAZARDS);

  test.each(SUMMARIES)('of ticket %#', (...ticket) => {
    for (const telling of [everyWord, (term: string) => (term === 'allergy' ? 0.3 : 0.9)]) {
      const terms = ticketTerms(...ticket);
      const matches = matchHazards(
        index,
        { terms, ranking: rankKnowledge(terms), meaning: UNKNOWN, spelled: [] },
        telling,
        10,
      );
      const plain = matchPlainly(HAZARDS, ticket, telling);
      const possible = matches.filter(({ isPossible }) => isPossible).map(({ at }) => at);
      const others = plain.map(({ at }) => at).filter((at) => !possible.includes(at));
      expect(matches.map(({ at }) => at)).toEqual([...possible, ...others]);
      for (const { at, score } of matches)
        expect(Math.abs(score - (plain.find((one) => one.at === at)?.score ?? 0))).toBeLessThan(0.0051);
      for (const { score } of matches) expect(score).toBe(Math.round(score * 100) / 100);
      expect(
        matchHazards(index, { terms, ranking: rankKnowledge(terms), meaning: UNKNOWN, spelled: [] }, telling),
      ).toEqual(matches.slice(0, 3));
    }
  });

  test('share two distinctive words with it', () => {
    const idsOf = (summary: string, description: string) => {
      const terms = ticketTerms(summary, description);
      return matchHazards(
        index,
        { terms, ranking: rankKnowledge(terms), meaning: UNKNOWN, spelled: [] },
        everyWord,
      ).map(({ at }) => HAZARDS[at]?.id);
    };
    expect(idsOf(...SUMMARIES[0]!)).toContain('H1');
    expect(idsOf(...SUMMARIES[1]!)[0]).toBe('H2');
    // One word orders them, and makes none possible.
    const terms = ticketTerms('Allergy', '');
    const byOneWord = matchHazards(
      index,
      { terms, ranking: rankKnowledge(terms), meaning: UNKNOWN, spelled: [] },
      everyWord,
    );
    expect(byOneWord.map(({ score, isPossible }) => [score, isPossible])).toEqual([
      [0, false],
      [0, false],
      [0, false],
    ]);
    expect(idsOf('Quagga zebra', '')).toEqual(['H10']);
  });

  test('are looked for among the forty that share most words', () => {
    const alike = Array.from({ length: 45 }, (_, at) => hazard({ name: 'Quagga zebra' }, at));
    const terms = ticketTerms('Quagga zebra', '');
    const matches = matchHazards(
      indexHazards(alike),
      { terms, ranking: rankKnowledge(terms), meaning: UNKNOWN, spelled: [] },
      everyWord,
      45,
    );
    expect(matches.map(({ at }) => at)).toEqual(Array.from({ length: 40 }, (_, at) => at));
  });

  test.each([
    [4000, 1],
    [4001, 0],
  ])('of a log of %i are also looked for by meaning alone: %i', (count, found) => {
    const alike = Array.from({ length: count }, (_, at) =>
      hazard({ name: at === 7 ? 'Medicine administered two times' : 'Quagga zebra' }, at),
    );
    const ticket = scoreTicket({ key: 'A', summary: 'Nurse gave the drug twice', description: '' });
    const matches = matchHazards(indexHazards(alike), ticket, everyWord);
    expect(matches.filter(({ at }) => at === 7)).toHaveLength(found);
  });

  test('are reported one by one, and are near to entries as the knowledge base ranks them', () => {
    const seen: number[] = [];
    const { nearnesses, rankings } = indexHazards(HAZARDS, (done) => seen.push(done));
    expect(seen).toEqual(HAZARDS.map((_, at) => at));
    expect(nearnesses).toEqual(HAZARDS.map(nearTo));
    expect(Math.max(...rankings.map(({ top }) => top.length))).toBe(3);
  });

  test('equal an entry if that entry is nearest to them, and near', () => {
    expect(findSimilarHazards(index, 'ALG-01').map(({ id }) => id)).toEqual(
      HAZARDS.filter((one) => {
        const [[first, nearness] = ['', 0]] = [...nearTo(one)];
        return first === 'ALG-01' && nearness >= 0.75;
      }).map(({ id }) => id),
    );
    expect(findSimilarHazards(index, 'ALG-01').map(({ id }) => id)).toContain('H7');
    expect(findSimilarHazards(index, 'none')).toEqual([]);
    // One that is second to another entry is not the same.
    const [, second] = [...(index.nearnesses[6] ?? [])];
    if (second) expect(findSimilarHazards(index, second[0]).map(({ id }) => id)).not.toContain('H7');
  });
});

test.each([
  [0.75, 'ALG-01', true],
  [0.7499, 'ALG-01', false],
  [1, 'AVL-04', false],
])('a hazard that scores %d with an entry, nearest to %s, equals it: %s', (nearness, nearest, same) => {
  const index = {
    ...indexHazards([]),
    hazards: HAZARDS.slice(0, 1),
    nearnesses: [new Map([['ALG-01', nearness]])],
    rankings: [{ ...rankKnowledge(ticketTerms('', '')), top: [{ entry: entry(nearest), score: 8 }] }],
  };
  expect(findSimilarHazards(index, 'ALG-01')).toEqual(same ? HAZARDS.slice(0, 1) : []);
});

describe('the weight of a word', () => {
  const tickets = (having: number, count: number) =>
    Array.from({ length: count }, (_, at) => ({
      terms: { summary: at < having ? ['dose', 'dose'] : [], description: at < having ? ['dose'] : ['other'] },
    }));
  test.each([
    [0, 5, 1],
    [1, 5, 1],
    [3, 5, 1 - Math.log(3) / Math.log(21)],
    [3, 20, 1 - Math.log(3) / Math.log(21)],
    [3, 21, 1 - Math.log(3) / Math.log(22)],
    [20, 20, 0.15],
    [100, 200, 0.15],
    [30, 200, 1 - Math.log(30) / Math.log(201)],
  ])('in %i of %i tickets: %d', (having, count, telling) => {
    expect(weighTerms(tickets(having, count))('dose')).toBeCloseTo(telling, 6);
  });
});

describe('the text of a proposal', () => {
  const evidence = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ ticketKey: `T-${at + 1}`, summary: ` Words ${at + 1} `, quote: '' }));
  test.each([
    [1, ['1) Words 1 (T-1)'], 'T-1'],
    [3, ['1) Words 1 (T-1)', '2) Words 2 (T-2)', '3) Words 3 (T-3)'], 'T-1, T-2, T-3'],
    [6, ['1) Words 1 (T-1)', '2) Words 2 (T-2)', '3) Words 3 (T-3)'], 'T-1, T-2, T-3, T-4, T-5, T-6'],
    [8, ['1) Words 1 (T-1)', '2) Words 2 (T-2)', '3) Words 3 (T-3)'], 'T-1, T-2, T-3, T-4, T-5, T-6 and 2 more'],
  ])('of %i tickets', (count, seen, keys) => {
    const known = entry('ALG-01');
    const { name, description, cause, clinicalImpact, ...controls } = draftValues(known, evidence(count));
    expect([name, clinicalImpact]).toEqual([known.title, known.clinicalImpact]);
    expect(description).toBe(`${known.description} Raised by ${keys}.`);
    expect(cause.split('\n')).toEqual([
      ...seen,
      ...known.causes.map((text, at) => `${seen.length + at + 1}) Possible: ${text}`),
    ]);
    expect(Object.values(controls)).toEqual(Object.values(known.controls));
  });
});

describe('a proposal', () => {
  type Given = { key: string; top: [id: string, score: number][]; summary?: string; possible?: string[] };
  const judged = ({ key, top, summary, possible = [] }: Given, verdict: object = {}) => {
    const said = summary ?? entry(top[0]?.[0] ?? 'ALG-01').title;
    return {
      verdict: {
        key,
        summary: said,
        quote: said,
        relevance: 'relevant',
        coveredBy: null,
        possibleHazardIds: possible,
        ...verdict,
      },
      ticket: { key, summary: said, description: '' },
      terms: ticketTerms(said, ''),
      meaning: meaningOf(said),
      ranking: { top: top.map(([id, score]) => ({ entry: entry(id), score })) },
    } as unknown as JudgedTicket;
  };
  const propose = (given: Given[], hazards: LogHazard[] = []) =>
    proposeHazards(
      given.map((one) => judged(one)),
      indexHazards(hazards),
    );
  const short = ({ kbId, sure, candidates, evidence }: ReturnType<typeof propose>[number]) => ({
    kbId,
    sure,
    candidates: candidates.map((one) => `${one.kbId} ${one.score}`),
    keys: evidence.map(({ ticketKey }) => ticketKey),
  });

  test('is not made for covered or irrelevant tickets, or without a matching entry', () => {
    const one: Given = { key: 'T-1', top: [['ALG-01', 20]] };
    const index = indexHazards([]);
    expect(proposeHazards([judged(one)], index)).toHaveLength(1);
    expect(proposeHazards([judged(one, { coveredBy: 'link' })], index)).toEqual([]);
    expect(proposeHazards([judged(one, { relevance: 'unsure' })], index)).toEqual([]);
    expect(proposeHazards([judged({ key: 'T-1', top: [] })], index)).toEqual([]);
  });

  test('is sure for one ticket about one entry alone; for an unsure one nothing is proposed', () => {
    expect(
      propose([
        {
          key: 'T-1',
          top: [
            ['ALG-01', 20],
            ['AVL-04', 10],
          ],
        },
      ]).map(short),
    ).toEqual([{ kbId: 'ALG-01', sure: true, candidates: ['ALG-01 20'], keys: ['T-1'] }]);
    expect(
      propose([
        {
          key: 'T-1',
          top: [
            ['ALG-01', 19.9],
            ['AVL-04', 10],
          ],
        },
      ]),
    ).toEqual([]);
    expect(propose([{ key: 'T-1', top: [['ALG-01', 30]], summary: 'Quick brown foxes' }])).toEqual([]);
  });

  test('has the mean score of each candidate: its own entry first, then the best, then by id', () => {
    const proposals = propose([
      {
        key: 'T-2',
        top: [
          ['ALG-01', 10],
          ['AVL-04', 9],
          ['SEC-06', 3],
        ],
      },
      {
        key: 'T-1',
        top: [
          ['ALG-01', 5],
          ['AVL-04', 4.999],
          ['ALG-02', 3],
        ],
      },
      { key: 'T-3', top: [['ALG-01', 5]] },
    ]);
    expect(proposals.map(short)).toEqual([
      {
        kbId: 'ALG-01',
        sure: false,
        candidates: ['ALG-01 6.67', 'AVL-04 4.67', 'ALG-02 1'],
        keys: ['T-2', 'T-1', 'T-3'],
      },
    ]);
    // The nearest entry of each ticket decides, even if another has a higher sum.
    const [first] = propose([
      {
        key: 'T-1',
        top: [
          ['ALG-01', 5],
          ['AVL-04', 4.9],
        ],
      },
      {
        key: 'T-2',
        top: [
          ['ALG-01', 5],
          ['AVL-04', 4.9],
          ['SEC-06', 4.9],
        ],
      },
    ]);
    expect(first && short(first).candidates).toEqual(['ALG-01 5', 'AVL-04 4.9', 'SEC-06 2.45']);
  });

  test('is sure for several tickets if more than half of them speak for it', () => {
    const near: [string, number][] = [
      ['ALG-01', 20],
      ['AVL-04', 10],
    ];
    const sureOf = (speaking: number, others: number) =>
      propose([
        ...Array.from({ length: speaking }, (_, at) => ({ key: `S-${at}`, top: near })),
        ...Array.from({ length: others }, (_, at) => ({ key: `O-${at}`, top: near, summary: 'Quick brown foxes' })),
      ]).map(({ sure, candidates }) => [sure, candidates.length]);
    expect(sureOf(1, 1)).toEqual([[false, 3]]);
    expect(sureOf(2, 2)).toEqual([[false, 3]]);
    expect(sureOf(2, 1)).toEqual([[true, 1]]);
    expect(sureOf(0, 2)).toEqual([[false, 3]]);
  });

  test('is filled up to three candidates with entries near to the first, without a score', () => {
    const [two] = propose([
      {
        key: 'T-1',
        top: [
          ['ALG-01', 5],
          ['AVL-04', 4.9],
        ],
      },
      {
        key: 'T-2',
        top: [
          ['ALG-01', 5],
          ['AVL-04', 4.9],
        ],
      },
    ]);
    const next = rankKnowledge(ticketTerms(entry('ALG-01').title, entry('ALG-01').description)).top.find(
      ({ entry: { id } }) => !['ALG-01', 'AVL-04'].includes(id),
    );
    expect(two && short(two).candidates).toEqual(['ALG-01 5', 'AVL-04 4.9', `${next?.entry.id} 0`]);
  });

  test('is ordered by having no near hazard, then by risk, tickets and id', () => {
    const sure = (key: string, id: string, possible: string[] = []): Given => ({ key, top: [[id, 20]], possible });
    const risks = (ids: string[]) => ids.map((id) => entry(id).suggested.risk);
    const byRisk = (risk: number) => KNOWLEDGE.filter(({ suggested }) => suggested.risk === risk).map(({ id }) => id);
    const [high, higher] = [byRisk(3), byRisk(4)];
    const [a, b, c] = high as [string, string, string];
    // The title of the second is too short to be near to its entry by meaning.
    const [top, , near] = higher as [string, string, string];
    expect(risks([a, b, c, top])).toEqual([3, 3, 3, 4]);
    const given = [
      sure('T-1', b),
      sure('T-2', a),
      sure('T-3', c),
      sure('T-4', c),
      sure('T-5', top),
      sure('T-6', near, ['H9']),
    ];
    for (const order of [propose(given), propose([...given].reverse())]) {
      expect(order.map(({ kbId }) => kbId)).toEqual([top, c, ...[a, b].sort(), near]);
      expect(order.map(({ proposedId }) => proposedId)).toEqual(['H01', 'H02', 'H03', 'H04', 'H05']);
    }
  });

  test('names at most five hazards that may be the same, once each, those like the entry first', () => {
    const log = [hazard({ name: 'Other' }, 0), hazard(likeEntry('ALG-01'), 1)];
    const [one] = propose(
      [
        { key: 'T-1', top: [['ALG-01', 20]], possible: ['H7', 'H2', 'H8'] },
        { key: 'T-2', top: [['ALG-01', 21]], possible: ['H7', 'H9', 'H10', 'H11'] },
      ],
      log,
    );
    expect(one?.possibleHazardIds).toEqual(['H2', 'H7', 'H8', 'H9', 'H10']);
    expect(one?.evidence.map(({ ticketKey }) => ticketKey)).toEqual(['T-2', 'T-1']);
    expect(one?.proposedId).toBe('H3');
    const [unnamed] = propose(
      [{ key: 'T-1', top: [['ALG-01', 20]] }],
      [{ ...hazard({ name: 'Other' }, 8), hasId: false }],
    );
    expect(unnamed?.proposedId).toBe('H01');
  });

  test('names no hazard for a ticket that a person called uncovered', () => {
    const one = judged({ key: 'T-1', top: [['ALG-01', 20]] }, { possibleHazardIds: undefined });
    expect(proposeHazards([one], indexHazards([]))[0]?.possibleHazardIds).toEqual([]);
  });

  test('lists tickets of equal score by their keys', () => {
    const [one] = propose(['T-3', 'T-1', 'T-2'].map((key) => ({ key, top: [['ALG-01', 20]] as [string, number][] })));
    expect(one?.evidence.map(({ ticketKey }) => ticketKey)).toEqual(['T-1', 'T-2', 'T-3']);
  });
});
