import type {
  AnalysisResult,
  CanonicalColumn,
  Control,
  ExistingHazard,
} from '../../../../models/contracts/clinical_safety/hazards.ts';
import { countValues, quoteCounts } from '../../../engine/queries/countValues.ts';
import type { Field } from '../../../engine/queries/entity.ts';
import { phrases } from '../../../engine/queries/phrases.ts';
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
const OWNED = [
  ...phrases('owned by, assigned to, belong to, belonging to, belongs to, held by, looked after by, allocated to'),
  ...phrases(
    'sitting with, sit with, sits with, down to, that belong to, which belong to, given to, managed by, led by',
  ),
];
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
    names: [
      ...phrases(
        'owner, owners, hazard owner, hazard owners, responsible person, person responsible, assignee, assignees',
      ),
      ...phrases(
        'accountable person, lead, risk owner, risk owners, owner name, person, name against them, responsible owner',
      ),
    ],
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
        phrases('never, were never, not, were not, are not').map((not) => `${not} assigned to ${word}`),
      ),
      ...NOBODY.flatMap((word) => OWNED.map((words) => `${words} ${word}`)),
    ],
    before: [...OWNED, 'of owner', 'of', 'for', 'with', 'under', 'on', 'for owner', 'with owner'],
    behind: phrases(
      'own, owns, have, has, look after, looks after, is responsible for, responsible for, in charge of, hold, holds, takes care of, take care of',
    ),
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
  const ofEvidence = phrases(
    ',  for controls,  for control,  for any control,  for any controls,  for their controls,  for its controls,  for any of them,  for them,  for any of its controls,  for any of their controls,  for any of controls',
  );
  return [
    {
      id: 'status',
      kind: 'choice',
      names: phrases('status, statuses, state, states, hazard status, current status, progress'),
      noun: 'status',
      has: 'a status',
      lacks: 'no status',
      before: phrases(
        'set to, down as, shown as, listed as, recorded as, logged as, in state, flagged as, flagged, at status, at, classed as, in status, marked, marked as, with status, with status of, in',
      ),
      read: ({ status }) => status,
      usual: ['Open', 'Closed', 'Transferred'],
      isNear: isNearStatus,
      refused: refusalOf(result, 'status', ['status']),
    },
    ownerField(result),
    {
      id: 'type',
      kind: 'choice',
      names: phrases(
        'type, types, hazard type, hazard types, category, categories, kind, kinds, area, areas, module, modules, theme, themes, group, topic, topics, kind of hazard, hazard category, hazard categories, hazard kind, class',
      ),
      noun: 'type',
      has: 'a type',
      lacks: 'no type',
      before: phrases(
        'of type, about, under, within, in, to do with, around, concerning, relating to, related to, on, in category, of category, of kind, in area of, regarding, for, typed, categorised as, categorised under, classed as, filed under, filed as',
      ),
      read: ({ type }) => type,
    },
    ...ratingFields(analysisMetadata.log.matrix, result.existingHazards),
    {
      id: 'impact',
      kind: 'choice',
      names: phrases(
        'impact, clinical impact, potential clinical impact, impacts, harm, clinical harm, patient harm, effect, effects, consequence, consequences, potential impact, clinical effect, impact on patient, clinical consequence',
      ),
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
        names: phrases(
          'cause, causes, potential cause, potential causes, root cause, root causes, recorded cause, recorded causes, possible cause, possible causes',
        ),
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
        names: phrases(
          'control, controls, mitigation, mitigations, recorded controls, measure, measures, safeguard, safeguards, risk control, risk controls, control measure, control measures, controls in place, control in place, controls against them, controls listed, mitigating control, mitigating controls, controls recorded, controls at all',
        ),
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
          ...phrases(
            'ticket in row, tickets in row, ticket reference, ticket references, ticket key, ticket keys, tickets attached, ticket attached, ticket against them, tickets against them, related ticket, related tickets, ticket number, ticket numbers',
          ),
        ],
        noun: 'ticket named in the row',
        has: 'a ticket named in the row',
        lacks: 'no ticket named in the row',
      },
      ({ ticketKeys }) => ticketKeys.length,
    ),
    countField(
      {
        id: 'findings',
        names: phrases(
          'finding, findings, issue, issues, problem, problems, fault, faults, error, errors, findings against them, findings on them, finding against it',
        ),
        noun: 'finding',
        has: 'a finding',
        lacks: 'no finding',
      },
      ({ id }) => findingsOf.get(id) ?? 0,
    ),
  ];
}
