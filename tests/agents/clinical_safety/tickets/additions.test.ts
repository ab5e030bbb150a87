import { describe, expect, test } from '@jest/globals';
import { findKnowledge, type KnowledgeEntry } from '../../../../bot/agents/clinical_safety/knowledge/knowledge.ts';
import type { LogHazard } from '../../../../bot/agents/clinical_safety/reading/logModel.ts';
import { chooseAddition, makeAdditions } from '../../../../bot/agents/clinical_safety/tickets/additions.ts';
import type { JudgedTicket } from '../../../../bot/agents/clinical_safety/tickets/coverage.ts';
import { makeHazard, makePossible, makeTicket } from '../../../factories/analysisResult.ts';

const entry = findKnowledge('ALG-01') as KnowledgeEntry;
const hazard = (id: string) => makeHazard({ id, name: `Name of ${id}` }) as unknown as LogHazard;
const judged = (...possibleHazardIds: string[]) =>
  ({
    verdict: makeTicket({
      possibleHazardIds,
      possible: possibleHazardIds.map((hazardId) => makePossible({ hazardId })),
    }),
  }) as JudgedTicket;
const FAILS = [{ ticketKey: 'T-1', summary: 'Allergy is lost', quote: '' }];
const FIX = [{ ticketKey: 'T-1', summary: 'Add a check', quote: 'Add a check' }];

describe('a proposal for a log that may have the hazard', () => {
  test('can be a cause of it, with what fails, or controls for it; with the hazard’s own words', () => {
    expect(makeAdditions([hazard('H1')], entry, FAILS, [judged('H1')])).toEqual([
      {
        id: 'cause:H1',
        as: 'cause',
        hazardId: 'H1',
        hazardName: 'Name of H1',
        values: { name: 'New cause of H1: Name of H1', cause: 'Allergy is lost (T-1)' },
        says: { text: 'The dose is lost', place: { sheet: 'Log', cell: 'C5' } },
      },
      expect.objectContaining({ id: 'control:H1', as: 'control' }),
    ]);
    const [, control] = makeAdditions([hazard('H1')], entry, FAILS, [judged('H2')]);
    expect(control?.says).toBeNull();
    const { name, ...controls } = control?.values ?? { name: '' };
    expect(name).toBe('New control for H1: Name of H1');
    expect(Object.values(controls)).toEqual(Object.values(entry.controls).filter(Boolean));
  });

  test('is no cause where its tickets only tell of the fix', () => {
    expect(makeAdditions([hazard('H1')], entry, FIX, []).map(({ id }) => id)).toEqual(['control:H1']);
  });

  test('offers at most three hazards', () => {
    const all = ['H1', 'H2', 'H3', 'H4'].map(hazard);
    expect(makeAdditions(all, entry, FAILS, []).map(({ hazardId }) => hazardId)).toEqual([
      ...['H1', 'H1', 'H2', 'H2', 'H3', 'H3'],
    ]);
  });
});

describe('it is proposed as a cause', () => {
  const additions = makeAdditions([hazard('H1'), hazard('H2')], entry, FAILS, []);
  test.each<[string, string[], JudgedTicket[], string | undefined]>([
    ['of a hazard of the same kind that is nearest to its only ticket', ['H2'], [judged('H2')], 'cause:H2'],
    ['of one that is nearest to both of two', ['H2'], [judged('H2', 'H1'), judged('H2')], 'cause:H2'],
    ['of none that is nearest to one of two', ['H1', 'H2'], [judged('H2'), judged('H1', 'H2')], undefined],
    ['of none where one of two has no hazard near', ['H2'], [judged('H2'), judged()], undefined],
    ['of one that is nearest to two of three', ['H2'], [judged('H2'), judged(), judged('H2', 'H1')], 'cause:H2'],
    ['of none that is nearest to two of four', ['H2'], [judged('H2'), judged(), judged('H2'), judged('H1')], undefined],
    ['of none of another kind', [], [judged('H2')], undefined],
    ['of none that is not offered', ['H9'], [judged('H9')], undefined],
  ])('%s', (_what, sameKind, tickets, expected) => {
    expect(chooseAddition(additions, sameKind.map(hazard), tickets)).toBe(expected);
  });
});
