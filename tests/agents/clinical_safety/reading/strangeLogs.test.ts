import { describe, expect, test } from '@jest/globals';
import { findFindings } from '../../../../bot/agents/clinical_safety/findings/findFindings.ts';
import { readLog } from '../../../../bot/agents/clinical_safety/reading/readLog.ts';
import { formPerSheet, inlineRatings, pairedCards, wikiQuestions } from './strangeLogs/cardsAndPages.ts';
import { differencesOf } from './strangeLogs/differences.ts';
import { fieldTables } from './strangeLogs/fieldTables.ts';
import { frenchCriticality } from './strangeLogs/frenchCriticality.ts';
import { germanGroups } from './strangeLogs/germanGroups.ts';
import { mergedMixed } from './strangeLogs/mergedMixed.ts';
import { failureModes, germanAfter, isoControls, letters, riskRegister } from './strangeLogs/riskTables.ts';
import type { StrangeLog } from './strangeLogs/strangeLog.ts';
import {
  blocks,
  dutch,
  idsInNames,
  linkedTwice,
  spanish,
  trackerExport,
  twoOrders,
} from './strangeLogs/tablesOfTeams.ts';
import { wikiPages } from './strangeLogs/wikiPages.ts';
import { workplaceForm } from './strangeLogs/workplaceForm.ts';

const STRANGE = [
  ...[germanGroups, frenchCriticality, fieldTables, mergedMixed, wikiPages, workplaceForm],
  ...[isoControls, failureModes, letters, germanAfter, riskRegister],
  ...[pairedCards, formPerSheet, inlineRatings, wikiQuestions],
  ...[trackerExport, blocks, idsInNames, spanish, dutch, linkedTwice, twoOrders],
];
const read = ({ bytes, fileName }: StrangeLog, choice?: string) =>
  readLog(bytes(), fileName, choice ? [{ point: 'hazards:listed', choice }] : []);

describe('logs in layouts of their own', () => {
  test.each(STRANGE.filter((log) => log !== workplaceForm).map((log) => [log.kind, log] as const))(
    '%s: every hazard is read as a reader of the file finds it',
    async (_, strange) => {
      const log = await read(strange);
      expect(differencesOf(log, strange)).toEqual([]);
      expect(findFindings({ log, asOf: null, report: null }).filter(({ level }) => level === 'fix')).toEqual([]);
    },
  );

  test(`${workplaceForm.kind}: asked, and read so`, async () => {
    expect((await read(workplaceForm)).openPoints.map(({ id }) => id)).toEqual(['hazards:listed']);
    expect(differencesOf(await read(workplaceForm, 'each'), workplaceForm)).toEqual([]);
  });
});

test('hazards are not called without ids for certain where a column that was not read may hold them', async () => {
  const rows = (...ids: string[]) => ids.map((id) => `${id},Wrong dose ${id},a,b,Minor`).join('\n');
  const found = async (...ids: string[]) => {
    const csv = `Merkmal,Hazard,Cause,Harm,Severity\n${rows(...ids)}`;
    const log = await readLog(new TextEncoder().encode(csv), 'log.csv');
    return findFindings({ log, asOf: null, report: null })
      .filter(({ rule }) => rule === 'missing-id')
      .map(({ level, message }) => [level, message.includes('The column “Merkmal” was not read and may hold them.')]);
  };
  expect(await found('A1', 'A2', 'A3')).toEqual([['check', true]]);
  expect(await found('A1', 'A2', 'A2')).toEqual([['fix', false]]);
  expect(await found('A1', 'A2', 'red')).toEqual([['fix', false]]);
});

describe('what a log does not give is not said of what was not read', () => {
  const rulesOf = async (csv: string, rule: string) => {
    const log = await readLog(new TextEncoder().encode(csv), 'log.csv');
    return findFindings({ log, asOf: null, report: null }).flatMap((one) => (one.rule === rule ? [one.level] : []));
  };
  const rows = 'H1,Wrong dose,a,b,4\nH2,Lost dose,c,d,3\n';

  test.each([
    ['Bewertung of severity', ['check']],
    ['Colour', ['fix']],
  ])('that no hazard is rated, beside an unread column “%s”', async (heading, levels) => {
    expect(await rulesOf(`ID,Hazard,Cause,Harm,${heading}\n${rows}`, 'no-ratings')).toEqual(levels);
  });

  test('hazards of one name below each other are to check, rows without content of their own to fix', async () => {
    const head = 'ID,Hazard,Cause,Harm,Severity,Likelihood\n';
    const rule = 'id-counted-up-by-dragging';
    expect(await rulesOf(`${head}H1,Wrong dose,a,b,Major,Low\nH2,Wrong dose,c,d,Minor,Low\n`, rule)).toEqual(['check']);
    expect(await rulesOf(`${head}H1,Wrong dose,a,b,Major,Low\nH2,Wrong dose,c,,,\n`, rule)).toEqual(['fix']);
  });

  test('a risk in words alone is listed as not read, one with a number is not', async () => {
    const unread = async (first: string) => {
      const csv = `ID,Hazard,Cause,Harm,Inherent risk,Residual risk\nH1,Wrong dose,a,b,${first},Low\nH2,Lost dose,c,d,High,Low\n`;
      const log = await readLog(new TextEncoder().encode(csv), 'log.csv');
      return log.findUnread().map(({ label }) => label);
    };
    expect(await unread('High')).toEqual([
      'Inherent risk (words without a number)',
      'Residual risk (words without a number)',
    ]);
    expect(await unread('4 High')).toEqual(['Residual risk (words without a number)']);
  });
});
