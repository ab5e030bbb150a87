import { describe, expect, test } from '@jest/globals';
import { findFindings } from '../../../../bot/agents/clinical_safety/findings/findFindings.ts';
import { readLog } from '../../../../bot/agents/clinical_safety/reading/readLog.ts';
import type { SettledPoint } from '../../../../models/contracts/clinical_safety/settledPoint.ts';
import { BOTH, NEXT, START, THIRD } from '../../../factories/findings.ts';
import { MATRIX_SHEET, makePackage, type SheetCell, type SheetSpec } from '../../../factories/hazardLog.ts';

/** Rules that rest on the limit above which a risk needs controls: hazard, level, and what the finding says. */
async function dueIn(rows: SheetCell[][], sheets: SheetSpec[], settled: SettledPoint[] = []) {
  const bytes = makePackage({ sheets: [{ name: 'Hazard Log', rows: [BOTH, ...rows] }, ...sheets] });
  const log = await readLog(bytes, 'log.xlsx', settled);
  const of = (rule: string) =>
    findFindings({ log, asOf: null, report: null })
      .filter((finding) => finding.rule === rule)
      .map(({ hazardId, level, message }) => ({ hazardId, level, message }));
  return { residual: of('missing-residual'), controls: of('no-controls') };
}

const hazard = (start: SheetCell[], severity: SheetCell, likelihood: SheetCell, risk: SheetCell): SheetCell[] => [
  ...start,
  severity,
  likelihood,
  risk,
  '',
  '',
  null,
];
const FOURTH = ['H4', 'Torn', 'Wear', 'Harm'];
/** Three hazards whose recorded risks are severity times likelihood, which settles that the log multiplies. */
const PRODUCTS = [
  hazard(START, 1, 1, 1),
  hazard(NEXT, 2, 1, 2),
  [...THIRD, 5, 4, 20, 5, 1, 5],
  [...FOURTH, 3, 4, 12, 3, 2, 6],
];

describe('a risk needs controls and a rating after them', () => {
  test('from 3 in the NHS table of the log: to fix', async () => {
    const { residual, controls } = await dueIn(
      [hazard(START, 'Major', 'Low', 3), hazard(NEXT, 'Considerable', 'Low', 2)],
      [MATRIX_SHEET],
    );
    expect(residual).toEqual([
      {
        hazardId: 'H1',
        level: 'fix',
        message:
          'The initial risk of H1 is 3, so a rating after controls is due; severity, likelihood or risk after controls is blank.',
      },
    ]);
    expect(controls.map(({ hazardId }) => hazardId)).toEqual(['H1']);
  });

  test('from 3 in the NHS table where nothing states it: to check, with the assumption', async () => {
    const { residual } = await dueIn([hazard(START, 'Major', 'Low', 3), hazard(NEXT, 'Minor', 'Low', 1)], []);
    expect(residual).toEqual([
      { hazardId: 'H1', level: 'check', message: expect.stringContaining('This assumes the NHS 5x5') },
    ]);
  });

  test('above the mildest risk of another matrix: to check, because the plan may set another limit', async () => {
    const { residual, controls } = await dueIn(PRODUCTS, []);
    const assumption = 'This assumes that of your matrix only the risk 1 needs no controls.';
    expect(residual).toEqual([{ hazardId: 'H2', level: 'check', message: expect.stringContaining(assumption) }]);
    expect(controls.map(({ hazardId }) => hazardId)).toEqual(['H2', 'H3', 'H4']);
  });

  test('below the mildest risk where 1 is the worst', async () => {
    const { residual, controls } = await dueIn(
      [hazard(START, 5, 5, 25), hazard(NEXT, 5, 4, 20), [...THIRD, 1, 2, 2, 2, 2, 4], [...FOURTH, 1, 1, 1, 2, 1, 2]],
      [],
      [{ point: 'direction', choice: 'falling' }],
    );
    const assumption = 'This assumes that of your matrix only the risk 25 needs no controls.';
    expect(residual).toEqual([{ hazardId: 'H2', level: 'check', message: expect.stringContaining(assumption) }]);
    expect(controls.map(({ hazardId }) => hazardId)).toEqual(['H2', 'H3', 'H4']);
  });

  test('whatever it is where no matrix is known: to check, and a hazard without a rating is not due', async () => {
    const { residual, controls } = await dueIn(
      [hazard(START, 'Nasty', 'Often', 'Amber'), hazard(NEXT, 'Nasty', 'Seldom', 1), hazard(THIRD, '', '', null)],
      [],
    );
    const assumption = 'No matrix is known, so this takes every rated risk to need controls.';
    expect(residual).toEqual([
      {
        hazardId: 'H1',
        level: 'check',
        message: `H1 is rated before controls, so a rating after controls is due; severity, likelihood or risk after controls is blank. ${assumption}`,
      },
      { hazardId: 'H2', level: 'check', message: expect.stringContaining('The initial risk of H2 is 1') },
    ]);
    expect(controls.map(({ hazardId }) => hazardId)).toEqual(['H1', 'H2']);
  });

  test('and one finding for many says which', async () => {
    const many = ['H1', 'H2', 'H3', 'H4'].map((id) =>
      hazard([id, `Late ${id}`, 'Queue', 'Delay'], 'Nasty', 'Often', 9),
    );
    const { residual, controls } = await dueIn(many, []);
    expect(residual.map(({ message }) => message)).toEqual([
      expect.stringContaining(
        'These have a rating before controls and no complete rating after controls: H1, H2, H3 and H4.',
      ),
    ]);
    expect(controls.map(({ message }) => message)).toEqual([
      expect.stringContaining('These have a rating before controls and name no control: H1, H2, H3 and H4.'),
    ]);
  });
});
