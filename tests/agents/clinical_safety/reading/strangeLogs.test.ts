import { describe, expect, test } from '@jest/globals';
import { findFindings } from '../../../../bot/agents/clinical_safety/findings/findFindings.ts';
import { readLog } from '../../../../bot/agents/clinical_safety/reading/readLog.ts';
import { differencesOf } from './strangeLogs/differences.ts';
import { fieldTables } from './strangeLogs/fieldTables.ts';
import { frenchCriticality } from './strangeLogs/frenchCriticality.ts';
import { germanGroups } from './strangeLogs/germanGroups.ts';
import { mergedMixed } from './strangeLogs/mergedMixed.ts';
import type { StrangeLog } from './strangeLogs/strangeLog.ts';
import { wikiPages } from './strangeLogs/wikiPages.ts';
import { workplaceForm } from './strangeLogs/workplaceForm.ts';

const STRANGE = [germanGroups, frenchCriticality, fieldTables, mergedMixed, wikiPages, workplaceForm];
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
