import { describe, expect, test } from '@jest/globals';
import { followHazard } from '../../../../bot/agents/clinical_safety/comparison/hazardHistory.ts';
import type { ExistingHazard, Finding } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { makeFinding, makeHazard, makeResult } from '../../../factories/analysisResult.ts';

const version = (_id: number, hazards: ExistingHazard[], findings: Finding[] = []) => ({
  row: { _id, createdAt: new Date(Date.UTC(2026, 4, _id)), logFileName: 'log.xlsx' },
  result: makeResult({
    hazards,
    findings,
    log: { versions: [{ source: 'cover', version: `1.${_id}`, place: null }] },
  }),
});
const hazard = (id: string, name: string, row: number, risk = 3) =>
  makeHazard({
    id,
    name,
    rows: { sheet: 'Log', first: row, last: row },
    residual: { severity: 'Major', likelihood: 'Low', risk, expectedRisk: risk },
  });
const finding = (rule: string, hazardId: string, cell: string) =>
  makeFinding({ id: `${rule}:${hazardId}`, rule, hazardId, title: rule, places: [{ sheet: 'Log', cell }] });

const FIRST = [hazard('H1', 'Wrong dose', 2), hazard('H2', 'Wrong patient', 3)];
const SECOND = [hazard('H1', 'Wrong patient', 2, 2), hazard('H2', 'Wrong dose', 3)];
const THIRD = [hazard('H1', 'Wrong patient', 2, 2)];
const VERSIONS = [
  version(1, FIRST, [finding('no owner', 'H2', 'C3'), finding('no cause', 'H1', 'D2')]),
  version(2, SECOND, [finding('no evidence', 'H1', 'F2')]),
  version(3, THIRD),
];
const follow = (at: number, from: ExistingHazard | undefined) => followHazard(VERSIONS, at, from ?? makeHazard());

describe('a hazard over the versions of its log', () => {
  test('is followed from any of them, also when its id changes, the newest first', async () => {
    const expected = [
      { id: 'H1', analysisId: 3, logVersion: '1.3', firstRow: 2, fixed: ['no evidence'], added: [] },
      { id: 'H1', analysisId: 2, logVersion: '1.2', firstRow: 2, fixed: ['no owner'], added: ['no evidence'] },
      { id: 'H2', analysisId: 1, logVersion: '1.1', firstRow: 3, fixed: [], added: [] },
    ];
    expect(await follow(0, FIRST[1])).toMatchObject(expected);
    expect(await follow(1, SECOND[0])).toMatchObject(expected);
    expect(await follow(2, THIRD[0])).toMatchObject(expected);
    expect((await follow(2, THIRD[0])).map(({ residual }) => residual.risk)).toEqual([2, 2, 3]);
  });

  test('ends where it was removed, and begins where it was added', async () => {
    expect((await follow(0, FIRST[0])).map(({ analysisId }) => analysisId)).toEqual([2, 1]);
    const added = [version(1, THIRD), version(2, SECOND)];
    expect((await followHazard(added, 1, SECOND[1] as ExistingHazard)).map(({ analysisId }) => analysisId)).toEqual([
      2,
    ]);
  });
});
