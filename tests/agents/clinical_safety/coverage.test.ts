import { describe, expect, test } from '@jest/globals';
import { readLog } from '../../../bot/agents/clinical_safety/reading/readLog.ts';
import {
  countCoverage,
  type JudgedTicket,
  judgeTickets,
} from '../../../bot/agents/clinical_safety/tickets/coverage.ts';
import {
  indexHazards,
  MATCH_THRESHOLD,
  matchHazards,
  weighTerms,
} from '../../../bot/agents/clinical_safety/tickets/hazardMatching.ts';
import { scoreTicket } from '../../../bot/agents/clinical_safety/tickets/relevance.ts';
import type { TicketDecision, TicketRecord } from '../../../bot/agents/clinical_safety/worker/jobs.ts';
import type { TicketVerdict } from '../../../models/contracts/clinical_safety/hazards.ts';
import type { NewHazard } from '../../../models/contracts/clinical_safety/proposals.ts';
import { type HazardRow, makePackage, makeWideLog, type SheetCell } from '../../factories/hazardLog.ts';
import { ALLERGY, DOSE, makeTicket } from '../../factories/tickets.ts';

const FAILED = 'Allergy panel shows none known although the allergy service failed';

const indexOf = async (rows: HazardRow[]) => indexHazards((await readLog(makeWideLog(rows), 'log.xlsx')).hazards);
async function judge(records: TicketRecord[], decisions: TicketDecision[] = [], rows = [ALLERGY, DOSE]) {
  const judged = judgeTickets(
    records.map((record) => scoreTicket(record)),
    await indexOf(rows),
    decisions,
  );
  return judged.map(({ verdict }) => verdict);
}
const judgeOne = async (record: TicketRecord, decisions: TicketDecision[] = [], rows?: HazardRow[]) =>
  (await judge([record], decisions, rows))[0] as TicketVerdict;

describe('a hazard’s id in a ticket', () => {
  test.each([
    ['a letter, a digit and four characters', 'HAZ1', true],
    ['three characters, which any text may hold', 'H12', false],
    ['no digit', 'HAZARD', false],
    ['no letter', '1234', false],
  ])('links the two if it has %s: %s', async (_, id, links) => {
    const verdict = await judgeOne(makeTicket('EPS-1', `Follow-up of ${id}`), [], [{ ...ALLERGY, id }]);
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
    expect((await judgeOne(makeTicket('EPS-1', 'Rename column', 'goes with haz01'), [], [ALLERGY])).hazardIds).toEqual([
      'HAZ01',
    ]);
    const both = await judgeOne(makeTicket('EPS-77', 'HAZ01 again, HAZ01'));
    expect(both).toMatchObject({ coveredBy: 'link', hazardIds: ['HAZ02', 'HAZ01'] });
  });
});

describe('a person’s verdict on a ticket', () => {
  test('covers it with the named hazard, in any spelling', async () => {
    const decided = await judgeOne(makeTicket('EPS-1', FAILED), [{ ticketKey: 'eps-1', hazardId: 'haz02' }]);
    expect(decided).toMatchObject({ coveredBy: 'person', hazardIds: ['HAZ02'], relevance: 'relevant' });
    expect(decided).not.toHaveProperty('possibleHazardIds');
  });

  test('that no hazard covers it overrides a link and a match', async () => {
    for (const record of [makeTicket('EPS-77', 'Dose is lost'), makeTicket('EPS-1', FAILED)]) {
      const verdict = await judgeOne(record, [{ ticketKey: record.key, hazardId: null }]);
      expect(verdict).toMatchObject({ coveredBy: null, hazardIds: [] });
      expect(verdict.possibleHazardIds ?? []).toEqual([]);
    }
  });

  test('on a hazard that was removed leaves links and words to decide', async () => {
    const gone = (ticketKey: string, relevant?: boolean): TicketDecision[] => [
      { ticketKey, hazardId: 'HAZ99', ...(relevant === undefined ? {} : { relevant }) },
    ];
    for (const relevant of [undefined, true]) {
      expect(await judgeOne(makeTicket('EPS-77', 'Rename column'), gone('EPS-77', relevant))).toMatchObject({
        coveredBy: 'link',
        hazardIds: ['HAZ02'],
      });
      expect(await judgeOne(makeTicket('EPS-1', FAILED), gone('EPS-1', relevant))).toMatchObject({
        coveredBy: null,
        possibleHazardIds: ['HAZ01'],
      });
    }
  });

  test('that it is relevant makes it so, with or without a hazard; that it is not decides it', async () => {
    const none = makeTicket('EPS-9', 'Bump eslint');
    expect((await judgeOne(none)).relevance).toBe('not');
    expect(await judgeOne(none, [{ ticketKey: 'EPS-9', hazardId: null, relevant: true }])).toMatchObject({
      relevance: 'relevant',
      coveredBy: null,
    });
    expect(await judgeOne(none, [{ ticketKey: 'EPS-9', hazardId: 'HAZ01', relevant: true }])).toMatchObject({
      relevance: 'relevant',
      coveredBy: 'person',
      hazardIds: ['HAZ01'],
    });
    const away = await judgeOne(makeTicket('EPS-77', FAILED), [
      { ticketKey: 'EPS-77', hazardId: null, relevant: false },
    ]);
    expect(away).toMatchObject({ relevance: 'not', coveredBy: null, hazardIds: [], quote: '' });
  });

  test('concerns only that ticket', async () => {
    const verdicts = await judge(
      [makeTicket('EPS-1', FAILED), makeTicket('EPS-2', FAILED)],
      [{ ticketKey: 'EPS-2', hazardId: 'HAZ02' }],
    );
    expect(verdicts.map(({ coveredBy }) => coveredBy)).toEqual([null, 'person']);
  });
});

describe('a computed verdict', () => {
  test('quotes the sentence of the ticket that concerns the hazard, letter by letter', async () => {
    const sentence = 'A known allergy is missing from the prescribing screen and the patient is given an allergen.';
    const records = ['EPS-1', 'EPS-2'].map((key) => makeTicket(key, 'Screen fault', `Seen on Monday. ${sentence}`));
    for (const { quote } of await judge(records, [{ ticketKey: 'EPS-1', hazardId: 'HAZ01' }]))
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

  test('calls a hazard possible from the threshold on, and not below', async () => {
    const records = [
      makeTicket('EPS-1', FAILED),
      makeTicket('EPS-2', 'Dose unit conversion is wrong on the prescription'),
    ];
    const scored = records.map((record) => scoreTicket(record));
    const index = await indexOf([ALLERGY, DOSE]);
    const telling = weighTerms(scored);
    const expected = scored.map((one) =>
      matchHazards(index, one, telling)
        .filter(({ score }) => score >= MATCH_THRESHOLD)
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
    ({ verdict: { key, relevance: 'relevant', coveredBy: null, hazardIds: [], ...verdict } }) as JudgedTicket;
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
