import { describe, expect, test } from '@jest/globals';
import { findKnowledge } from '../../../../bot/agents/clinical_safety/knowledge/knowledge.ts';
import { chosenProposal } from '../../../../bot/agents/clinical_safety/tickets/chosenProposal.ts';
import type { KnowledgeCandidate } from '../../../../models/contracts/clinical_safety/proposals.ts';
import { makeProposal } from '../../../factories/interrupt.ts';

const { values, suggested } = makeProposal();
const candidate = (kbId: string, change: Partial<KnowledgeCandidate> = {}): KnowledgeCandidate => ({
  kbId,
  title: `Title of ${kbId}`,
  category: 'Other',
  score: 2,
  ...change,
});
const whole = candidate('XXX-01', { values: { ...values, cause: 'Another' }, suggested });
const proposalOf = (...others: KnowledgeCandidate[]) =>
  makeProposal({ candidates: [candidate('MED-02', { score: 3 }), ...others] });

describe('a chosen candidate', () => {
  test('comes first, with its words and rating as the person saw them', () => {
    const proposal = proposalOf(candidate('MED-01'), whole);
    const chosen = chosenProposal(proposal, 'XXX-01');
    expect(chosen).toEqual({
      ...proposal,
      kbId: 'XXX-01',
      category: 'Other',
      candidates: [whole, proposal.candidates[0], proposal.candidates[1]],
      values: { ...values, cause: 'Another' },
      suggested,
    });
    expect(chosen.values).not.toBe(chosen.candidates[0]?.values);
  });

  test('is in the list once, wherever it was', () => {
    const chosen = chosenProposal(proposalOf(whole, candidate('MED-01')), 'XXX-01');
    expect(chosen.candidates.map(({ kbId }) => kbId)).toEqual(['XXX-01', 'MED-02', 'MED-01']);
  });

  test('that was current already keeps later edits', () => {
    const proposal = proposalOf({ ...whole, kbId: 'MED-02' }, whole);
    expect(chosenProposal(proposal, 'MED-02')).toBe(proposal);
  });

  test.each([
    ['its words alone are known', { values }],
    ['its rating alone is known', { suggested }],
    ['neither is known', {}],
  ])('whose %s is unknown changes nothing', (_what, change) => {
    const proposal = proposalOf(candidate('XXX-01', change));
    expect(chosenProposal(proposal, 'XXX-01')).toBe(proposal);
  });

  test('from outside the list comes from the knowledge base, and the list stays three long', () => {
    const proposal = proposalOf(candidate('MED-01'), whole);
    const chosen = chosenProposal(proposal, 'MED-03');
    const entry = findKnowledge('MED-03');
    expect(chosen.candidates.map(({ kbId, score }) => [kbId, score])).toEqual([
      ['MED-03', 0],
      ['MED-02', 3],
      ['MED-01', 2],
    ]);
    expect(chosen).toMatchObject({ kbId: 'MED-03', category: entry?.category, suggested: entry?.suggested });
    expect(chosen.values.name).toBe(entry?.title);
  });
});
