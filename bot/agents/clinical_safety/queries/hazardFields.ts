import type {
  AnalysisResult,
  CanonicalColumn,
  Control,
  ExistingHazard,
} from '../../../../models/contracts/clinical_safety/hazards.ts';
import { countValues, quoteCounts } from '../../../engine/queries/countValues.ts';
import type { Field } from '../../../engine/queries/entity.ts';
import { withArticle } from '../../../engine/queries/withArticle.ts';
import { CONTROL_COLUMNS } from '../reading/controlColumns.ts';
import { namesNobody } from '../reading/saysNothing.ts';
import { ratingFields } from './ratingFields.ts';

type HazardField = Field<ExistingHazard>;

/** Statuses such as "Not closed" and "Re-opened", which contain a usual status but don't mean it. */
const NEGATED_STATUS = /\b(?:not|non|un|re)\W?\s*(?:open|clos)/i;
const STEM = /open|clos/i;

/** Whether a status could be mistaken for the one that was asked for. */
function isNearStatus(asked: string, other: string): boolean {
  const stem = STEM.exec(asked)?.[0];
  return stem !== undefined && (other.toLowerCase().includes(stem) || NEGATED_STATUS.test(other));
}

const NOBODY = 'nobody,no one,noone'.split(',');
const OWNED = ['owned by', 'assigned to', 'belong to', 'belonging to', 'belongs to'];
/** Kinds of control with the words that name them. */
const CONTROL_KINDS: readonly [Control['kind'], string][] = [
  ['existing', 'existing control'],
  ['design', 'design control'],
  ['test', 'test control'],
  ['training', 'training control'],
  ['business', 'business control'],
];

/** What is said where no row has such a value and the log has no column for it. */
export function refusalOf(
  { analysisMetadata: { log } }: AnalysisResult,
  name: string,
  columns: readonly CanonicalColumn[],
) {
  const isThere = log.columns.some(({ canonical }) => columns.includes(canonical));
  return isThere ? null : `I found no column for ${name} in “${log.sheet}”.`;
}

function ownerField(result: AnalysisResult): HazardField {
  // Thousands of hazards have few owners.
  const owners = new Map<string, string | null>();
  const read = ({ owner }: ExistingHazard) => {
    if (!owner) return null;
    const known = owners.get(owner);
    if (known !== undefined) return known;
    const named = namesNobody(owner) ? null : owner;
    owners.set(owner, named);
    return named;
  };
  const noOwners = () => countValues(result.existingHazards.map((one) => (read(one) ? null : one.owner)));
  return {
    id: 'owner',
    kind: 'choice',
    names: ['owner', 'owners'],
    noun: 'owner',
    has: 'an owner',
    lacks: 'no owner',
    blank: [
      'unowned',
      'unassigned',
      'ownerless',
      'nobody owns',
      'nobody own',
      'no one owns',
      'no one own',
      ...NOBODY.flatMap((word) =>
        ['responsible', 'assigned', 'is assigned to', 'is responsible for'].map((rest) => `${word} ${rest}`),
      ),
      ...['somebody', 'someone', 'anybody', 'anyone'].flatMap((word) =>
        ['never', 'were never', 'not', 'were not', 'are not'].map((not) => `${not} assigned to ${word}`),
      ),
      ...NOBODY.flatMap((word) => OWNED.map((words) => `${words} ${word}`)),
    ],
    before: [...OWNED, 'of owner', 'of', 'for'],
    behind: [
      'own',
      'owns',
      'have',
      'has',
      'look after',
      'looks after',
      'is responsible for',
      'responsible for',
      'in charge of',
      'hold',
      'holds',
      'takes care of',
      'take care of',
    ],
    isNamed: true,
    read,
    refused: refusalOf(result, 'owner', ['owner']),
    note: () => (noOwners().length > 0 ? `I read ${quoteCounts(noOwners())} as no owner.` : null),
  };
}

/** A list of a hazard: its causes, its controls of a kind. */
const countField = (
  field: Pick<HazardField, 'id' | 'names' | 'noun' | 'has' | 'lacks' | 'refused'>,
  read: (hazard: ExistingHazard) => number,
): HazardField => ({ ...field, kind: 'count', read });

/** The fields of a hazard that a question can name. */
export function hazardFields(result: AnalysisResult): HazardField[] {
  const { findings, analysisMetadata } = result;
  const findingsOf = new Map<string, number>();
  for (const { hazardId } of findings) if (hazardId) findingsOf.set(hazardId, (findingsOf.get(hazardId) ?? 0) + 1);
  const evidenceOf = ({ controls }: ExistingHazard) => controls.filter(({ evidence }) => evidence).length;
  const ofEvidence = [
    '',
    ' for controls',
    ' for control',
    ' for any control',
    ' for any controls',
    ' for their controls',
    ' for its controls',
    ' for any of them',
    ' for them',
    ' for any of its controls',
    ' for any of their controls',
    ' for any of controls',
  ];
  return [
    {
      id: 'status',
      kind: 'choice',
      names: ['status', 'statuses'],
      noun: 'status',
      has: 'a status',
      lacks: 'no status',
      before: ['in status', 'marked', 'marked as', 'with status', 'with status of', 'in'],
      read: ({ status }) => status,
      usual: ['Open', 'Closed', 'Transferred'],
      isNear: isNearStatus,
      refused: refusalOf(result, 'status', ['status']),
    },
    ownerField(result),
    {
      id: 'type',
      kind: 'choice',
      names: ['type', 'types', 'hazard type', 'hazard types'],
      noun: 'type',
      has: 'a type',
      lacks: 'no type',
      before: ['of type', 'about', 'under', 'within'],
      read: ({ type }) => type,
    },
    ...ratingFields(analysisMetadata.log.matrix),
    {
      id: 'impact',
      kind: 'choice',
      names: ['impact', 'clinical impact', 'potential clinical impact'],
      noun: 'clinical impact',
      has: 'a clinical impact',
      lacks: 'no clinical impact',
      refused: refusalOf(result, 'impact', ['clinical_impact']),
      read: ({ clinicalImpact }) => clinicalImpact.trim() || null,
      isText: true,
    },
    countField(
      {
        id: 'evidence',
        names: ofEvidence.map((rest) => `evidence${rest}`),
        noun: 'control with evidence',
        has: 'evidence for at least one control',
        lacks: 'no evidence for any control',
        refused: refusalOf(result, 'evidence', ['evidence']),
      },
      evidenceOf,
    ),
    countField(
      {
        id: 'causes',
        names: ['cause', 'causes'],
        noun: 'cause',
        has: 'a cause',
        lacks: 'no cause',
        refused: refusalOf(result, 'causes', ['cause']),
      },
      ({ causes }) => causes.length,
    ),
    countField(
      {
        id: 'controls',
        names: ['control', 'controls', 'mitigation', 'mitigations', 'recorded controls'],
        noun: 'control',
        has: 'a control',
        lacks: 'no control',
        refused: refusalOf(result, 'controls', ['existing_controls', ...CONTROL_COLUMNS, 'action']),
      },
      ({ controls }) => controls.length,
    ),
    ...CONTROL_KINDS.map(([kind, noun]) =>
      countField(
        {
          id: `${kind}Controls`,
          names: [noun, `${noun}s`, `${kind} among them`],
          noun,
          has: withArticle(noun),
          lacks: `no ${noun}`,
          refused: refusalOf(
            result,
            `${noun}s`,
            kind === 'existing' ? ['existing_controls'] : [`control_${kind as 'design'}`],
          ),
        },
        ({ controls }) => controls.filter((one) => one.kind === kind).length,
      ),
    ),
    countField(
      {
        id: 'tickets',
        names: [
          'ticket',
          'tickets',
          'ticket named',
          'tickets named',
          'ticket linked',
          'tickets linked',
          'linked ticket',
          'linked tickets',
        ],
        noun: 'ticket named in the row',
        has: 'a ticket named in the row',
        lacks: 'no ticket named in the row',
      },
      ({ ticketKeys }) => ticketKeys.length,
    ),
    countField(
      { id: 'findings', names: ['finding', 'findings'], noun: 'finding', has: 'a finding', lacks: 'no finding' },
      ({ id }) => findingsOf.get(id) ?? 0,
    ),
  ];
}
