import { describe, expect, test } from '@jest/globals';
import { applyChoices } from '../../../../bot/agents/clinical_safety/choices/applyChoices.ts';
import { CHOOSING_TASK, makeAskedChoices } from '../../../../bot/agents/clinical_safety/choices/askedChoices.ts';
import { applyDecisions } from '../../../../bot/agents/clinical_safety/matches/applyDecisions.ts';
import { makeMatchRows, orderAsked } from '../../../../bot/agents/clinical_safety/matches/matchRow.ts';
import { matchReview } from '../../../../bot/agents/clinical_safety/questions/matchReview.ts';
import { countCoverage } from '../../../../bot/agents/clinical_safety/tickets/coverage.ts';
import { digestHazard } from '../../../../bot/agents/clinical_safety/tickets/matchEvidence.ts';
import { digestOf } from '../../../../bot/engine/interrupts/digest.ts';
import { CHOOSING_VERSION } from '../../../../bot/engine/thinking/chooseAmong.ts';
import { describeChoices } from '../../../../models/contracts/clinical_safety/coverageText.ts';
import type { ExistingHazard } from '../../../../models/contracts/clinical_safety/hazards.ts';
import type { MatchChoice } from '../../../../models/contracts/clinical_safety/matches.ts';
import { makeHazard, makePossible, makeTicket } from '../../../factories/analysisResult.ts';
import { makeInterrupt } from '../../../factories/interrupt.ts';

const hazard = (id: string, more: Partial<ExistingHazard> = {}) => makeHazard({ id, name: `Name of ${id}`, ...more });
const HAZARDS = ['H1', 'H2', 'H3', 'H4', 'H5', 'H6'].map((id) => hazard(id));
const OPEN = makeTicket({
  key: 'T-1',
  possible: [makePossible({ hazardId: 'H1' }), makePossible({ hazardId: 'H2' })],
  possibleHazardIds: ['H1', 'H2'],
  others: ['H3', 'H4', 'H5', 'H6'],
  digest: 'd',
});
const chose = (hazardId: string | null, more: Partial<MatchChoice> = {}): MatchChoice => ({
  hazardId,
  ticketQuote: 'wrong dose',
  hazardQuote: hazardId ? 'Unit lost' : '',
  model: 'azure:m',
  ...more,
});
const apply = (choice: MatchChoice, ticket = OPEN, hazards = HAZARDS) => {
  const [after] = applyChoices([ticket], new Map([[ticket.key, choice]]), hazards);
  return after as typeof OPEN;
};

test('what was answered under other instructions, or by another check, is no answer to this question', () => {
  const records = [{ key: 'T-1', summary: 'Wrong dose', description: '' }];
  const [asked] = makeAskedChoices([OPEN], records, HAZARDS);
  const { id, texts, candidates } = asked?.choosing ?? { id: '', texts: [], candidates: [] };
  expect(id).toBe(digestOf([CHOOSING_VERSION, CHOOSING_TASK, texts, candidates]));
  expect(id).not.toBe(digestOf([CHOOSING_VERSION + 1, CHOOSING_TASK, texts, candidates]));
});

describe('what a model chose', () => {
  test('puts a possible hazard first, and keeps every other one', () => {
    const after = apply(chose('H2'));
    expect(after.possible?.map(({ hazardId }) => hazardId)).toEqual(['H2', 'H1']);
    expect(after).toMatchObject({ possibleHazardIds: ['H2', 'H1'], others: OPEN.others, choice: chose('H2') });
  });

  test('makes a hazard to choose from possible, with words of both sides and the cell of the cause', () => {
    const after = apply(chose('H4'));
    expect(after.possible?.map(({ hazardId }) => hazardId)).toEqual(['H4', 'H1', 'H2']);
    expect(after.possible?.[0]).toEqual({
      hazardId: 'H4',
      hazardName: 'Name of H4',
      score: 0,
      ticketQuote: 'wrong dose',
      hazardQuote: 'Unit lost',
      place: { sheet: 'Log', cell: 'E2' },
      hazardDigest: digestHazard(hazard('H4')),
    });
    expect(after.others).toEqual(['H3', 'H5', 'H6']);
    expect(apply(chose('H4', { hazardQuote: 'Name of H4' })).possible?.[0]?.place).toEqual({
      sheet: 'Log',
      cell: 'row 2',
    });
  });

  test('is only noted where it is none: no hazard goes', () => {
    expect(apply(chose(null))).toEqual({ ...OPEN, choice: chose(null) });
  });

  test('covers nothing, whatever it is', () => {
    const before = countCoverage([OPEN], []);
    for (const id of ['H1', 'H4', null]) {
      const after = apply(chose(id));
      expect(after).toMatchObject({ coveredBy: null, hazardIds: [] });
      expect(countCoverage([after], [])).toEqual(before);
    }
  });

  test('changes no ticket that is covered, has nothing possible, or was not asked about', () => {
    const covered = makeTicket({ key: 'T-1', coveredBy: 'person', hazardIds: ['H1'], possible: [makePossible()] });
    const bare = makeTicket({ key: 'T-1', possible: [] });
    for (const ticket of [covered, bare]) expect(apply(chose('H2'), ticket)).toBe(ticket);
    const [other] = applyChoices([OPEN], new Map([['T-2', chose('H2')]]), HAZARDS);
    expect(other).toBe(OPEN);
  });

  test('goes once a person has decided', () => {
    const after = apply(chose('H2'));
    for (const decided of ['H1', null])
      expect(applyDecisions([after], new Map([['T-1', decided]]))[0]).not.toHaveProperty('choice');
  });
});

describe('a person', () => {
  const rowFor = (choice: MatchChoice, mode: 'full' | 'reference-only' = 'full', before: string | null = null) => {
    const rows = makeMatchRows([apply(choice)], HAZARDS, () => before);
    return matchReview.rows?.(makeInterrupt({ interruptType: 'match_review', context: { rows } }), mode).rows[0];
  };

  test('is asked about the chosen hazard, with the words that the model chose by, and can take any other', () => {
    const row = rowFor(
      chose('H4', { ticketQuote: 'the dose is wrong', hazardQuote: 'Unit lost' }),
      'full',
      'Bo said no.',
    );
    expect(row).toMatchObject({
      option: 'H4',
      earlier: 'azure:m chose H4, and may be wrong. Bo said no.',
    });
    expect(row?.options.map(({ id }) => id)).toEqual(['H4', 'H1', 'H2', 'H3', 'H5', 'H6']);
    expect(row?.preselected).toBeUndefined();
    const other = rowFor(chose('H2', { ticketQuote: 'other words', hazardQuote: 'more words' }));
    expect(other?.quotes.slice(0, 2)).toEqual([
      { text: 'other words', source: 'T-1' },
      { text: 'more words', source: 'H2' },
    ]);
    expect(other?.quotes).toHaveLength(5);
  });

  test('reads that the model found none, with every hazard still there', () => {
    const row = rowFor(chose(null, { ticketQuote: 'a late result' }));
    expect(row?.earlier).toBe('azure:m found none that fits, and may be wrong.');
    expect(row?.option).toBe('H1');
    expect(row?.options).toHaveLength(6);
  });

  test('reads ids alone where content may not be sent', () => {
    const row = rowFor(chose('H2', { ticketQuote: 'secret words', hazardQuote: 'more secrets' }), 'reference-only');
    expect(row?.quotes).toEqual([]);
    expect(JSON.stringify(row)).not.toContain('secret');
    expect(row?.earlier).toContain('azure:m chose H2');
  });

  test('is asked first about tickets for which a model chose, and last about those for which it found none', () => {
    const ticket = (key: string, score: number, choice?: MatchChoice, again = false) =>
      makeTicket({
        key,
        possible: [
          makePossible({ score, ...(again ? { before: { covers: true, at: '2026', changed: 'ticket' } } : {}) }),
        ],
        ...(choice ? { choice } : {}),
      });
    const tickets = [
      ticket('T-1', 9, chose(null)),
      ticket('T-2', 8),
      ticket('T-3', 1, chose('H1')),
      ticket('T-4', 2, chose('H1')),
      ticket('T-5', 0, chose(null), true),
    ];
    expect(orderAsked(tickets).map(({ key }) => key)).toEqual(['T-5', 'T-4', 'T-3', 'T-2', 'T-1']);
  });
});

describe('what a model is asked', () => {
  const record = { key: 'T-1', summary: 'Dose is wrong', description: 'Seen twice.\n\nOn ward 3.' };
  const asked = (tickets = [OPEN], records = [record], hazards = HAZARDS) =>
    makeAskedChoices(tickets, records, hazards);

  test('is the whole ticket with its five nearest hazards, the possible ones first', () => {
    const [one] = asked();
    expect(one?.ticketKey).toBe('T-1');
    expect(one?.choosing.texts).toEqual(['Dose is wrong', 'Seen twice. On ward 3.']);
    expect(one?.choosing.candidates.map(({ id }) => id)).toEqual(['H1', 'H2', 'H3', 'H4', 'H5']);
    expect(one?.choosing.candidates[0]?.texts).toEqual([
      'Name of H1',
      'The wrong dose is shown.',
      'Overdose',
      'Unit lost',
      'Check',
    ]);
    expect(CHOOSING_TASK).toContain('hazard');
  });

  test('is known by its texts: the same for another key, another for each change', () => {
    const idOf = (...given: Parameters<typeof asked>) => asked(...given)[0]?.choosing.id;
    const same = idOf();
    expect(idOf([{ ...OPEN, key: 'T-9' }], [{ ...record, key: 'T-9' }])).toBe(same);
    const changed = [
      idOf([OPEN], [{ ...record, description: 'Seen thrice.' }]),
      idOf([{ ...OPEN, others: ['H6'] }]),
      idOf([OPEN], [record], [...HAZARDS.slice(1), hazard('H1', { clinicalImpact: 'Harm' })]),
    ];
    expect(new Set([same, ...changed]).size).toBe(4);
  });

  test('is nothing for a ticket whose text is gone, and the first of two hazards under one id', () => {
    expect(asked([OPEN], [])).toEqual([]);
    const twins = [hazard('H1', { name: 'First' }), hazard('H1', { name: 'Second' })];
    expect(asked([OPEN], [record], twins)[0]?.choosing.candidates.map(({ texts }) => texts[0])).toEqual(['First']);
  });
});

test.each([
  [
    { tickets: 20, chosen: 12, none: 3, dropped: 4, notAsked: 1, known: 0, tokens: 1500 },
    'Of 20 tickets with possible matches, azure:m chose a hazard for 12 and none of the nearest for 3. It only orders what you are asked: nothing is covered by it. 4 tickets had an answer that did not pass the check and 1 ticket got no answer; there the built-in order stands. It used 1,500 credits.',
  ],
  [
    { tickets: 1, chosen: 1, none: 0, dropped: 0, notAsked: 0, known: 1, tokens: 0 },
    'Of 1 ticket with possible matches, azure:m chose a hazard for 1 and none of the nearest for 0. It only orders what you are asked: nothing is covered by it. It used 0 credits; 1 ticket was answered in an earlier analysis and cost nothing.',
  ],
])('says what it did: %j', (counts, text) => expect(describeChoices('azure:m', counts)).toBe(text));
