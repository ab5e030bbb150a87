import { describe, expect, test } from '@jest/globals';
import type { Addition } from '../../../models/contracts/clinical_safety/proposals.ts';
import {
  additionOf,
  countProposals,
  describeAdditions,
  describeProposals,
  labelOfProposal,
} from '../../../models/contracts/clinical_safety/proposalText.ts';
import { makeProposal } from '../../factories/interrupt.ts';

const CAUSE: Addition = {
  id: 'cause:H7',
  as: 'cause',
  hazardId: 'H7',
  hazardName: 'Old dose',
  values: { name: 'New cause of H7: Old dose', cause: 'Unit lost' },
  says: null,
};
const CONTROL: Addition = { ...CAUSE, id: 'control:H7', as: 'control' };
/** May be added to a hazard, and is proposed as a new one. */
const hazard = () => makeProposal({ additions: [CAUSE, CONTROL] });
const added = (proposedAs = CAUSE.id) => makeProposal({ additions: [CAUSE, CONTROL], proposedAs });

describe('what is proposed is counted by kind', () => {
  test.each([
    [0, 0, '0 new hazards', null],
    [1, 0, '1 new hazard', null],
    [2, 0, '2 new hazards', null],
    [0, 1, '1 addition to an existing hazard', '1 addition to an existing one'],
    [0, 2, '2 additions to existing hazards', '2 additions to existing ones'],
    [1, 1, '1 new hazard, 1 addition to an existing one', '1 addition to an existing one'],
    [2, 3, '2 new hazards, 3 additions to existing ones', '3 additions to existing ones'],
  ])('%i and %i as “%s”', (hazards, additions, text, ofAdditions) => {
    const proposals = [
      ...Array.from({ length: hazards }, hazard),
      ...Array.from({ length: additions }, (_, at) => added(at === 0 ? CAUSE.id : CONTROL.id)),
    ];
    expect(countProposals(proposals)).toEqual({ hazards, additions });
    expect([describeProposals(proposals), describeAdditions(proposals)]).toEqual([text, ofAdditions]);
  });
});

test('a proposal is called by the id that it gets, an addition by its hazard', () => {
  expect([hazard(), added(), added(CONTROL.id)].map(labelOfProposal)).toEqual([
    'H1',
    'New cause of H7',
    'New control for H7',
  ]);
  // The reviewer's choice goes before the proposal.
  expect([additionOf(added()), additionOf(added(), CONTROL.id), additionOf(added(), 'MED-02')]).toEqual([
    CAUSE,
    CONTROL,
    undefined,
  ]);
});
