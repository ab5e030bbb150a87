import { describe, expect, test } from '@jest/globals';
import { HazardAnalysis, statusByDecisions } from '../../models/clinical_safety/hazardAnalysis.ts';
import { analysisStatusName } from '../../models/contracts/clinical_safety/hazardAnalysis.ts';
import type { RowOutcome } from '../../models/contracts/questionRows.ts';
import { migrationsOf } from '../../models/store/entity.ts';

const CASES: [outcomes: RowOutcome[], status: string][] = [
  [[], 'complete'],
  [['rejected'], 'none-accepted'],
  [['rejected', 'rejected'], 'none-accepted'],
  [['rejected', 'accepted'], 'reviewed'],
  [['edited'], 'reviewed'],
];
const decisionsOf = (outcomes: RowOutcome[]) => outcomes.map((outcome, at) => ({ id: `p${at}`, outcome }));

test.each(CASES)('an analysis with the decisions %j is %s', (outcomes, status) => {
  expect(statusByDecisions(decisionsOf(outcomes))).toBe(status);
});

describe('an analysis of an earlier version', () => {
  const migrate = (row: object) =>
    migrationsOf(HazardAnalysis.collection.name).reduce<Record<string, unknown>>(
      (changed, { change }) => change(changed),
      row as Record<string, unknown>,
    );

  test.each(CASES)('that is stored as reviewed with the decisions %j becomes %s', (outcomes, status) => {
    expect(migrate({ status: 'reviewed', decisions: decisionsOf(outcomes) }).status).toBe(status);
  });

  test('without stored decisions is complete, and one with another status keeps it', () => {
    expect(migrate({ status: 'reviewed', decisions: null }).status).toBe('complete');
    expect(migrate({ status: 'in-review', decisions: null }).status).toBe('in-review');
    expect(migrate({ status: 'merged', decisions: [] }).status).toBe('merged');
  });
});

test('an analysis with a result whose review was withdrawn is not called cancelled', () => {
  expect(analysisStatusName('cancelled', true)).toBe('Review withdrawn');
  expect(analysisStatusName('cancelled', false)).toBe('Cancelled');
  expect(analysisStatusName('merged', true)).toBe('Merged');
});
