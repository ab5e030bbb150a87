import { expect, test } from '@jest/globals';
import { findAll, RATED } from '../../../factories/findings.ts';
import type { SheetCell } from '../../../factories/hazardLog.ts';

const hazard = (id: string): SheetCell[] => [id, `Late ${id}`, 'Queue', 'Delay', 'Minor', 'Low', 1];
const THREE = ['HAZ-1', 'HAZ-2', 'HAZ-3'].map(hazard);
const CSO: SheetCell[] = ['CSO', 'Clinical Safety Officer', 'who signs'];
const EPR: SheetCell[] = ['EPR', 'Electronic patient record', 'the system'];

/** The titles of what says that a row may be no hazard, and the levels of what is found of the ids. */
async function found(rows: SheetCell[][], ...ids: string[]) {
  const findings = await findAll({ rows: [RATED, ...rows] });
  return {
    titles: findings.filter(({ rule }) => rule === 'row-may-be-no-hazard').map(({ title }) => title),
    levels: [...new Set(findings.filter(({ hazardId }) => ids.includes(hazardId ?? '')).map(({ level }) => level))],
    reasons: findings.filter(({ message }) => message.endsWith('This assumes that the row is a hazard at all.')).length,
  };
}

test('rows at the end that are not written as the log is may be no hazards: their gaps are to check', async () => {
  expect(await found([...THREE, CSO], 'CSO')).toEqual({
    titles: ['The last row, “CSO”, may be no hazard'],
    levels: ['check'],
    reasons: 4,
  });
  expect((await found([...THREE, [], CSO, EPR], 'CSO', 'EPR')).titles).toEqual([
    'The last 2 rows, from “CSO” to “EPR”, may be no hazards',
  ]);
});

test('an id in the form of the log, a rating, an effect, or a hazard below makes a row a hazard', async () => {
  const sure = { titles: [], levels: ['fix'], reasons: 0 };
  expect(await found([...THREE, ['HAZ-4', 'Lost', 'Crash']], 'HAZ-4')).toEqual(sure);
  expect(await found([...THREE, [...CSO, '', 'Major']], 'CSO')).toEqual(sure);
  expect(await found([...THREE, [...CSO, 'Harm']], 'CSO')).toEqual(sure);
  expect(await found([...THREE, CSO, hazard('HAZ-4')], 'CSO')).toEqual(sure);
});

test('two ids are too few to tell how a log writes them', async () => {
  expect((await found([...THREE.slice(1), CSO], 'CSO')).levels).toEqual(['fix']);
});

test('in a log without ids, a list below a blank row may be no hazards: what is found of it alone is to check', async () => {
  const head = RATED.slice(1);
  const named = THREE.map((row) => row.slice(1));
  const list = [CSO.slice(0, 2), EPR.slice(0, 2)];
  const titlesOf = async (...rows: SheetCell[][]) =>
    (await findAll({ rows: [head, ...rows] }))
      .filter(({ rule }) => rule === 'row-may-be-no-hazard')
      .map(({ level, title, message, places }) => [
        level,
        title,
        message.split(' neither')[0],
        ...places.map(({ cell }) => cell),
      ]);
  expect(await titlesOf(...named, [], ...list)).toEqual([
    [
      'check',
      'The last 2 rows, from “CSO” to “EPR”, may be no hazards',
      'They stand below a blank row and have',
      'A6',
      'A7',
    ],
  ]);
  expect(await titlesOf(...named, ...list)).toEqual([]);
  expect(await titlesOf(...named.slice(1), [], ...list)).toEqual([]);
  expect(await titlesOf(...named, [], ...list, ...named.slice(0, 1).map((row) => ['Lost', ...row.slice(1)]))).toEqual(
    [],
  );
});
