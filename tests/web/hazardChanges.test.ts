import { describe, expect, test } from '@jest/globals';
import type { HazardVersion } from '../../models/contracts/clinical_safety/comparison.ts';
import { changesOf } from '../../web/agents/clinical_safety/result/hazardChanges.ts';

const rating = (risk: number, likelihood: string) => ({ severity: 'Major', likelihood, risk, expectedRisk: risk });
const BEFORE: HazardVersion = {
  id: 'H1',
  name: 'Wrong dose',
  analysisId: 1,
  createdAt: '2026-05-01T00:00:00.000Z',
  logVersion: '1.7',
  firstRow: 2,
  initial: rating(3, 'Low'),
  residual: rating(3, 'Low'),
  fixed: [],
  added: [],
};

describe('what a version says of a hazard', () => {
  test('is its ratings, where nothing is known before', () =>
    expect(changesOf(BEFORE, undefined)).toEqual(['Initial risk 3 (Major × Low)', 'Residual risk 3 (Major × Low)']));
  test('names the rating before only where it changed', () =>
    expect(changesOf({ ...BEFORE, residual: rating(2, 'Very low') }, BEFORE)).toEqual([
      'Initial risk 3 (Major × Low)',
      'Residual risk 2 (Major × Very low), was 3 (Major × Low)',
    ]));
  test('names another id and name, and findings that were fixed and are new', () =>
    expect(
      changesOf({ ...BEFORE, id: 'H2', name: 'Late dose', fixed: ['No owner'], added: ['No cause'] }, BEFORE).slice(2),
    ).toEqual(['Called H1 before', 'Named “Wrong dose” before', 'Fixed: No owner', 'New finding: No cause']));
  test('says that nothing was rated', () => {
    const none = { severity: null, likelihood: null, risk: null, expectedRisk: null };
    expect(changesOf({ ...BEFORE, initial: none }, undefined)[0]).toBe('Initial risk Not rated');
  });
});
