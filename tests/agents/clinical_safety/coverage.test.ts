import { describe, expect, test } from '@jest/globals';
import { parseAddress } from '../../../bot/agents/clinical_safety/ooxml/cellAddress.ts';
import type { LogHazard } from '../../../bot/agents/clinical_safety/reading/logModel.ts';
import { readLog } from '../../../bot/agents/clinical_safety/reading/readLog.ts';
import { countCoverage, judgeTickets } from '../../../bot/agents/clinical_safety/tickets/coverage.ts';
import { indexHazards, matchHazards, weighTerms } from '../../../bot/agents/clinical_safety/tickets/hazardMatching.ts';
import { digestHazard, digestTicket } from '../../../bot/agents/clinical_safety/tickets/matchEvidence.ts';
import { MATCH_THRESHOLD } from '../../../bot/agents/clinical_safety/tickets/possibleMatches.ts';
import { scoreTicket } from '../../../bot/agents/clinical_safety/tickets/relevance.ts';
import type { MatchDecision, TicketRecord } from '../../../bot/agents/clinical_safety/worker/jobs.ts';
import type { TicketVerdict } from '../../../models/contracts/clinical_safety/hazards.ts';
import type { NewHazard } from '../../../models/contracts/clinical_safety/proposals.ts';
import { makeHazard } from '../../factories/analysisResult.ts';
import { type HazardRow, makePackage, makeWideLog, type SheetCell } from '../../factories/hazardLog.ts';
import { ALLERGY, DOSE, makeDecision, makeTicket } from '../../factories/tickets.ts';

const FAILED = 'Allergy panel shows none known although the allergy service failed';
const GONE = makeHazard({ id: 'HAZ99', name: 'Gone' });

const indexOf = async (rows: HazardRow[]) => indexHazards((await readLog(makeWideLog(rows), 'log.xlsx')).hazards);
/** The decisions that people made, given the hazards of the log. */
type Deciding = (hazards: LogHazard[]) => MatchDecision[];
const nobody: Deciding = () => [];

async function judge(records: TicketRecord[], decide = nobody, rows = [ALLERGY, DOSE]) {
  const index = await indexOf(rows);
  const judged = judgeTickets(
    records.map((record) => scoreTicket(record)),
    index,
    decide(index.hazards),
  );
  return judged.map(({ verdict }) => verdict);
}
const judgeOne = async (record: TicketRecord, decide = nobody, rows?: HazardRow[]) =>
  (await judge([record], decide, rows))[0] as TicketVerdict;
const hazardOf = async (row: HazardRow) => (await indexOf([row])).hazards[0] as LogHazard;

describe('a hazard’s id in a ticket', () => {
  test.each([
    ['a letter, a digit and four characters', 'HAZ1', true],
    ['three characters, which any text may hold', 'H12', false],
    ['no digit', 'HAZARD', false],
    ['no letter', '1234', false],
  ])('links the two if it has %s: %s', async (_, id, links) => {
    const verdict = await judgeOne(makeTicket('EPS-1', `Follow-up of ${id}`), nobody, [{ ...ALLERGY, id }]);
    expect(verdict.coveredBy).toBe(links ? 'link' : null);
    expect(verdict.hazardIds).toEqual(links ? [id] : []);
  });

  test('that was generated for a log without ids links nothing', async () => {
    const rows: SheetCell[][] = [
      ['Hazard Name', 'Possible Causes', 'Severity', 'Likelihood', 'Risk'],
      ['Allergy is not shown', 'The service fails', 'Major', 'Low', 3],
    ];
    const log = await readLog(makePackage({ sheets: [{ name: 'Hazard Log', rows }] }), 'log.xlsx');
    const [hazard] = log.hazards;
    expect(hazard?.hasId).toBe(false);
    const scored = [scoreTicket(makeTicket('EPS-1', `Rename ${hazard?.id}`))];
    expect(judgeTickets(scored, indexHazards(log.hazards), [])[0]?.verdict.coveredBy).toBeNull();
  });

  test('is found with only one hazard in the log, in the description, and beside others', async () => {
    expect(
      (await judgeOne(makeTicket('EPS-1', 'Rename column', 'goes with haz01'), nobody, [ALLERGY])).hazardIds,
    ).toEqual(['HAZ01']);
    const both = await judgeOne(makeTicket('EPS-77', 'HAZ01 again, HAZ01'));
    expect(both).toMatchObject({ coveredBy: 'link', hazardIds: ['HAZ02', 'HAZ01'] });
  });
});

describe('a person’s decision on a ticket and a hazard', () => {
  const ticket = makeTicket('EPS-1', FAILED);
  const confirmed: Deciding = ([allergy]) => [makeDecision(ticket, allergy as LogHazard)];
  const ruledOut: Deciding = ([allergy]) => [makeDecision(ticket, allergy as LogHazard, false)];

  test('covers it by the hazard, whatever the words say, and names nothing as possible', async () => {
    const decided = await judgeOne(ticket, ([, dose]) => [makeDecision(ticket, dose as LogHazard)]);
    expect(decided).toMatchObject({ coveredBy: 'person', hazardIds: ['HAZ02'], relevance: 'relevant' });
    expect(decided).not.toHaveProperty('possibleHazardIds');
    expect(decided).not.toHaveProperty('possible');
  });

  test('counts in any spelling of the key and the id', async () => {
    const spelled: Deciding = (hazards) =>
      confirmed(hazards).map((one) => ({ ...one, ticketKey: 'eps-1', hazardId: ' haz 01' }));
    expect(await judgeOne(ticket, spelled)).toMatchObject({ coveredBy: 'person', hazardIds: ['HAZ01'] });
  });

  test('that it does not cover the ticket is not asked again, and leaves other hazards possible', async () => {
    expect((await judgeOne(ticket)).possibleHazardIds).toEqual(['HAZ01']);
    const without = await judgeOne(ticket, ruledOut);
    expect(without).toMatchObject({ coveredBy: null, hazardIds: [], possibleHazardIds: [] });
    const twin = { ...ALLERGY, id: 'HAZ03', name: 'Allergy panel is not shown' };
    expect(await judgeOne(ticket, ruledOut, [ALLERGY, twin])).toMatchObject({ possibleHazardIds: ['HAZ03'] });
  });

  test('concerns only that ticket', async () => {
    const other = makeTicket('EPS-2', FAILED);
    const verdicts = await judge([ticket, other], ([allergy]) => [makeDecision(other, allergy as LogHazard)]);
    expect(verdicts.map(({ coveredBy }) => coveredBy)).toEqual([null, 'person']);
  });

  test('goes with a link: both hazards cover the ticket', async () => {
    const linked = makeTicket('EPS-77', FAILED);
    expect(await judgeOne(linked, ([allergy]) => [makeDecision(linked, allergy as LogHazard)])).toMatchObject({
      coveredBy: 'person',
      hazardIds: ['HAZ01', 'HAZ02'],
    });
  });

  test('makes the ticket relevant; that a hazard does not cover it does not', async () => {
    const dull = makeTicket('EPS-9', 'Bump eslint');
    expect((await judgeOne(dull)).relevance).toBe('not');
    const decide =
      (covers: boolean): Deciding =>
      ([allergy]) => [makeDecision(dull, allergy as LogHazard, covers)];
    expect(await judgeOne(dull, decide(true))).toMatchObject({ relevance: 'relevant', coveredBy: 'person' });
    expect(await judgeOne(dull, decide(false))).toMatchObject({ relevance: 'not', coveredBy: null });
  });

  test('on a hazard that was removed counts for nothing', async () => {
    const gone = await judgeOne(ticket, () => [makeDecision(ticket, GONE)]);
    expect(gone).toMatchObject({ coveredBy: null, possibleHazardIds: ['HAZ01'] });
    expect(gone.possible?.[0]).not.toHaveProperty('before');
  });

  test('in a log without ids is not taken over by the hazard that stands in its row by now', async () => {
    const logOf = async (name: string) => {
      const rows: SheetCell[][] = [
        ['Hazard Name', 'Possible Causes', 'Severity', 'Likelihood', 'Risk'],
        [name, ALLERGY.causes ?? '', 'Major', 'Low', 3],
      ];
      return readLog(makePackage({ sheets: [{ name: 'Hazard Log', rows }] }), 'log.xlsx');
    };
    const [known] = (await logOf('Allergy is not shown')).hazards;
    const { hazards } = await logOf('Allergy panel is empty');
    expect(hazards[0]?.id).toBe(known?.id);
    const [judged] = judgeTickets([scoreTicket(ticket)], indexHazards(hazards), [
      makeDecision(ticket, known as LogHazard),
    ]);
    expect(judged?.verdict.coveredBy).toBeNull();
    for (const match of judged?.verdict.possible ?? []) expect(match).not.toHaveProperty('before');
  });

  test('follows its hazard to another id while its texts are the same', async () => {
    const renumbered = { ...ALLERGY, id: 'HAZ07' };
    const known = await hazardOf(ALLERGY);
    expect(await judgeOne(ticket, () => [makeDecision(ticket, known)], [DOSE, renumbered])).toMatchObject({
      coveredBy: 'person',
      hazardIds: ['HAZ07'],
    });
  });

  test('is the newest one, also where an earlier one was made under another id of the hazard', async () => {
    const known = await hazardOf(ALLERGY);
    const renumbered = { ...ALLERGY, id: 'HAZ07' };
    const later = '2026-06-01T10:00:00.000Z';
    const before = makeDecision(ticket, known);
    const decide = (earlier: MatchDecision, covers: boolean): Deciding => {
      const latest = { ...makeDecision(ticket, { ...known, id: 'HAZ07' }, covers), at: later };
      return () => [latest, earlier];
    };
    expect(await judgeOne(ticket, decide(before, false), [renumbered, DOSE])).toMatchObject({
      coveredBy: null,
      possibleHazardIds: [],
    });
    // The earlier one is not asked about again either, after the ticket changed between the two.
    const onOldText = makeDecision(makeTicket('EPS-1', `${FAILED} at night`), known);
    expect(await judgeOne(ticket, decide(onOldText, false), [renumbered, DOSE])).toMatchObject({
      coveredBy: null,
      possibleHazardIds: [],
    });
    const ruledOutBefore = { ...before, covers: false };
    expect(await judgeOne(ticket, decide(ruledOutBefore, true), [renumbered, DOSE])).toMatchObject({
      coveredBy: 'person',
      hazardIds: ['HAZ07'],
    });
  });

  test.each<[what: string, changed: 'ticket' | 'hazard' | 'both', record: TicketRecord, row: HazardRow]>([
    ['the ticket', 'ticket', makeTicket('EPS-1', `${FAILED} again`), ALLERGY],
    ['the ticket’s description', 'ticket', makeTicket('EPS-1', FAILED, 'Seen on ward 3.'), ALLERGY],
    ['the hazard’s name', 'hazard', ticket, { ...ALLERGY, name: 'Allergy panel is empty' }],
    ['the hazard’s causes', 'hazard', ticket, { ...ALLERGY, causes: `${ALLERGY.causes}\n2) Another` }],
    ['the hazard’s harm', 'hazard', ticket, { ...ALLERGY, impact: 'Anaphylaxis' }],
    ['both', 'both', makeTicket('EPS-1', `${FAILED} again`), { ...ALLERGY, description: 'An allergy is missing.' }],
  ])(
    'no longer holds once %s changed: it is possible again, and says what changed',
    async (_, changed, record, row) => {
      const known = await hazardOf(ALLERGY);
      for (const covers of [true, false]) {
        const verdict = await judgeOne(record, () => [makeDecision(ticket, known, covers)], [row, DOSE]);
        expect(verdict).toMatchObject({ coveredBy: null, hazardIds: [], possibleHazardIds: ['HAZ01'] });
        expect(verdict.possible?.[0]?.before).toEqual({ covers, at: '2026-05-03T10:00:00.000Z', changed });
      }
    },
  );

  test('goes by every cause, each for itself, and by each text in its own field', () => {
    const digestOf = (...texts: string[]) =>
      digestHazard(
        makeHazard({ causes: texts.map((text) => ({ id: null, text, place: { sheet: 'Log', cell: 'E2' } })) }),
      );
    const all = [['Unit lost'], ['Unit lost', 'Rounding'], ['Unit lost', 'Server'], ['Unit lostRounding']];
    expect(new Set(all.map((texts) => digestOf(...texts))).size).toBe(4);
    expect(digestTicket(makeTicket('EPS-1', 'Dose is wrong', ''))).not.toBe(
      digestTicket(makeTicket('EPS-1', '', 'Dose is wrong')),
    );
  });

  test('holds while only spaces, controls, ratings, owner or status changed', async () => {
    const known = await hazardOf(ALLERGY);
    const spaced = makeTicket('EPS-1', ` ${FAILED.replaceAll(' ', '  ')}`, '\n');
    const row = { ...ALLERGY, notes: 'Agreed in May', description: ` ${ALLERGY.description}` };
    expect(await judgeOne(spaced, () => [makeDecision(ticket, known)], [row])).toMatchObject({ coveredBy: 'person' });
  });

  test('that a hazard covers the ticket is asked again even where its words are no longer near', async () => {
    const known = await hazardOf(ALLERGY);
    const away = {
      ...ALLERGY,
      name: 'Printer is slow',
      description: 'Paper jams.',
      causes: '1) Dust',
      impact: 'Delay.',
    };
    const verdict = await judgeOne(ticket, () => [makeDecision(ticket, known)], [away]);
    expect(verdict).toMatchObject({ relevance: 'relevant', coveredBy: null, possibleHazardIds: ['HAZ01'] });
    expect(verdict.possible?.[0]).toMatchObject({ score: 0, before: { covers: true, changed: 'hazard' } });
    // One that was ruled out is not brought back, and makes no ticket relevant.
    const dull = makeTicket('EPS-9', 'Bump eslint');
    const ofDull = await judgeOne(dull, () => [makeDecision(dull, known, false)], [away]);
    expect(ofDull).toMatchObject({ relevance: 'not', coveredBy: null });
    const out = await judgeOne(ticket, () => [makeDecision(ticket, known, false)], [away]);
    expect(out.possibleHazardIds).toEqual([]);
  });
});

describe('a possible match', () => {
  const records = [makeTicket('EPS-1', 'Screen fault', `Seen on Monday. ${FAILED}.\nFix: show the allergy panel.`)];

  test('says what speaks for it on both sides, verbatim, with the cell of the hazard', async () => {
    const [verdict] = await judge(records);
    const log = await readLog(makeWideLog([ALLERGY, DOSE]), 'log.xlsx');
    const [match] = verdict?.possible ?? [];
    expect(match).toMatchObject({ hazardId: 'HAZ01', hazardName: ALLERGY.name, ticketQuote: `${FAILED}.` });
    expect(records[0]?.description).toContain(match?.ticketQuote);
    const { sheet = '', cell = '' } = match?.place ?? {};
    const { row, column } = parseAddress(cell) ?? { row: 0, column: 0 };
    const grid = log.grids.find(({ name }) => name === sheet);
    expect(match?.hazardQuote).not.toBe('');
    expect(grid?.rows[row]?.[column]?.text).toContain(match?.hazardQuote);
    expect(verdict?.digest).toBe(digestTicket(records[0] as TicketRecord));
    expect(match?.hazardDigest).toBe(digestHazard(await hazardOf(ALLERGY)));
  });

  test('has the next nearest hazards beside it, and none of the possible ones twice', async () => {
    const twins = Array.from({ length: 25 }, (_, at) => ({ ...ALLERGY, id: `HAZ${at + 10}` }));
    const [verdict] = await judge(records, nobody, twins);
    expect(verdict?.possible).toHaveLength(3);
    expect(verdict?.others).toHaveLength(17);
    const named = [...(verdict?.possibleHazardIds ?? []), ...(verdict?.others ?? [])];
    expect(new Set(named).size).toBe(20);
  });

  test('makes room for no farther hazard once the nearest are ruled out, so that an answered ticket stays answered', async () => {
    const twins = Array.from({ length: 5 }, (_, at) => ({ ...ALLERGY, id: `HAZ${at + 10}`, notes: `${at}` }));
    const ticket = records[0] as TicketRecord;
    const [first] = await judge(records, nobody, twins);
    const nearest = first?.possibleHazardIds ?? [];
    expect(nearest).toHaveLength(3);
    const ruledOut: Deciding = (hazards) =>
      hazards.filter(({ id }) => nearest.includes(id)).map((hazard) => makeDecision(ticket, hazard, false));
    expect((await judge(records, ruledOut, twins))[0]?.possibleHazardIds).toEqual([]);
  });

  test('of a log of 20 hazards leaves every other one to choose, and of a longer one 20 in all', async () => {
    const far = Array.from({ length: 20 }, (_, at) => ({ ...DOSE, id: `FAR${at + 10}`, notes: '' }));
    const [short] = await judge(records, nobody, [ALLERGY, ...far.slice(1)]);
    expect(short?.possibleHazardIds).toEqual(['HAZ01']);
    expect([...(short?.others ?? [])].sort()).toEqual(far.slice(1).map(({ id }) => id));
    const [long] = await judge(records, nobody, [ALLERGY, ...far]);
    expect(long?.others).toHaveLength(19);
  });

  test('of a ticket that nothing is near to has no evidence, no others and no digest', async () => {
    const verdict = await judgeOne(makeTicket('EPS-1', 'Referral letter is lost'), nobody, [DOSE]);
    expect(verdict.possibleHazardIds).toEqual([]);
    for (const name of ['possible', 'others', 'digest']) expect(verdict).not.toHaveProperty(name);
  });
});

describe('a computed verdict', () => {
  test('quotes the sentence of the ticket that concerns the hazard, letter by letter', async () => {
    const sentence = 'A known allergy is missing from the prescribing screen and the patient is given an allergen.';
    const records = ['EPS-1', 'EPS-2'].map((key) => makeTicket(key, 'Screen fault', `Seen on Monday. ${sentence}`));
    for (const { quote } of await judge(records, ([allergy]) => [
      makeDecision(records[0] as TicketRecord, allergy as LogHazard),
    ]))
      expect(quote).toBe(sentence);
  });

  test('quotes the summary of a linked ticket without words about any hazard', async () => {
    expect((await judgeOne(makeTicket('EPS-77', 'Rename column'))).quote).toBe('Rename column');
  });

  test('names at most three entries of the knowledge base, the likeliest first', async () => {
    const record = makeTicket(
      'EPS-1',
      'Wrong dose, wrong patient, allergy not shown, result lost and referral not sent',
      'The dose is wrong. The allergy is not shown. Results of another patient are shown. The referral is not sent.',
    );
    const scored = scoreTicket(record);
    expect(scored.ranking.top.length).toBeGreaterThan(3);
    expect((await judgeOne(record)).kbIds).toEqual(scored.ranking.top.slice(0, 3).map(({ entry }) => entry.id));
  });

  test('calls a hazard possible that leads over the others', async () => {
    const records = [
      makeTicket('EPS-1', FAILED),
      makeTicket('EPS-2', 'Dose unit conversion is wrong on the prescription'),
    ];
    const scored = records.map((record) => scoreTicket(record));
    const index = await indexOf([ALLERGY, DOSE]);
    const telling = weighTerms(scored);
    const expected = scored.map((one) =>
      matchHazards(index, one, telling)
        .filter(({ isPossible }) => isPossible)
        .map(({ at }) => index.hazards[at]?.id),
    );
    expect(expected.flat().length).toBeGreaterThan(0);
    const verdicts = judgeTickets(scored, index, []).map(({ verdict }) => verdict.possibleHazardIds);
    expect(verdicts).toEqual(expected);
  });

  test('reports its progress, ticket by ticket', async () => {
    const steps: number[] = [];
    const scored = [makeTicket('A-1', 'a'), makeTicket('A-2', 'b'), makeTicket('A-3', 'c')].map((record) =>
      scoreTicket(record),
    );
    judgeTickets(scored, await indexOf([ALLERGY]), [], (done) => steps.push(done));
    expect(steps).toEqual([0, 1, 2]);
  });
});

describe('the coverage count', () => {
  const judged = (key: string, verdict: Partial<TicketVerdict>) =>
    ({ key, relevance: 'relevant', coveredBy: null, hazardIds: [], ...verdict }) as TicketVerdict;
  const proposal = (...keys: string[]) => ({ evidence: keys.map((ticketKey) => ({ ticketKey })) }) as NewHazard;

  test('separates covered, possible, none and not proposed', () => {
    const { coverage } = countCoverage(
      [
        judged('A-1', { coveredBy: 'link', possibleHazardIds: ['HAZ01'] }),
        judged('A-2', { coveredBy: 'person' }),
        judged('A-3', { possibleHazardIds: ['HAZ01'] }),
        judged('A-4', { possibleHazardIds: [] }),
        judged('A-5', {}),
        judged('A-6', {}),
        judged('A-7', { relevance: 'unsure', possibleHazardIds: ['HAZ01'] }),
        judged('A-8', { relevance: 'not' }),
      ],
      [proposal('A-3', 'A-2'), proposal('A-5')],
    );
    expect(coverage).toMatchObject({ covered: 2, possible: 1, none: 3, relevant: 6, unsure: 1, unproposed: 2 });
    expect(coverage.threshold).toBe(MATCH_THRESHOLD);
  });
});

describe('a ticket without words of harm', () => {
  const FILED: HazardRow = {
    ...DOSE,
    id: 'IMG-H01',
    name: 'Images filed to the wrong patient folder',
    causes: '1) Accession number typed by hand on the modality console',
  };
  const request = makeTicket('EPS-7', 'Allow typing of the accession number on console 3', 'The list is down again.');

  test('that is near a hazard of the log is unsure, and says which', async () => {
    expect(scoreTicket(request).relevance).toBe('not');
    const verdict = await judgeOne(request, nobody, [FILED, ALLERGY]);
    expect(verdict).toMatchObject({ relevance: 'unsure', possibleHazardIds: ['IMG-H01'], coveredBy: null });
  });

  test('is not relevant where no hazard is near, or a person ruled that one out', async () => {
    expect((await judgeOne(request, nobody, [ALLERGY])).relevance).toBe('not');
    const rule: Deciding = (hazards) => [makeDecision(request, hazards[0] as LogHazard, false)];
    expect((await judgeOne(request, rule, [FILED, ALLERGY])).relevance).toBe('not');
  });
});
