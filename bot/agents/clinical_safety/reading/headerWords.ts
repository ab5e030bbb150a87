import type { CanonicalColumn } from '../../../../models/contracts/clinical_safety/hazards.ts';

/** Columns that come twice in a log: before and after controls. */
type RatingColumn = 'severity' | 'likelihood' | 'risk';
export type Phase = 'initial' | 'residual';
/** What a header stands for before it is known which of a pair it is. */
export type HeaderMeaning = CanonicalColumn | RatingColumn;

/** What real logs call their columns (domain 1.7); written as normaliseHeader gives them. */
export const HEADER_SYNONYMS: Record<HeaderMeaning, string[]> = {
  id: [
    'hazard number',
    'number',
    'num',
    'hazard id',
    'id',
    'ref',
    'reference',
    'hazard ref',
    'hazard reference',
    'risk id',
    'risk number',
    'haz id',
    'hazard num',
    'unique id',
    'identifier',
    'hazard identifier',
    'log number',
    'item',
    'item number',
    'nr',
  ],
  name: ['hazard name', 'name', 'hazard', 'hazard title', 'title', 'hazard short name', 'risk name', 'failure mode'],
  description: [
    'hazard description',
    'description',
    'hazard detail',
    'hazard details',
    'details',
    'description of hazard',
    'hazardous situation',
    'hazard scenario',
    'scenario',
    'risk description',
  ],
  type: ['hazard type', 'tag', 'tags', 'type', 'category', 'hazard category', 'type of hazard', 'module', 'area'],
  clinical_impact: [
    'potential clinical impact',
    'clinical impact',
    'effect',
    'effects',
    'harm',
    'potential harm',
    'impact',
    'potential impact',
    'patient impact',
    'patient harm',
    'clinical effect',
    'potential clinical effect',
    'consequences',
    'clinical harm',
    'potential clinical harm',
    'clinical consequence',
    'potential effect',
  ],
  cause_id: ['cause number', 'cause id', 'cause ref', 'cause num'],
  cause: [
    'possible causes',
    'possible cause',
    'cause',
    'causes',
    'potential causes',
    'potential cause',
    'hazard causes',
    'hazard cause',
    'root cause',
    'contributory factors',
    'cause description',
  ],
  existing_controls: [
    'existing controls',
    'existing control',
    'current controls',
    'controls in place',
    'existing mitigation',
    'existing mitigations',
    'existing safeguards',
  ],
  initial_severity: [],
  initial_likelihood: [],
  initial_risk: [],
  control_id: ['control number', 'control id', 'control ref', 'control num', 'mitigation id', 'mitigation number'],
  control_text: [
    'additional controls',
    'additional control',
    'additional mitigation',
    'additional mitigations',
    'further controls',
    'further mitigation',
    'control',
    'controls',
    'control description',
    'mitigation',
    'mitigations',
    'mitigating controls',
    'risk control',
    'risk controls',
    'control measure',
    'control measures',
    'risk control measures',
    'proposed controls',
    'new controls',
    'suggested actions to reduce hazard',
    'suggested actions',
    'mitigating actions',
    'hazard controls',
  ],
  control_type: ['control type', 'type of control', 'mitigation type', 'control category'],
  control_owner: ['control owner', 'owner of control', 'mitigation owner', 'control responsibility'],
  control_design: [
    'design',
    'design controls',
    'design control',
    'software design',
    'additional design controls',
    'controls design',
    'design mitigation',
    'additional controls design',
    'product design',
  ],
  control_test: [
    'test',
    'testing',
    'test controls',
    'test control',
    'additional test controls',
    'controls test',
    'additional controls test',
    'verification',
  ],
  control_training: [
    'training',
    'training controls',
    'training communication',
    'training and communication',
    'additional training controls',
    'controls training',
    'additional controls training',
    'training control',
    'user training',
  ],
  control_business: [
    'bpc',
    'business process change',
    'business processes',
    'business process',
    'business controls',
    'business process changes',
    'additional controls business process',
    'process',
    'process controls',
    'additional business process controls',
    'controls business process',
    'business process controls',
    'business',
  ],
  action: [
    'action',
    'actions',
    'actions required',
    'further action',
    'further actions',
    'action required',
    'action description',
  ],
  action_status: ['action status', 'status of action', 'control status', 'actions status', 'mitigation status'],
  residual_severity: [],
  residual_likelihood: [],
  residual_risk: [],
  rationale: [
    'rationale',
    'justification',
    'residual risk rationale',
    'risk benefit',
    'acceptability rationale',
    'justification for acceptance',
    'risk benefit analysis',
    'residual risk justification',
    'acceptability',
    'benefit risk',
  ],
  notes: [
    'summary of actions notes',
    'notes',
    'comments',
    'comment',
    'summary of actions',
    'note',
    'remarks',
    'additional notes',
    'actions notes',
  ],
  owner: ['owner', 'hazard owner', 'risk owner', 'responsible', 'responsible person', 'assigned to', 'hazard lead'],
  status: ['status', 'hazard status', 'state', 'risk status', 'hazard state', 'open closed'],
  release: [
    'release introduced',
    'release',
    'version introduced',
    'introduced in',
    'release version',
    'product version',
    'release number',
  ],
  evidence: [
    'evidence',
    'links to documentation',
    'link to documentation',
    'links to evidence',
    'control evidence',
    'evidence of control',
    'evidence link',
    'supporting evidence',
    'evidence reference',
    'documentation',
    'link to evidence',
    'verification evidence',
    'linked tickets',
    'tickets',
    'jira',
    'jira reference',
    'related tickets',
  ],
  review_date: [
    'review date',
    'date reviewed',
    'last reviewed',
    'next review',
    'next review date',
    'date of review',
    'date of last review',
    'date of next review',
    'last review date',
    'last review',
    'reviewed',
    'last updated',
    'date last reviewed',
  ],
  severity: [
    'severity',
    'consequence',
    's',
    'sev',
    'severity rating',
    'severity of harm',
    'consequence rating',
    'hazard severity',
    'severity score',
    'consequence score',
  ],
  likelihood: [
    'likelihood',
    'likeliness',
    'l',
    'probability',
    'likelihood rating',
    'p',
    'hazard likelihood',
    'likelihood score',
    'frequency',
    'probability of harm',
    'likelihood of harm',
  ],
  risk: [
    'risk',
    'risk score',
    'risk rating',
    'risk level',
    'rpn',
    'rating',
    'hazard risk',
    'hazard rating',
    'risk classification',
    'r',
    'risk category',
    'risk value',
    'risk class',
  ],
};

/** Words in front of a header, or above a group of them, that say before or after controls. */
const PHASES: [RegExp, Phase][] = [
  [
    /^(?:initial|inherent|unmitigated|pre(?: (?:control|controls|mitigation))?|before(?: (?:control|controls|mitigation))?|i|original|raw|start)\b/,
    'initial',
  ],
  [
    /^(?:residual|final|mitigated|post(?: (?:control|controls|mitigation))?|after(?: (?:control|controls|mitigation))?|r|target|revised|remaining)\b/,
    'residual',
  ],
];

/** Case, marks, underscores and stray spaces left out; "#", "No." and "Num" are "number". */
export function normaliseHeader(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/#/g, ' number ')
    .replace(/\bno\b\.?/g, ' number ')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .replace(/\bnumber number\b/g, 'number')
    .trim();
}

/** Splits "residual severity", "S2" or "I. Risk score" into the phase and the rest. */
export function splitPhase(header: string): { phase: Phase | null; rest: string } {
  for (const [pattern, phase] of PHASES) {
    const match = pattern.exec(header);
    const rest = match ? header.slice(match[0].length).trim() : '';
    if (match && rest)
      return {
        phase,
        rest: rest.replace(/^(?:risk|rating|hazard) (?=severity|likelihood|consequence|probability|risk)/, ''),
      };
  }
  const numbered = /^([\p{L} ]+?) ?([12])$/u.exec(header);
  // P1 and P2 of ISO 14971 are two factors of one probability, not a before and an after.
  if (numbered?.[1] && numbered[1] !== 'p')
    return { phase: numbered[2] === '1' ? 'initial' : 'residual', rest: numbered[1] };
  const trailing =
    /^(.+?) (?:\(?(before|after|pre|post|initial|residual)\)?)(?: (?:control|controls|mitigation))?$/.exec(header);
  if (trailing?.[1])
    return { phase: /^(?:before|pre|initial)$/.test(trailing[2] ?? '') ? 'initial' : 'residual', rest: trailing[1] };
  return { phase: null, rest: header };
}

/** The phase that a group heading above several columns gives them. */
export function groupPhase(text: string): Phase | null {
  const header = normaliseHeader(text);
  return PHASES.find(([pattern]) => pattern.test(header) && header.length > 1)?.[1] ?? null;
}
