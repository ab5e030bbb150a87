import type { AnalysisResult } from '../../../../models/contracts/clinical_safety/hazards.ts';
import type { NewHazard } from '../../../../models/contracts/clinical_safety/proposals.ts';
import { additionOf } from '../../../../models/contracts/clinical_safety/proposalText.ts';
import type { Entity, Field, Nouns } from '../../../engine/queries/entity.ts';
import { flagField } from '../../../engine/queries/flagField.ts';
import { NHS_MATRIX } from '../reading/riskMatrix.ts';

export const PROPOSALS: Nouns = {
  one: 'proposal',
  many: 'proposals',
  names: [
    'proposed hazard',
    'proposed hazards',
    'new hazard',
    'new hazards',
    'suggestion',
    'suggestions',
    'suggested hazard',
    'suggested hazards',
  ],
};

/** A suggested rating, which is for discussion only. */
const suggestedField = (
  id: string,
  what: 'severity' | 'likelihood',
  many: string,
  order: readonly string[],
): Field<NewHazard> => ({
  id,
  kind: 'choice',
  names: [what, many, `suggested ${what}`, `suggested ${many}`],
  noun: `suggested ${what}`,
  has: `a suggested ${what}`,
  lacks: `no suggested ${what}`,
  before: what === 'severity' ? ['rate', 'you rate', 'would you rate', 'did you rate'] : [],
  // "Low" alone may be a likelihood, a severity or a risk.
  isNamed: what === 'likelihood',
  read: ({ suggested }) => suggested?.[what] ?? null,
  order,
});

/** The proposals of a result. */
export const proposals = ({ newHazards }: AnalysisResult): Entity<NewHazard> => ({
  id: 'proposals',
  ...PROPOSALS,
  rows: newHazards,
  fields: [
    flagField(
      'sure',
      ({ sure }) => sure,
      { words: ['sure', 'clear', 'certain', 'sure about', 'sure of'], says: { verb: 'are', rest: 'sure' } },
      { words: ['unsure', 'unclear', 'uncertain', 'unsure about'], says: { verb: 'are', rest: 'not sure' } },
      'no verdict',
    ),
    flagField(
      'new',
      (proposal) => additionOf(proposal) === undefined,
      { words: ['new hazards', 'new hazard'], says: { verb: 'are', rest: 'new hazards' } },
      {
        words: ['additions', 'addition', 'additions to existing one', 'additions to existing hazard'],
        says: { verb: 'are', rest: 'additions to hazards of the log' },
      },
      'no form',
    ),
    {
      id: 'possible',
      kind: 'count',
      names: ['possible existing hazard', 'possible existing hazards', 'possible hazard', 'possible hazards'],
      noun: 'possible existing hazard',
      has: 'a possible existing hazard',
      lacks: 'no possible existing hazard',
      read: ({ possibleHazardIds = [] }) => possibleHazardIds.length,
    },
    {
      id: 'suggestedRisk',
      kind: 'number',
      names: ['suggested risk', 'suggested risks', 'suggested risk score'],
      noun: 'suggested risk',
      has: 'a suggested risk',
      lacks: 'no suggested risk',
      read: ({ suggested }) => suggested?.risk ?? null,
    },
    suggestedField('suggestedSeverity', 'severity', 'severities', NHS_MATRIX.severities),
    suggestedField('suggestedLikelihood', 'likelihood', 'likelihoods', NHS_MATRIX.likelihoods.toReversed()),
    flagField(
      'rejectedBefore',
      ({ rejectedBefore }) => rejectedBefore !== undefined,
      { words: ['rejected before', 'rejected earlier'], says: { verb: 'have', rest: 'been rejected before' } },
      { words: ['never rejected'], says: { verb: 'have', rest: 'not been rejected before' } },
      'no earlier rejection',
    ),
    {
      id: 'tickets',
      kind: 'count',
      names: ['ticket', 'tickets', 'evidence'],
      noun: 'ticket',
      has: 'a ticket',
      lacks: 'no ticket',
      read: ({ evidence }) => evidence.length,
    },
    {
      id: 'category',
      kind: 'choice',
      names: ['category', 'categories'],
      noun: 'category',
      has: 'a category',
      lacks: 'no category',
      before: ['in category', 'of category', 'in'],
      read: ({ category }) => category,
    },
  ],
  line: (proposal) => additionOf(proposal)?.values.name ?? `${proposal.proposedId}: ${proposal.values.name}`,
});
