/** Documents in which a technical file usually keeps its evidence. */
export const EVIDENCE_IDS = [
  'description',
  'classification',
  'label',
  'instructions',
  'risk-plan',
  'risk-file',
  'benefit-risk',
  'development-plan',
  'requirements',
  'architecture',
  'third-party',
  'tests',
  'anomalies',
  'maintenance',
  'usability',
  'security',
  'platform',
  'interfaces',
  'accuracy',
  'clinical-evaluation',
  'surveillance-plan',
  'surveillance-report',
  'follow-up',
  'quality-system',
  'declaration',
  'identification',
] as const;
export type EvidenceId = (typeof EVIDENCE_IDS)[number];

type Evidence = {
  name: string;
  /** By which a document's name is recognised. */
  named: RegExp;
  /** Phrases of its text; a document with two of them is offered as evidence. */
  says: readonly RegExp[];
};

export const EVIDENCE: Record<EvidenceId, Evidence> = {
  description: {
    name: 'Device description with the intended purpose',
    named: /device description|product description|intended (?:use|purpose)/i,
    says: [/intended (?:use|purpose)/i, /intended users?/i, /patient population/i, /contra-?indications?/i],
  },
  classification: {
    name: 'Rationale of qualification and class',
    named: /classification|qualification/i,
    says: [/rule 11/i, /annex viii/i, /MDCG 2019-11/i],
  },
  label: {
    name: 'Label',
    named: /\blabel(?:l?ing)?\b/i,
    says: [/UDI/, /date of manufacture/i, /authori[sz]ed representative/i],
  },
  instructions: {
    name: 'Instructions for use',
    named: /instructions? for use|\bIFU\b|user (?:manual|guide)/i,
    says: [/instructions? for use/i, /warnings?\b/i, /contra-?indications?/i, /serious incident/i],
  },
  'risk-plan': {
    name: 'Risk management plan',
    named: /risk management plan/i,
    says: [/risk management plan/i, /acceptab\w+ criteria|criteria for (?:risk )?acceptab/i, /ISO 14971/i],
  },
  'risk-file': {
    name: 'Risk management file and report',
    named: /risk management (?:file|report)|risk (?:analysis|table|register|assessment)|FMEA/i,
    says: [/ISO 14971/i, /residual risk/i, /risk control/i, /severity/i],
  },
  'benefit-risk': {
    name: 'Benefit-risk analysis',
    named: /(?:benefit.?risk|risk.?benefit)/i,
    says: [/benefit.?risk|risk.?benefit/i, /overall residual risk/i],
  },
  'development-plan': {
    name: 'Software development plan (IEC 62304)',
    named: /(?:software )?development plan|lifecycle plan/i,
    says: [/IEC 62304/i, /development plan/i, /safety class/i],
  },
  requirements: {
    name: 'Software requirements',
    named: /requirements? (?:spec|list)|software requirements|\bSRS\b/i,
    says: [/software requirements/i, /\bshall\b.*\bshall\b/is, /traceab/i],
  },
  architecture: {
    name: 'Software architecture',
    named: /architecture|software design/i,
    says: [/software architecture/i, /software items?/i, /segregation/i],
  },
  'third-party': {
    name: 'List of third-party software (SOUP)',
    named: /\bSOUP\b|third.?party|\bSBOM\b|bill of materials/i,
    says: [/\bSOUP\b/, /known anomal/i],
  },
  tests: {
    name: 'Verification and validation report',
    named: /(?:verification|validation|test)s?\b.*\b(?:report|results?|record|protocol)|V&V/i,
    says: [/test (?:report|results|protocol)/i, /\bverification\b/i, /\bvalidation\b/i, /\bpassed\b/i],
  },
  anomalies: {
    name: 'List of known anomalies',
    named: /anomal|known (?:issues|bugs)|problem resolution/i,
    says: [/known anomal/i, /problem resolution/i],
  },
  maintenance: {
    name: 'Software maintenance plan',
    named: /maintenance plan|maintenance/i,
    says: [/maintenance plan/i, /end of (?:support|life)/i],
  },
  usability: {
    name: 'Usability engineering file (IEC 62366-1)',
    named: /usability|human factors|formative|summative/i,
    says: [/IEC 62366/i, /use error/i, /summative/i, /formative/i],
  },
  security: {
    name: 'Security file (IEC 81001-5-1)',
    named: /security|threat model|penetration/i,
    says: [/81001-5-1/i, /threat model/i, /penetration test/i, /MDCG 2019-16/i],
  },
  platform: {
    name: 'Minimum requirements on hardware, network and security',
    named: /(?:minimum|system|platform) requirements/i,
    says: [/minimum requirements/i, /operating system/i, /supported browsers?/i],
  },
  interfaces: {
    name: 'Interface specification',
    named: /interface|interoperab|integration spec|\bAPI\b/i,
    says: [/interoperab/i, /HL7|FHIR|DICOM/i],
  },
  accuracy: {
    name: 'Evidence of accuracy and precision',
    named: /accuracy|precision|performance (?:study|evaluation|report)|calibration/i,
    says: [/sensitivity/i, /specificity/i, /limits? of agreement|measurement error/i],
  },
  'clinical-evaluation': {
    name: 'Clinical evaluation plan and report',
    named: /clinical evaluation|\bCER\b|\bCEP\b/i,
    says: [/clinical evaluation/i, /state of the art/i, /literature (?:search|review)/i, /MDCG 2020-1\b/i],
  },
  'surveillance-plan': {
    name: 'Post-market surveillance plan',
    named: /(?:post.?market )?surveillance plan|\bPMS\b.*plan/i,
    says: [/post.?market surveillance plan/i, /trend report/i, /complaints?/i],
  },
  'surveillance-report': {
    name: 'Periodic safety update report, or surveillance report',
    named: /\bPSUR\b|\bPMSR\b|periodic safety|surveillance report/i,
    says: [/periodic safety update/i, /surveillance report/i],
  },
  'follow-up': {
    name: 'Post-market clinical follow-up plan and report',
    named: /\bPMCF\b|clinical follow.?up/i,
    says: [/\bPMCF\b/, /clinical follow.?up/i],
  },
  'quality-system': {
    name: 'Quality management system (ISO 13485)',
    named: /ISO 13485|quality (?:manual|management)/i,
    says: [/ISO 13485/i, /quality (?:policy|manual)/i],
  },
  declaration: {
    name: 'Declaration of conformity (Annex IV), by the manufacturer',
    named: /declaration of conformity/i,
    says: [/declaration of conformity/i, /sole responsibility/i],
  },
  identification: {
    name: 'UDI and registration',
    named: /\bUDI\b|eudamed|registration/i,
    says: [/basic UDI/i, /EUDAMED/i],
  },
};
