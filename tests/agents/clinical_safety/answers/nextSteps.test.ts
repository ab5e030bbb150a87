import { expect, test } from '@jest/globals';
import { nextSteps } from '../../../../bot/agents/clinical_safety/answers/nextSteps.ts';
import type { HazardAnalysisStatus } from '../../../../models/contracts/clinical_safety/hazardAnalysis.ts';
import { makeFinding } from '../../../factories/analysisResult.ts';

const after = (status: HazardAnalysisStatus, toFix = 0) =>
  nextSteps({
    status,
    result: {
      findings: [
        ...Array.from({ length: toFix }, (_, at) => makeFinding({ id: `f${at}` })),
        makeFinding({ level: 'check' }),
      ],
    },
  });

test('without a result the next steps are the first ones', () => {
  expect(nextSteps(null)[0]).toBe('Drop in the hazard log and, if you have one, a ticket export.');
  expect(after('failed')).toEqual(nextSteps(null));
});

test.each([
  ['in-review', 'Decide on the proposals in the review, then say “merge”.'],
  ['reviewed', 'Say “merge”: the accepted hazards are written into a new copy of the log.'],
  ['merged', 'Download the merged log, and make it the current one.'],
  ['none-accepted', 'Keep the result: Evidence pack on its page, as a PDF, a workbook or a release file.'],
] as const)('a result that is %s leads to what follows it, and not back to the first steps', (status, first) => {
  expect(after(status)[0]).toBe(first);
  expect(after(status).join('\n')).not.toContain('Drop in the hazard log and');
});

test('findings to fix come after an open review, and before everything else', () => {
  expect(after('in-review', 2)[1]).toBe('Look at the 2 findings to fix in the log.');
  expect(after('merged', 1)[0]).toBe('Look at the 1 finding to fix in the log.');
  expect(after('merged').join('\n')).not.toContain('to fix');
});

test('findings that somebody accepted are no longer to fix', () => {
  const findings = [makeFinding({ id: 'f0' }), makeFinding({ id: 'f1' })];
  const toFix = (...accepted: string[]) =>
    nextSteps({ status: 'merged', result: { findings, accepted: new Set(accepted) } })[0];
  expect(toFix('f1')).toBe('Look at the 1 finding to fix in the log.');
  expect(toFix('f0', 'f1')).not.toContain('to fix');
});
