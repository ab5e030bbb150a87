/** Documents that the standard asks for, and how their names are recognised. */
const DOCUMENTS = {
  process: [
    'a documented risk management process',
    /\b(?:risk management|clinical safety) (?:process|procedure|policy|sop)\b|\bcrms\b/i,
  ],
  plan: ['a Clinical Risk Management Plan', /\brisk management plan\b|\bclinical safety plan\b|\bcrmp\b/i],
  competence: [
    'records of competence',
    /\b(?:competenc[ey]|training) (?:record|matrix|log|register)s?\b|\bcso (?:cv|certificate)\b|\btraining certificates?\b/i,
  ],
  thirdParty: [
    'an assessment of third-party products',
    /\bthird[- ]part(?:y|ies)\b|\bsoup\b|\bsoftware of unknown\b|\bsbom\b|\bsupplier assessment\b/i,
  ],
  review: ['a record of the review of the process', /\b(?:management|process) review\b/i],
  file: [
    'an index of the Clinical Risk Management File',
    /\brisk management file\b|\bcrmf\b|\bsafety file (?:index|register)\b/i,
  ],
  report: ['a safety case report', /\bsafety case\b|\bcscr\b/i],
  incidents: ['a safety incident management log', /\bincidents?\b/i],
  workshop: [
    'records of hazard workshops',
    /\b(?:hazard|swift|fmea|safety)\b.*\b(?:workshop|session|minutes)\b|\b(?:workshop|minutes)\b.*\b(?:hazard|swift|fmea|safety)\b/i,
  ],
  scope: [
    'a statement of clinical scope and intended use',
    /\bintended (?:use|purpose)\b|\bclinical scope\b|\bscope statement\b/i,
  ],
  tests: ['test reports', /\btest (?:report|results?|summary|evidence)\b|\bverification report\b|\buat\b/i],
  release: [
    'a record of the review before release',
    /\brelease (?:review|record|approval|note|certificate)s?\b|\bgo[- ]live\b/i,
  ],
  configuration: [
    'a record of the released configuration',
    /\bconfiguration (?:item|record|baseline|management)\b|\bbuild record\b|\brelease note/i,
  ],
  monitoring: [
    'a record of monitoring after deployment',
    /\bmonitoring\b|\bpost[- ](?:market|deployment|live)\b|\bsurveillance\b/i,
  ],
  change: [
    'a record of how changes are assessed',
    /\bchange (?:control|management|assessment|impact)\b|\bimpact assessment\b/i,
  ],
} as const satisfies Record<string, readonly [string, RegExp]>;

export type DocumentKind = keyof typeof DOCUMENTS;

/** The name of a kind of document in a sentence: "a Clinical Risk Management Plan". */
export const calledDocument = (kind: DocumentKind): string => DOCUMENTS[kind][0];

/** Separators of file names count as spaces. */
const plainName = (name: string) => name.replace(/\.[a-z]{2,4}$/i, '').replace(/[_\-.]+/g, ' ');

/** The documents that may be of a kind, by their names. */
export const findDocuments = (kind: DocumentKind, names: readonly string[]): string[] =>
  names.filter((name) => DOCUMENTS[kind][1].test(plainName(name)));
