import type {
  AnalysisResult,
  CanonicalColumn,
  Control,
  ExistingHazard,
} from '../../../../models/contracts/clinical_safety/hazards.ts';
import type { Field } from '../../../engine/queries/entity.ts';
import { CONTROL_COLUMNS } from '../reading/controlColumns.ts';
import { namesNobody } from '../reading/readHazards.ts';
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

/** Why a field has no answer: neither has the log a column for it, nor any hazard a value. */
function refusalOf(
  { existingHazards, analysisMetadata: { log } }: AnalysisResult,
  name: string,
  columns: readonly CanonicalColumn[],
  has: (hazard: ExistingHazard) => boolean,
): string | null {
  const isThere = log.columns.some(({ canonical }) => columns.includes(canonical)) || existingHazards.some(has);
  return isThere ? null : `I found no column for ${name} in “${log.sheet}”.`;
}

/** Values of the log with their counts, at most eight. */
function quoted(words: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  const shown = [...counts].map(([word, count]) => `“${word}” (${count})`);
  return `${shown.slice(0, 8).join(', ')}${shown.length > 8 ? ' …' : ''}`;
}

function ownerField(result: AnalysisResult): HazardField {
  const read = ({ owner }: ExistingHazard) => (owner && !namesNobody(owner) ? owner : null);
  const noOwners = result.existingHazards.flatMap((one) => (one.owner && !read(one) ? [one.owner.trim()] : []));
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
    ],
    isNamed: true,
    read,
    refused: refusalOf(result, 'owner', ['owner'], (one) => read(one) !== null),
    note: noOwners.length > 0 ? `I read ${quoted(noOwners)} as no owner.` : null,
  };
}

const textField = (
  field: Pick<HazardField, 'id' | 'names' | 'noun' | 'has' | 'lacks' | 'refused'>,
  read: (hazard: ExistingHazard) => string | null,
): HazardField => ({
  ...field,
  kind: 'choice',
  isNamed: true,
  read: (hazard) => read(hazard)?.trim() || null,
});

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
      refused: refusalOf(result, 'status', ['status'], ({ status }) => Boolean(status)),
    },
    ownerField(result),
    {
      id: 'type',
      kind: 'choice',
      names: ['type', 'types', 'hazard type', 'hazard types'],
      noun: 'type',
      has: 'a type',
      lacks: 'no type',
      before: ['of type'],
      read: ({ type }) => type,
    },
    ...ratingFields(analysisMetadata.log.matrix),
    textField(
      {
        id: 'impact',
        names: ['impact', 'clinical impact', 'potential clinical impact'],
        noun: 'clinical impact',
        has: 'a clinical impact',
        lacks: 'no clinical impact',
        refused: refusalOf(result, 'impact', ['clinical_impact'], ({ clinicalImpact }) => clinicalImpact !== ''),
      },
      ({ clinicalImpact }) => clinicalImpact,
    ),
    countField(
      {
        id: 'evidence',
        names: ofEvidence.map((rest) => `evidence${rest}`),
        noun: 'control with evidence',
        has: 'evidence for at least one control',
        lacks: 'no evidence for any control',
        refused: refusalOf(result, 'evidence', ['evidence'], (one) => evidenceOf(one) > 0),
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
        refused: refusalOf(result, 'causes', ['cause'], ({ causes }) => causes.length > 0),
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
        refused: refusalOf(
          result,
          'controls',
          ['existing_controls', ...CONTROL_COLUMNS, 'action'],
          ({ controls }) => controls.length > 0,
        ),
      },
      ({ controls }) => controls.length,
    ),
    ...CONTROL_KINDS.map(([kind, noun]) =>
      countField(
        {
          id: `${kind}Controls`,
          names: [noun, `${noun}s`, `${kind} among them`],
          noun,
          has: /^[aeiou]/.test(noun) ? `an ${noun}` : `a ${noun}`,
          lacks: `no ${noun}`,
          refused: refusalOf(
            result,
            `${noun}s`,
            kind === 'existing' ? ['existing_controls'] : [`control_${kind as 'design'}`],
            ({ controls }) => controls.some((one) => one.kind === kind),
          ),
        },
        ({ controls }) => controls.filter((one) => one.kind === kind).length,
      ),
    ),
    countField(
      {
        id: 'tickets',
        names: ['ticket', 'tickets', 'ticket named', 'tickets named'],
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
