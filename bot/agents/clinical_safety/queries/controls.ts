import type {
  AnalysisResult,
  CanonicalColumn,
  Control,
  ExistingHazard,
} from '../../../../models/contracts/clinical_safety/hazards.ts';
import type { Entity } from '../../../engine/queries/entity.ts';
import { named, OF_HAZARD } from './named.ts';

type OfHazard<Item> = Item & { hazardId: string };

const rowsOf = ({ existingHazards }: AnalysisResult): OfHazard<Control>[] =>
  existingHazards.flatMap(({ id, controls }) => controls.map((one) => ({ ...one, hazardId: id })));

/** Why controls have no such value at all: the log has no column for it. */
function refusalOf(result: AnalysisResult, column: CanonicalColumn, name: string, has: (one: Control) => boolean) {
  const { columns, sheet } = result.analysisMetadata.log;
  const isThere = columns.some(({ canonical }) => canonical === column) || rowsOf(result).some(has);
  return isThere ? null : `I found no column for ${name} of controls in “${sheet}”.`;
}

/** The controls of a log, each with its hazard. */
export const controls = (result: AnalysisResult): Entity<OfHazard<Control>> => ({
  id: 'controls',
  one: 'control',
  many: 'controls',
  rows: rowsOf(result),
  fields: [
    {
      id: 'kind',
      kind: 'choice',
      names: ['kind', 'type', 'kinds', 'types'],
      noun: 'kind',
      has: 'a kind',
      lacks: 'no kind',
      read: ({ kind }) => kind,
      usual: ['existing', 'design', 'test', 'training', 'business'],
    },
    named(
      {
        id: 'owner',
        names: ['owner', 'owners'],
        noun: 'owner',
        before: ['owned by'],
        refused: refusalOf(result, 'control_owner', 'the owner', ({ owner }) => Boolean(owner)),
      },
      ({ owner }) => owner,
    ),
    named(
      {
        id: 'status',
        names: ['status', 'action', 'actions', 'action status'],
        noun: 'status',
        before: ['marked'],
        refused: refusalOf(result, 'action_status', 'the status', ({ status }) => Boolean(status)),
      },
      ({ status }) => status,
    ),
    named(
      {
        id: 'evidence',
        names: ['evidence'],
        noun: 'evidence',
        refused: refusalOf(result, 'evidence', 'evidence', ({ evidence }) => Boolean(evidence)),
      },
      ({ evidence }) => evidence,
    ),
    named(
      { id: 'hazard', names: ['hazard'], noun: 'hazard', before: OF_HAZARD, behind: ['have', 'has'] },
      ({ hazardId }) => hazardId,
    ),
  ],
  line: ({ hazardId, text }) => `${hazardId}: ${text}`,
});

/** The causes of a log, each with its hazard. */
export const causes = ({ existingHazards }: AnalysisResult): Entity<OfHazard<ExistingHazard['causes'][number]>> => ({
  id: 'causes',
  one: 'cause',
  many: 'causes',
  rows: existingHazards.flatMap(({ id, causes }) => causes.map((one) => ({ ...one, hazardId: id }))),
  fields: [
    named(
      { id: 'hazard', names: ['hazard'], noun: 'hazard', before: OF_HAZARD, behind: ['have', 'has'] },
      ({ hazardId }) => hazardId,
    ),
  ],
  line: ({ hazardId, text }) => `${hazardId}: ${text}`,
});
