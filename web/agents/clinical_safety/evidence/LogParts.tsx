import type { EvidenceContent, EvidenceFinding } from '../../../../models/contracts/clinical_safety/evidence.ts';
import { FINDING_STATE_NAMES } from '../../../../models/contracts/clinical_safety/findingState.ts';
import type { Control, ExistingHazard, Rating } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { FINDING_LEVELS } from '../result/findingLevels.ts';
import { placesText } from '../result/placeText.ts';
import classes from './EvidenceDocument.module.css';
import { EvidencePart, EvidenceRecord, type Field } from './Record.tsx';

type Moment = (iso: string) => string;

const CONTROL_KINDS: Record<Control['kind'], string> = {
  existing: 'Existing',
  design: 'Design',
  test: 'Test',
  training: 'Training',
  business: 'Business process',
  unspecified: 'Control',
};

/** The findings and the hazards of the log. */
export function LogParts({ content, moment }: { content: EvidenceContent; moment: Moment }) {
  const { findings, hazards, next } = content;
  const later = next ? `, by analysis ${next.id}${next.logVersion ? ` of version ${next.logVersion}` : ''}` : '';
  const stateOf = ({ state }: EvidenceFinding) =>
    FINDING_STATE_NAMES[state] + (state === 'fixed' || state === 'gone' ? later : '');
  const sorted = [...findings].sort(
    (one, other) => FINDING_LEVELS[one.level].order - FINDING_LEVELS[other.level].order,
  );
  return (
    <>
      <EvidencePart title="Findings" count={findings.length} empty="The log has no findings.">
        {sorted.map((finding) => (
          <EvidenceRecord
            key={finding.id}
            title={`${FINDING_LEVELS[finding.level].label}: ${finding.title}`}
            state={stateOf(finding)}
            fields={findingFields(finding, moment)}
          />
        ))}
      </EvidencePart>
      <EvidencePart title="Hazards" count={hazards.length} empty="The log has no hazards.">
        {hazards.map((hazard) => (
          <EvidenceRecord
            key={`${hazard.id} ${hazard.rows.first}`}
            title={
              <>
                <span className="mono">{hazard.id}</span> {hazard.name}
              </>
            }
            {...(hazard.status ? { state: hazard.status } : {})}
            fields={hazardFields(hazard)}
          />
        ))}
      </EvidencePart>
    </>
  );
}

const findingFields = (finding: EvidenceFinding, moment: Moment): Field[] => [
  ['What', finding.message],
  ['Hazard', finding.hazardId],
  ['Cells', placesText(finding.places, finding.places.length)],
  ['As recorded', finding.found],
  ['Expected', finding.expected],
  ['Clause', finding.clause],
  ['Assigned to', finding.assignee],
  [
    'Accepted',
    finding.accepted && `${finding.accepted.reason} (${finding.accepted.by}, ${moment(finding.accepted.at)})`,
  ],
  ...finding.comments.map(
    ({ by, at, text }, index): Field => [`Comment ${index + 1}`, `${text} (${by}, ${moment(at)})`],
  ),
];

function ratingText({ severity, likelihood, risk }: Rating): string | null {
  if (severity === null && likelihood === null && risk === null) return null;
  return `${severity ?? '–'} × ${likelihood ?? '–'}, risk ${risk ?? 'not recorded'}`;
}

const lines = (texts: readonly string[]) =>
  texts.length > 0 ? (
    <ul className={classes.lines}>
      {texts.map((text, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a printed list never changes
        <li key={at}>{text}</li>
      ))}
    </ul>
  ) : null;

const hazardFields = (hazard: ExistingHazard): Field[] => [
  ['Description', hazard.description],
  ['Causes', lines(hazard.causes.map(({ id, text }) => (id ? `${id}: ${text}` : text)))],
  ['Clinical impact', hazard.clinicalImpact],
  ['Initial', ratingText(hazard.initial)],
  ['Controls', lines(hazard.controls.map(controlText))],
  ['Residual', ratingText(hazard.residual)],
  ['Rationale', hazard.rationale],
  ['Owner', hazard.owner],
  ['Tickets', hazard.ticketKeys.join(', ')],
  ['Place', `${hazard.rows.sheet}, rows ${hazard.rows.first} to ${hazard.rows.last}`],
];

function controlText({ kind, text, owner, status, evidence }: Control): string {
  const more = [owner, status, evidence].filter(Boolean).join(', ');
  return `${CONTROL_KINDS[kind]}: ${text}${more ? ` (${more})` : ''}`;
}
