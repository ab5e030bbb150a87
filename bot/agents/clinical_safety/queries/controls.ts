import type { AnalysisResult, Control, ExistingHazard } from '../../../../models/contracts/clinical_safety/hazards.ts';
import type { Entity, Nouns } from '../../../engine/queries/entity.ts';
import { namedField } from '../../../engine/queries/namedField.ts';
import { refusalOf } from './hazardFields.ts';
import { OF_HAZARD } from './ofHazard.ts';

type OfHazard<Item> = Item & { hazardId: string };

const rowsOf = ({ existingHazards }: AnalysisResult): OfHazard<Control>[] =>
  existingHazards.flatMap(({ id, controls }) => controls.map((one) => ({ ...one, hazardId: id })));

export const CONTROLS: Nouns = {
  one: 'control',
  many: 'controls',
  names: [
    'mitigation',
    'mitigations',
    'risk control',
    'risk controls',
    'measure',
    'measures',
    'safeguard',
    'safeguards',
    'control measure',
    'control measures',
    'actions',
  ],
};

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
        names: [
          'owner',
          'owners',
          'responsible person',
          'person responsible',
          'assignee',
          'action owner',
          'owner name',
          'person',
          'lead',
        ],
        noun: 'owner',
        before: [
          ...[
            'owned by',
            'of',
            'for',
            'assigned to',
            'belonging to',
            'belong to',
            'held by',
            'with',
            'on',
            'down to',
            'looked after by',
          ],
          ...[
            'allocated to',
            'given to',
            'run by',
            'managed by',
            'sitting with',
            'that belong to',
            'under',
            'by',
            'led by',
            'for owner',
          ],
        ],
        behind: [
          'own',
          'owns',
          'have',
          'has',
          'hold',
          'holds',
          'look after',
          'looks after',
          'is responsible for',
          'responsible for',
          'have to do',
          'has to do',
          'is down for',
          'manages',
          'runs',
          'is on hook for',
        ],
        refused: refusalOf(result, 'the owner of controls', ['control_owner']),
      },
      ({ owner }) => owner,
    ),
    {
      id: 'status',
      kind: 'choice',
      names: ['status', 'statuses', 'action', 'action status', 'state', 'states', 'progress', 'completion'],
      noun: 'status',
      has: 'a status',
      lacks: 'no status',
      before: [
        'marked',
        'marked as',
        'in status',
        'in state',
        'down as',
        'shown as',
        'listed as',
        'recorded as',
        'flagged',
        'flagged as',
        'with status',
        'logged as',
      ],
      refused: refusalOf(result, 'the status of controls', ['action_status']),
      read: ({ status }) => status,
    },
    namedField(
      {
        id: 'evidence',
        names: [
          'evidence',
          'proof',
          'evidence recorded',
          'evidence given',
          'evidence attached',
          'test report',
          'supporting evidence',
          'evidence against them',
          'evidence against it',
          'evidence reference',
          'evidence for it',
          'evidence for them',
          'verification',
          'evidence of anything',
          'evidence behind it',
          'evidence behind them',
          'evidence to show',
          'evidence to back them up',
          'evidence to back it up',
          'evidenced',
          'backing',
        ],
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

export const CAUSES: Nouns = {
  one: 'cause',
  many: 'causes',
  names: ['potential cause', 'potential causes', 'root cause', 'root causes'],
};

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
