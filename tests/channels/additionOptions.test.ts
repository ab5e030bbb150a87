import { describe, expect, test } from '@jest/globals';
import { reviewModal } from '../../bot/channels/slack/cards/reviewModal.ts';
import { reviewCard } from '../../bot/channels/teams/cards/reviewCard.ts';
import { viewInterrupt } from '../../bot/engine/delivery/viewInterrupt.ts';
import type { ConsentMode } from '../../models/contracts/preferences.ts';
import { makeInterrupt, makeProposal } from '../factories/interrupt.ts';
import { checkView } from '../fakes/slack/methods.ts';

const CAUSE = {
  id: 'cause:H7',
  as: 'cause' as const,
  hazardId: 'H7',
  hazardName: 'Old dose',
  values: { name: 'New cause of H7: Old dose', cause: 'Unit lost' },
  says: null,
};
const question = () =>
  viewInterrupt(
    makeInterrupt({ interruptType: 'hazard_review', context: { rows: [makeProposal({ additions: [CAUSE] })] } }),
    null,
    'Europe/London',
  );

/** The choices of a row's page by value, as each platform shows them. */
const SURFACES: [string, (mode: ConsentMode) => [string, string][]][] = [
  [
    'Slack',
    (mode) => {
      const modal = reviewModal(question(), mode, { page: 0, home: false });
      expect(checkView({ ...modal })).toBe(false);
      const blocks = modal.blocks as {
        block_id?: string;
        element?: { options?: { value: string; text: { text: string } }[] };
      }[];
      const options = blocks.find(({ block_id: id }) => id === 'choice:0')?.element?.options ?? [];
      return options.map(({ value, text }) => [value, text.text]);
    },
  ],
  [
    'Teams',
    (mode) => {
      const body = reviewCard(question(), mode, { page: 0 }).body as {
        id?: string;
        choices?: { value: string; title: string }[];
      }[];
      return (body.find(({ id }) => id === 'choice')?.choices ?? []).map(({ value, title }) => [value, title]);
    },
  ],
];

describe.each(SURFACES)('the choices of a proposal that may be added to a hazard, in %s', (_name, choicesUnder) => {
  test.each<[ConsentMode, string, string]>([
    ['full', 'MED-02 New hazard: Wrong dose', 'New cause of H7: Old dose'],
    ['redacted', 'MED-02 New hazard: Wrong dose', 'New cause of H7'],
    ['reference-only', 'MED-02 New hazard', 'New cause of H7'],
  ])('under %s are called a new hazard and a new cause, without an id of ours', (mode, own, cause) => {
    expect(choicesUnder(mode)).toEqual([
      ['MED-02', own],
      ['cause:H7', cause],
    ]);
  });
});
