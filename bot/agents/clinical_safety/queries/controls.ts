import type { AnalysisResult, Control, ExistingHazard } from '../../../../models/contracts/clinical_safety/hazards.ts';
import type { Entity, Nouns } from '../../../engine/queries/entity.ts';
import { namedField } from '../../../engine/queries/namedField.ts';
import { refusalOf } from './hazardFields.ts';
import { OF_HAZARD } from './ofHazard.ts';

type OfHazard<Item> = Item & { hazardId: string };

const rowsOf = ({ existingHazards }: AnalysisResult): OfHazard<Control>[] =>
  existingHazards.flatMap(({ id, controls }) => controls.map((one) => ({ ...one, hazardId: id })));

export const CONTROLS: Nouns = { one: 'control', many: 'controls' };

/** The controls of a log, each with its hazard. */
export const controls = (result: AnalysisResult): Entity<OfHazard<Control>> => ({
  id: 'controls',
  ...CONTROLS,
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
    namedField(
      {
        id: 'owner',
        names: ['owner', 'owners'],
        noun: 'owner',
        before: ['owned by', 'of', 'for', 'assigned to', 'belonging to'],
        refused: refusalOf(result, 'the owner of controls', ['control_owner']),
      },
      ({ owner }) => owner,
    ),
    {
      id: 'status',
      kind: 'choice',
      names: ['status', 'action', 'actions', 'action status'],
      noun: 'status',
      has: 'a status',
      lacks: 'no status',
      before: ['marked'],
      refused: refusalOf(result, 'the status of controls', ['action_status']),
      read: ({ status }) => status,
    },
    namedField(
      {
        id: 'evidence',
        names: ['evidence'],
        noun: 'evidence',
        refused: refusalOf(result, 'evidence of controls', ['evidence']),
      },
      ({ evidence }) => evidence,
    ),
    namedField(
      { id: 'hazard', names: ['hazard'], noun: 'hazard', before: OF_HAZARD, behind: ['have', 'has'] },
      ({ hazardId }) => hazardId,
    ),
  ],
  outside: ({ text }) => [text],
  line: ({ hazardId, text }) => `${hazardId}: ${text}`,
});

export const CAUSES: Nouns = { one: 'cause', many: 'causes' };

/** The causes of a log, each with its hazard. */
export const causes = ({ existingHazards }: AnalysisResult): Entity<OfHazard<ExistingHazard['causes'][number]>> => ({
  id: 'causes',
  ...CAUSES,
  rows: existingHazards.flatMap(({ id, causes }) => causes.map((one) => ({ ...one, hazardId: id }))),
  fields: [
    namedField(
      { id: 'hazard', names: ['hazard'], noun: 'hazard', before: OF_HAZARD, behind: ['have', 'has'] },
      ({ hazardId }) => hazardId,
    ),
  ],
  outside: ({ text }) => [text],
  line: ({ hazardId, text }) => `${hazardId}: ${text}`,
});
