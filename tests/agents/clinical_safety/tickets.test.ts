import { describe, expect, test } from '@jest/globals';
import { describeResult } from '../../../bot/agents/clinical_safety/answers/describe.ts';
import { OWN_LABELS, readOutsideLabels } from '../../../bot/agents/clinical_safety/evaluation/labelled.ts';
import { measure } from '../../../bot/agents/clinical_safety/evaluation/measure.ts';
import { exportTickets } from '../../../bot/agents/clinical_safety/export/exportTickets.ts';
import { KNOWLEDGE } from '../../../bot/agents/clinical_safety/knowledge/knowledge.ts';
import type { LogHazard } from '../../../bot/agents/clinical_safety/reading/logModel.ts';
import { readLog } from '../../../bot/agents/clinical_safety/reading/readLog.ts';
import { findTicketKeys } from '../../../bot/agents/clinical_safety/reading/ticketKeys.ts';
import { countCoverage } from '../../../bot/agents/clinical_safety/tickets/coverage.ts';
import { nextIds } from '../../../bot/agents/clinical_safety/tickets/nextIds.ts';
import { proposalId } from '../../../bot/agents/clinical_safety/tickets/proposals.ts';
import { cleanTickets, readTickets } from '../../../bot/agents/clinical_safety/tickets/readTickets.ts';
import { scoreTicket } from '../../../bot/agents/clinical_safety/tickets/relevance.ts';
import { plainText, stem, termsOf } from '../../../bot/agents/clinical_safety/tickets/words.ts';
import { analyseLog } from '../../../bot/agents/clinical_safety/worker/analyseLog.ts';
import type { MatchDecision, TicketRecord } from '../../../bot/agents/clinical_safety/worker/jobs.ts';
import { analysisResult, type TicketVerdict } from '../../../models/contracts/clinical_safety/hazards.ts';
import { digestOf, makePackage, makeWideLog } from '../../factories/hazardLog.ts';
import { ALLERGY, DOSE, makeDecision, makeTicket } from '../../factories/tickets.ts';

async function analyse(tickets: TicketRecord[], decide: (hazards: LogHazard[]) => MatchDecision[] = () => []) {
  const bytes = makeWideLog([ALLERGY, DOSE]);
  const { hazards } = await readLog(bytes, 'log.xlsx');
  return analyseLog({
    log: { bytes, fileName: 'log.xlsx', digest: digestOf(bytes) },
    tickets: { records: tickets, source: 'Jira', digest: 'd' },
    decisions: decide(hazards),
  });
}

/** Tickets that a person confirmed before their words changed: they are relevant, and asked about again. */
const confirmedBefore =
  (...keys: string[]) =>
  ([allergy]: LogHazard[]): MatchDecision[] =>
    keys.map((key) => makeDecision(makeTicket(key, 'Other words'), allergy as LogHazard));

describe('reading tickets', () => {
  const read = (csv: string) => readTickets(new Uint8Array(Buffer.from(csv)), 'tickets.csv');

  test('finds key, summary and description under any tracker’s headings', async () => {
    expect(
      (await read('Summary,Issue key,Issue id,Issue Type,Description\nA,EPS-1,10001,Bug,"x, y"\n')).records[0],
    ).toMatchObject({ key: 'EPS-1', summary: 'A', description: 'x, y', type: 'Bug' });
    expect((await read('ID,Team,Title,Description,Status\nENG-4,Core,B,z,Todo\n')).records[0]).toMatchObject({
      key: 'ENG-4',
      summary: 'B',
      description: 'z',
    });
  });

  test.each([
    ['See EPS-142 and AB_2-7, EPS-142 again', ['EPS-142', 'AB_2-7']],
    ['(EPS-1),EPS-2;EPS-3.', ['EPS-1', 'EPS-2', 'EPS-3']],
    ['PROJECT123-999999', ['PROJECT123-999999']],
    ['eps-1, X-1, 9AB-1, EPS-, EPS-1234567, EPS-12a, EPS–4', []],
    ['ABCDEFGHIJK-1', []],
    ['ISO-14971, DCB-0129, COVID-19, UTF-8, SHA-256, NHS-1', []],
    ['no key', []],
  ])('finds for “%s” the keys %j', (words, keys) => {
    expect(findTicketKeys(words)).toEqual(keys);
  });

  test.each([
    [['EPS-1', 'EPS-2', 'EPS-3'], true],
    [['EPS-1', 'eps_2-22', 'third'], true],
    [['EPS-1', 'second', 'third'], false],
    [['1EPS-1', 'EPS-', 'EPS-12345678'], false],
    [['see EPS-1', 'see EPS-2', 'EPS-3b'], false],
    [['EPS-1b', 'EPS-2 and more', 'third'], false],
  ])('takes a table with the keys %j as a tracker’s: %s', async (keys, sure) => {
    const table = readTickets(
      new Uint8Array(Buffer.from(`Key,Summary,Colour\n${keys.map((key) => `${key},Words,red`).join('\n')}\n`)),
      'tickets.csv',
    );
    if (sure) expect(await table).toMatchObject({ sure: true, records: keys.map((key) => ({ key })) });
    else await expect(table).rejects.toMatchObject({ code: 'not_tickets' });
  });

  test('reads an Excel export too', async () => {
    const bytes = makePackage({
      sheets: [
        {
          name: 'general_report',
          rows: [['Jira'], [], ['Key', 'Summary', 'Description'], ['EPS-1', 'A', 'x'], ['EPS-2', 'B', null]],
        },
      ],
    });
    expect((await readTickets(bytes, 'export.xlsx')).records.map(({ key }) => key)).toEqual(['EPS-1', 'EPS-2']);
  });

  test('counts each ticket once, and leaves out those without words', async () => {
    const { records, duplicates, empty } = cleanTickets([
      makeTicket('A-1', 'x', 'short'),
      makeTicket('a-1', 'x', 'a longer one'),
      makeTicket('A-2', ' ', ''),
      makeTicket('A-3', '', 'Only a description'),
    ]);
    expect({ duplicates, empty }).toEqual({ duplicates: 1, empty: 1 });
    expect(records).toMatchObject([
      { key: 'A-1', description: 'a longer one' },
      { key: 'A-3', summary: 'Only a description' },
    ]);
  });
});

describe('words', () => {
  test('leave out addresses and markup, and split compound names', () => {
    expect(
      plainText('See https://example.org/x {code}var a{code} [text|http://y] AllergyIntoleranceMapper effective_time'),
    ).toMatch(/^See\s+text\s+Allergy Intolerance Mapper effective time$/);
  });

  test('match in their inflections and both spellings', () => {
    expect(
      new Set(['immunisations', 'immunization', 'Immunisation'].map((word) => stem(word.toLowerCase()))).size,
    ).toBe(1);
    expect(termsOf('Allergies were hidden')).toEqual(termsOf('allergy hidden'));
  });
});

describe('relevance', () => {
  test.each([
    'Allergy panel shows none known although the service failed',
    'Dose unit changes from microgram to milligram after conversion',
    'Referral is lost when no slot is free',
    'Users see another patient’s record after switching tabs',
  ])('%s: relevant', (summary) => {
    expect(scoreTicket(makeTicket('A-1', summary)).relevance).toBe('relevant');
  });

  test.each([
    'Bump eslint and prettier',
    'Fix flaky test in CI pipeline',
    'Docs: update README',
    'Refactor module structure',
    'Weekly report of open pull requests',
  ])('%s: not relevant', (summary) => {
    expect(scoreTicket(makeTicket('A-1', summary)).relevance).not.toBe('relevant');
  });
});

describe('coverage', () => {
  test('shows numerator, denominator, thresholds and the unsure band', async () => {
    const { analysisMetadata, tickets } = await analyse([
      makeTicket(
        'EPS-1',
        'Allergy panel shows none known although the allergy service failed',
        'A known allergy is missing from the prescribing screen.',
      ),
      makeTicket('EPS-2', 'Smartcard renewal locks users out'),
      makeTicket('EPS-3', 'Bump eslint'),
      makeTicket('EPS-4', 'Wrong allergy is shown, see HAZ02'),
    ]);
    // Nearness makes a hazard possible; only a name or a person's word counts as covered.
    expect(analysisMetadata.coverage).toMatchObject({ covered: 1, possible: 1, none: 1, relevant: 3 });
    expect(analysisMetadata.coverage.unsure).toBe(tickets.filter(({ relevance }) => relevance === 'unsure').length);
    expect(analysisMetadata.coverageScore).toBe(33);
    expect(tickets[0]).toMatchObject({ coveredBy: null, hazardIds: [], possibleHazardIds: ['HAZ01'] });
    expect(analysisMetadata.coverage.unsureThreshold).toBeLessThan(analysisMetadata.coverage.relevanceThreshold);
  });

  test.each([
    [1, 3, 33],
    [2, 3, 67],
    [1, 8, 13],
    [0, 5, 0],
    [5, 5, 100],
    // Never 100 per cent while one is left.
    [199, 200, 99],
    [200, 200, 100],
  ])('%i of %i relevant tickets are %i per cent, whatever is unsure or not relevant', (covered, relevant, score) => {
    const judged = (
      relevance: TicketVerdict['relevance'],
      count: number,
      coveredBy: TicketVerdict['coveredBy'] = null,
    ) =>
      Array.from({ length: count }, (_, at) => {
        const key = `${relevance}-${coveredBy}-${at}`;
        return { key, relevance, coveredBy, hazardIds: [], possibleHazardIds: [] } as unknown as TicketVerdict;
      });
    const { coverage, coverageScore } = countCoverage(
      [
        ...judged('relevant', covered, 'link'),
        ...judged('relevant', relevant - covered),
        ...judged('unsure', 7),
        ...judged('unsure', 2, 'person'),
        ...judged('not', 3),
      ],
      [],
    );
    expect(coverageScore).toBe(score);
    const left = relevant - covered;
    expect(coverage).toMatchObject({ covered, relevant, unsure: 9, possible: 0, none: left, unproposed: left });
  });

  test('never reads a ticket’s own key as a hazard’s id; another id in it counts', async () => {
    const { tickets } = await analyse([
      makeTicket('HAZ01', 'HAZ01: rename column', 'haz01 is done'),
      makeTicket('haz02', 'Follow-up', 'HAZ02 goes with HAZ01'),
    ]);
    expect(tickets).toMatchObject([
      { key: 'HAZ01', coveredBy: null, hazardIds: [] },
      { key: 'haz02', coveredBy: 'link', hazardIds: ['HAZ01'] },
    ]);
  });

  test('has no figure if no ticket is relevant', async () => {
    expect((await analyse([makeTicket('EPS-3', 'Bump eslint')])).analysisMetadata.coverageScore).toBeNull();
    expect((await analyse([])).analysisMetadata).toMatchObject({
      coverageScore: null,
      jiraAnalysis: { ticketsAnalyzed: 0 },
    });
  });

  test('by a link: a ticket that a hazard names, or that names a hazard', async () => {
    const { tickets } = await analyse([
      makeTicket('EPS-77', 'Rename column'),
      makeTicket('EPS-78', 'Follow-up of haz01'),
    ]);
    expect(tickets).toMatchObject([
      { coveredBy: 'link', hazardIds: ['HAZ02'], relevance: 'relevant' },
      { coveredBy: 'link', hazardIds: ['HAZ01'] },
    ]);
  });

  test('by a person: a ticket that they confirmed for a hazard', async () => {
    const ticket = makeTicket('EPS-1', 'Allergy panel shows none known although the allergy service failed');
    const { tickets, analysisMetadata } = await analyse([ticket], ([, dose]) => [
      makeDecision(ticket, dose as LogHazard),
    ]);
    expect(tickets).toMatchObject([{ coveredBy: 'person', hazardIds: ['HAZ02'] }]);
    expect(analysisMetadata.coverage).toMatchObject({ covered: 1, possible: 0, none: 0 });
  });

  test('quotes the ticket’s words unchanged', async () => {
    const tickets = [
      makeTicket(
        'EPS-1',
        'Screen is wrong',
        'Intro.\n* The allergy list is empty when the service fails and reads none known.\nBye.',
      ),
      makeTicket('EPS-2', 'Dose *wrong* {code}x{code}', 'x'.repeat(400)),
    ];
    for (const { key, quote } of (await analyse(tickets)).tickets) {
      const { summary, description } = tickets.find((candidate) => candidate.key === key) ?? makeTicket('', '');
      if (quote) expect(`${summary}\n${description}`).toContain(quote);
    }
  });
});

describe('proposals', () => {
  const tickets = [
    makeTicket('EPS-9', 'Restore test failed because the backup is corrupt'),
    makeTicket('EPS-8', 'Nightly backup can’t be restored'),
    makeTicket('EPS-1', 'Reaction of an allergy is not shown'),
  ];

  test('are never based on unsure tickets, which are not counted either', async () => {
    const unsure = OWN_LABELS.filter((it) => scoreTicket(it).relevance === 'unsure');
    expect(unsure.length).toBeGreaterThan(2);
    const { newHazards, analysisMetadata } = await analyse(unsure);
    expect(newHazards).toEqual([]);
    expect(analysisMetadata).toMatchObject({
      coverageScore: null,
      coverage: { relevant: 0, unproposed: 0, unsure: unsure.length },
    });
  });

  test('are made for uncovered topics, with keys, quotes and the next free id', async () => {
    const { newHazards } = await analyse(tickets);
    expect(newHazards[0]).toMatchObject({
      kbId: 'AVL-04',
      proposedId: 'HAZ03',
      sure: true,
      possibleHazardIds: [],
      status: 'Proposed – CSO review',
    });
    // The log may have it, so it is proposed after the new ones, with the hazard to compare.
    expect(newHazards.slice(1)).toMatchObject([{ kbId: 'ALG-01', possibleHazardIds: ['HAZ01'] }]);
    expect(newHazards[0]?.evidence.map(({ ticketKey }) => ticketKey).sort()).toEqual(['EPS-8', 'EPS-9']);
    expect(newHazards[0]?.values.cause).toContain('(EPS-9)');
  });

  test('keep their ids whatever the order of the tickets', async () => {
    const [first, second] = [await analyse(tickets), await analyse([...tickets].reverse())];
    expect(first.newHazards.map(({ id }) => id)).toEqual(second.newHazards.map(({ id }) => id));
    expect(proposalId('AVL-04', ['b', 'a'])).toBe(proposalId('AVL-04', ['a', 'b']));
    expect(proposalId('AVL-04', ['a'])).toMatch(/^proposal-[0-9a-f]{16}$/);
    expect(proposalId('AVL-04', ['a'])).not.toBe(proposalId('AVL-04', ['a', 'b']));
  });

  test('offer up to three candidates if the nearest entry is not clear', async () => {
    const { newHazards } = await analyse([
      makeTicket('EPS-5', 'Clock change: doses on the administration chart are shown one hour off'),
      makeTicket('EPS-6', 'Clock change: doses on the administration chart are shown one hour early'),
    ]);
    const [unsure] = newHazards;
    expect(unsure?.sure).toBe(false);
    expect(unsure?.candidates.length).toBeGreaterThan(1);
    expect(unsure?.candidates.length).toBeLessThanOrEqual(3);
    expect(unsure?.candidates[0]?.kbId).toBe(unsure?.kbId);
  });

  test.each([
    'distinguish between upsert and update requests',
    'check enhanced ECR scan results',
    'Add .gitignore file',
    'update base url',
    'unique medication identifiers',
    'Migrate server from flask to hapi',
  ])(
    'are unsure with few words that happen to be an entry’s, and not made for one such ticket: %s',
    async (summary) => {
      const decided = confirmedBefore('EPS-5', 'EPS-6');
      const alone = await analyse([makeTicket('EPS-5', summary)], decided);
      expect(alone.newHazards).toEqual([]);
      expect(alone.tickets).toMatchObject([{ key: 'EPS-5', relevance: 'relevant', coveredBy: null }]);
      const { newHazards } = await analyse([makeTicket('EPS-5', summary), makeTicket('EPS-6', summary)], decided);
      for (const { sure, candidates } of newHazards) expect([sure, candidates.length]).toEqual([false, 3]);
      expect(newHazards).toHaveLength(1);
    },
  );

  test('offer a choice even if the words reach only one entry', async () => {
    const { newHazards } = await analyse(
      [makeTicket('EPS-5', 'Ransomware'), makeTicket('EPS-6', 'Ransomware')],
      confirmedBefore('EPS-5', 'EPS-6'),
    );
    const [{ sure, candidates } = { sure: true, candidates: [] }] = newHazards;
    expect([sure, candidates.map(({ kbId }) => kbId)[0], candidates.length]).toEqual([false, 'SEC-06', 3]);
    expect(candidates.map(({ score }) => score).slice(1)).toEqual([0, 0]);
    for (const { values } of candidates) expect(values?.cause).toContain('(EPS-5)');
  });

  test('that are called sure have a right entry nine times in ten, on every labelled set', () => {
    for (const labels of [OWN_LABELS, readOutsideLabels('../shared/data') ?? []]) {
      if (labels.length === 0) continue;
      const { sure, sureRight } = measure(labels);
      expect(sure).toBeGreaterThanOrEqual(5);
      expect(sureRight).toBeGreaterThanOrEqual(0.9);
    }
  });

  test('have every relevant uncovered ticket exactly once, or it is counted and listed', async () => {
    const many = Array.from({ length: 30 }, (_, at) =>
      makeTicket(`BAK-${at}`, `Restore ${at} failed as backup is corrupt`),
    );
    const result = await analyse(
      [
        ...many,
        ...tickets,
        makeTicket('EPS-20', 'update base url'),
        makeTicket('EPS-21', 'Reaction of an allergy is not shown'),
        makeTicket('EPS-22', 'Zyx qwv'),
      ],
      confirmedBefore('EPS-20', 'EPS-22'),
    );
    const open = result.tickets.filter(({ relevance, coveredBy }) => relevance === 'relevant' && coveredBy === null);
    const inProposals = result.newHazards.flatMap(({ evidence }) => evidence.map(({ ticketKey }) => ticketKey));
    expect(new Set(inProposals).size).toBe(inProposals.length);
    const left = open.filter(({ key }) => !inProposals.includes(key));
    const { unproposed } = result.analysisMetadata.coverage;
    expect(unproposed).toBe(left.length);
    expect(left.map(({ key }) => key)).toEqual(['EPS-20', 'EPS-22']);
    expect(describeResult(result).lines).toContainEqual(
      expect.stringMatching(/^2 relevant tickets are neither covered nor proposed/),
    );
    const csv = Buffer.from((await exportTickets({ result, format: 'csv' })).bytes).toString();
    expect(csv.match(/,without a kind,/g)).toHaveLength(2);
  });

  test('make a result that matches the contract', async () => {
    const result = await analyse(tickets);
    expect(analysisResult.parse(result)).toEqual(result);
  });
});

describe('the next free id', () => {
  test.each([
    [
      ['NRL01', 'NRL11'],
      ['NRL12', 'NRL13'],
    ],
    [
      ['H1', 'H9'],
      ['H10', 'H11'],
    ],
    [
      ['1', '7', '52'],
      ['53', '54'],
    ],
    [
      ['HAZ-009', 'HAZ-010', 'X1'],
      ['HAZ-011', 'HAZ-012'],
    ],
    [[], ['H01', 'H02']],
    [
      ['row 3', 'row 4'],
      ['H01', 'H02'],
    ],
  ])('after %j is %j', (existing, next) => {
    expect(nextIds(existing, 2)).toEqual(next);
  });
});

describe('the knowledge base', () => {
  test('has 94 entries, each complete and rated by the NHS matrix for discussion', () => {
    expect(KNOWLEDGE).toHaveLength(94);
    expect(new Set(KNOWLEDGE.map(({ id }) => id)).size).toBe(94);
    for (const { id, title, description, causes, clinicalImpact, controls, keywords, suggested } of KNOWLEDGE) {
      expect([
        id,
        title.length > 5,
        description.endsWith('.'),
        causes.length > 0,
        clinicalImpact.endsWith('.'),
        keywords.length >= 6,
      ]).toEqual([id, true, true, true, true, true]);
      expect(Object.values(controls).some(Boolean)).toBe(true);
      expect(suggested.risk).toBeGreaterThanOrEqual(1);
    }
  });
});
