import { describe, expect, test } from '@jest/globals';
import {
  checkDrafts,
  estimateDraftCall,
  makeDraftCalls,
} from '../../../../bot/agents/clinical_safety/drafts/askForDrafts.ts';
import { makeDrafted } from '../../../../bot/agents/clinical_safety/drafts/makeDrafted.ts';
import { statesRecord } from '../../../../bot/agents/clinical_safety/drafts/statesRecord.ts';
import { ticketTable } from '../../../../bot/agents/clinical_safety/export/exportTickets.ts';
import { proposalTable } from '../../../../bot/agents/clinical_safety/export/proposalTable.ts';
import { changeLogRows } from '../../../../bot/agents/clinical_safety/merge/changeLog.ts';
import { settle } from '../../../../bot/agents/clinical_safety/merge/plan.ts';
import { hazardReview } from '../../../../bot/agents/clinical_safety/questions/hazardReview.ts';
import { affordable } from '../../../../bot/agents/clinical_safety/workflows/planCalls.ts';
import { describeDrafts } from '../../../../models/contracts/clinical_safety/coverageText.ts';
import { newHazard } from '../../../../models/contracts/clinical_safety/proposals.ts';
import { basisFields } from '../../../../models/contracts/clinical_safety/proposalText.ts';
import { LIMITS } from '../../../../models/contracts/limits.ts';
import { makeHazard, makeProposal, makeResult, makeTicket } from '../../../factories/analysisResult.ts';
import { makeInterrupt } from '../../../factories/interrupt.ts';

const { draftsPerCall, ticketsPerCall, callCharacters, ticketCharacters } = LIMITS.drafting;
const SENT = [
  { key: 'T-1', texts: ['Letters go to the wrong ward', 'Seen 12 times since March.'] },
  { key: 'T-2', texts: ['The label prints without a name'] },
];
const LETTERS = {
  name: 'Letter reaches the wrong ward',
  cause: 'The address of the ward is not updated',
  clinicalImpact: 'Treatment is delayed',
  tickets: [{ key: 'T-1', quote: 'Letters go to the wrong ward' }],
};
const LABEL = { ...LETTERS, name: 'Label without a name', tickets: [{ key: 'T-2', quote: 'prints without a name' }] };
const check = (drafts: unknown[], name = 'draft') => checkDrafts(SENT, [{ id: '1', name, input: { drafts } }] as never);

describe('a draft', () => {
  test('counts where its quotations stand in the named tickets', () => {
    const both = { ...LETTERS, tickets: [...LETTERS.tickets, ...LABEL.tickets] };
    expect(check([both])).toEqual({ drafts: [both], dropped: 0 });
    expect(check([LETTERS, LABEL])).toEqual({ drafts: [LETTERS, LABEL], dropped: 0 });
    expect(check([])).toEqual({ drafts: [], dropped: 0 });
  });

  test.each<[string, object]>([
    ['an invented quotation', { tickets: [{ key: 'T-1', quote: 'Letters go to the right ward' }] }],
    ['a quotation of another ticket', { tickets: [{ key: 'T-2', quote: 'Letters go to the wrong ward' }] }],
    ['a quotation too short to say where it stands', { tickets: [{ key: 'T-1', quote: 'Letters' }] }],
    ['one right quotation and one invented', { tickets: [...LETTERS.tickets, { key: 'T-2', quote: 'No such words' }] }],
    ['a ticket that was not asked about', { tickets: [{ key: 'T-3', quote: 'Letters go to the wrong ward' }] }],
    ['a ticket twice', { tickets: [...LETTERS.tickets, ...LETTERS.tickets] }],
    ['no ticket', { tickets: [] }],
    ['a rating', { severity: 'Major' }],
    ['a status', { status: 'Closed' }],
    ['a control', { controls: ['Double check'] }],
    ['a number that no ticket of it has', { clinicalImpact: 'Treatment is delayed by 13 days' }],
    ['a rating in words', { clinicalImpact: 'Delay, severity minor' }],
    ['a control in words', { cause: 'The existing control fails' }],
    ['no name', { name: ' ' }],
    ['a text that is too long', { cause: 'x'.repeat(LIMITS.drafting.textCharacters + 1) }],
  ])('with %s is dropped and counted', (_what, change) => {
    expect(check([{ ...LETTERS, ...change }, LABEL])).toEqual({ drafts: [LABEL], dropped: 1 });
  });

  test('may repeat a number of its ticket, and be as long as the limit', () => {
    const own = { ...LETTERS, cause: `Seen 12 times${' x'.repeat(300)}`.slice(0, LIMITS.drafting.textCharacters - 1) };
    expect(check([own]).dropped).toBe(0);
  });

  test('is dropped where another has its ticket, or a call has enough', () => {
    expect(check([LETTERS, { ...LETTERS, name: 'Another' }])).toEqual({ drafts: [LETTERS], dropped: 1 });
    const sent = Array.from({ length: draftsPerCall + 1 }, (_, at) => ({
      key: `T-${at}`,
      texts: [`Failure no ${at}`],
    }));
    const drafts = sent.map(({ key, texts }) => ({ ...LETTERS, tickets: [{ key, quote: texts[0] }] }));
    const { drafts: kept, dropped } = checkDrafts(sent, [{ id: '1', name: 'draft', input: { drafts } }] as never);
    expect([kept.length, dropped]).toEqual([draftsPerCall, 1]);
  });

  test.each([
    ['another tool', () => check([LETTERS], 'delete')],
    ['no list', () => checkDrafts(SENT, [{ id: '1', name: 'draft', input: 'Closed' }] as never)],
  ])('is none where the answer is %s', (_what, answer) => expect(answer()).toEqual({ drafts: [], dropped: 1 }));
});

test.each([
  ['Risk: 3', true],
  ['This is a low risk', true],
  ['The risk is acceptable', true],
  ['Status: closed', true],
  ['A control is in place', true],
  ['It was approved', true],
  ['Mitigated by a second check', true],
  ['A controlled drug is given twice', false],
  ['The allergy status is not shown', false],
  ['Infection spreads because control of access fails', false],
])('whether it states what only people record: %s', (text, states) => expect(statesRecord(text)).toBe(states));

describe('a call', () => {
  const records = (count: number, length = 1) =>
    Array.from({ length: count }, (_, at) => ({ key: `T-${at}`, summary: 'x'.repeat(length), description: '' }));
  test('has so many tickets and characters, each ticket cut', () => {
    expect(makeDraftCalls(records(ticketsPerCall))).toHaveLength(1);
    expect(makeDraftCalls(records(ticketsPerCall + 1)).map(({ tickets }) => tickets.length)).toEqual([
      ticketsPerCall,
      1,
    ]);
    const [long] = makeDraftCalls(records(1, ticketCharacters + 1));
    expect(long?.tickets[0]?.texts).toEqual(['x'.repeat(ticketCharacters)]);
    for (const { tickets } of makeDraftCalls(records(16, ticketCharacters)))
      expect(JSON.stringify(tickets).length).toBeLessThanOrEqual(callCharacters);
    expect(makeDraftCalls([{ key: 'T-1', summary: ' ', description: '' }])).toEqual([]);
  });
  test('is known by its tickets', () => {
    const keyOf = (summary: string) => makeDraftCalls([{ key: 'T-1', summary, description: '' }])[0]?.key;
    expect(keyOf('a  b')).toBe(keyOf('a b'));
    expect(keyOf('a b')).not.toBe(keyOf('a c'));
  });
  test('is made only where the credits cover it', () => {
    const calls = makeDraftCalls(records(ticketsPerCall * 2));
    const both = calls.reduce((sum, call) => sum + estimateDraftCall(call), 0);
    expect(affordable(calls, both, estimateDraftCall)).toEqual({ batches: calls, estimate: both });
    expect(affordable(calls, both - 1, estimateDraftCall).batches).toEqual(calls.slice(0, 1));
    expect(affordable(calls, 0, estimateDraftCall)).toEqual({ batches: [], estimate: 0 });
  });
});

describe('a drafted proposal', () => {
  const before = {
    existingHazards: [makeHazard({ id: 'H07', name: 'Wrong dose' })],
    newHazards: [makeProposal({ proposedId: 'H08' })],
    tickets: [makeTicket({ key: 'T-1', summary: 'Letters', possibleHazardIds: ['H07'] })],
  };
  const draft = { ...LETTERS };
  const made = (...names: string[]) =>
    makeDrafted(before, [{ model: 'azure:m', drafts: names.map((name) => ({ ...draft, name })) }]);
  const [proposal = makeProposal()] = made(LETTERS.name).proposals;
  const rowUnder = (mode: 'full' | 'reference-only', one = proposal) =>
    hazardReview.rows?.(makeInterrupt({ interruptType: 'hazard_review', context: { rows: [one] } }), mode).rows[0];

  test('has the next id, the words of its tickets, no rating and no control, and is never sure', () => {
    expect(newHazard.parse(proposal)).toEqual(proposal);
    expect(proposal).toMatchObject({
      ...{ proposedId: 'H09', sure: false, candidates: [], draftedBy: 'azure:m', possibleHazardIds: ['H07'] },
      evidence: [{ ticketKey: 'T-1', summary: 'Letters', quote: LETTERS.tickets[0]?.quote }],
      values: { cause: LETTERS.cause, controlDesign: '', controlTest: '', controlTraining: '', controlBusiness: '' },
    });
    expect(proposal).not.toHaveProperty('suggested');
  });

  test('is dropped where the log, a proposal, its kind or another draft has its name', () => {
    expect(
      made('wrong  dose', 'Proposed name', 'Dose', 'New', 'new').proposals.map(({ values }) => values.name),
    ).toEqual(['New']);
    expect(made('wrong  dose', 'Proposed name', 'Dose', 'New', 'new').dropped).toBe(4);
  });

  test('is another one under another name, so that a rejection holds for its own words', () => {
    expect(made('A').proposals[0]?.id).toBe(made('A').proposals[0]?.id);
    expect(made('A').proposals[0]?.id).not.toBe(made('B').proposals[0]?.id);
  });

  test('is reviewed as drafted by the model, on weak evidence, also where content may not be sent', () => {
    expect(rowUnder('full')).toMatchObject({
      ...{ isWeak: true, grade: null, options: [], title: LETTERS.name },
      earlier: 'Drafted by azure:m, and may be wrong',
    });
    const withheld = rowUnder('reference-only');
    expect(withheld?.earlier).toBe('Drafted by azure:m, and may be wrong');
    expect(JSON.stringify(withheld)).not.toContain('ward');
    const rejectedBefore = { by: 'Ada', at: '2026-01-02T00:00:00.000Z', day: '2 January', reason: null };
    expect(rowUnder('full', { ...proposal, rejectedBefore })?.earlier).toBe(
      'Drafted by azure:m, and may be wrong. Rejected before, on 2 January by Ada',
    );
  });

  test('is shown as such in the evidence and the exports, without a rating', () => {
    expect(basisFields(proposal, undefined)).toEqual([
      ['For discussion', null],
      ['Basis', 'Drafted by azure:m, and may be wrong'],
      ['Knowledge base', ''],
    ]);
    const { headers, rows } = proposalTable([proposal], new Map());
    const cell = (name: string) => rows[0]?.[headers.indexOf(name)];
    expect(['Knowledge base', 'Candidates', 'Suggested for discussion'].map(cell)).toEqual([
      'azure:m (Drafted by a language model)',
      '',
      '',
    ]);
    const file = { bytes: new Uint8Array(), fileName: 'log.xlsx', digest: 'a' };
    const review = { reviewer: 'Ada', role: 'CSO', decidedAt: '2026-01-02T00:00:00.000Z' };
    const [logged] = changeLogRows(
      [{ ...settle(proposal, { id: proposal.id, outcome: 'accepted' }), written: null }] as never,
      { log: file, result: makeResult(), review, rows: [] } as never,
      true,
    );
    expect(logged?.slice(16, 18)).toEqual(['azure:m (Drafted by a language model)', 'none']);
    expect(ticketTable({ tickets: before.tickets, newHazards: [proposal] }).rows[0]?.[9]).toBe('H09');
  });
});

test('what a model drafted is said with what it cost and what was dropped', () => {
  expect(describeDrafts('azure:m', { tickets: 9, asked: 8, known: 0, drafted: 2, dropped: 1, tokens: 1500 })).toBe(
    'From 8 of 9 tickets without a known kind of hazard, azure:m drafted 2 proposals, which may be wrong: unrated, with verbatim words of the tickets, for you to decide on. 1 draft did not pass the check and was dropped. 1 ticket got no answer. It used 1,500 credits.',
  );
  expect(describeDrafts('azure:m', { tickets: 2, asked: 2, known: 2, drafted: 1, dropped: 0, tokens: 0 })).toMatch(
    /drafted 1 proposal, .* decide on\. It used 0 credits; 2 tickets were answered in an earlier analysis and cost nothing\.$/,
  );
});
