import type { ExistingHazard } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { dayText } from '../../../../models/contracts/zonedText.ts';
import { counted } from '../counted.ts';
import { findTransferred } from '../reports/reportFigures.ts';
import type { ComplianceInput } from './complianceInput.ts';
import { calledDocument, type DocumentKind, findDocuments } from './documentKinds.ts';

/** The outcome of looking for evidence: lines of what was found, and of what was not. */
type Looked = { found?: string[]; missing?: string[] };
type Look = (input: ComplianceInput) => Looked;

/** Documents whose names suggest a kind. */
const document =
  (kind: DocumentKind): Look =>
  ({ documents }) => {
    const named = findDocuments(kind, documents);
    return named.length > 0
      ? { found: named.map((name) => `“${name}” may be ${calledDocument(kind)}, by its name; Arc has not read it.`) }
      : { missing: [`No document in Arc is named like ${calledDocument(kind)}.`] };
  };

/** Counts hazards that have something as found, and those that lack it as missing. */
const hazardsWith =
  (what: string, has: (hazard: ExistingHazard) => boolean): Look =>
  ({ result: { existingHazards: hazards } }) => {
    const count = hazards.filter(has).length;
    const without = hazards.length - count;
    return {
      found:
        count > 0 ? [`${count} of ${counted(hazards.length, 'hazard')} ${count === 1 ? 'has' : 'have'} ${what}.`] : [],
      missing: without > 0 ? [`${counted(without, 'hazard')} without ${what}.`] : [],
    };
  };

const log: Look = ({ analysis, result, timeZone }) => ({
  found: [
    `Hazard log ${analysis.logFileName}${analysis.logVersion ? `, version ${analysis.logVersion}` : ''}, analysed ${dayText(analysis.createdAt, timeZone)}: ${counted(result.existingHazards.length, 'hazard')}. SHA-256 ${result.analysisMetadata.logDigest}.`,
  ],
});

const officer: Look = ({ officer: appointed }) =>
  appointed
    ? { found: [`${appointed.name} is appointed in Arc as Clinical Safety Officer.`] }
    : { missing: ['Nobody is appointed in Arc as Clinical Safety Officer.'] };

const registration: Look = ({ officer: appointed }) =>
  appointed
    ? {
        found: [
          `${appointed.name}, ${appointed.profession}: ${appointed.register} ${appointed.registrationNumber}, as entered in Arc. Whether it is current, the register says.`,
        ],
      }
    : { missing: ['No profession and registration is entered in Arc.'] };

/** Arc records what people decide in it, and no approval of a document. */
const approval =
  (what: string): Look =>
  () => ({ missing: [`Arc holds no approval of ${what} by a Clinical Safety Officer.`] });

/** A draft that Arc wrote is no evidence; its line says that a document is still to be issued. */
const issuedReport: Look = (input) => {
  const { found = [], missing = [] } = document('report')(input);
  return {
    found,
    missing: [
      ...missing,
      ...input.reports.map((name) => `“${name}” is a draft that Arc wrote from this analysis. It is not approved.`),
    ],
  };
};

/** Known hazards are looked for in the tickets. */
const coverage: Look = ({ result, decisions }) => {
  const { coverage: counts, coverageScore, jiraAnalysis } = result.analysisMetadata;
  const open = Math.max(0, result.newHazards.length - decisions.length);
  return {
    found: [
      ...(coverageScore === null
        ? []
        : [
            `${counts.covered} of ${counted(counts.relevant, 'relevant ticket')} ${counts.covered === 1 ? 'is' : 'are'} covered by a hazard of the log, of ${jiraAnalysis.ticketsAnalyzed} read.`,
          ]),
    ],
    missing: [
      ...(jiraAnalysis.ticketsAnalyzed === 0 ? ['No tickets were compared with the log.'] : []),
      ...(counts.relevant > counts.covered
        ? [`${counted(counts.relevant - counts.covered, 'relevant ticket')} not covered for certain.`]
        : []),
      ...(open > 0 ? [`${counted(open, 'proposal')} of Arc without a decision.`] : []),
    ],
  };
};

const decided: Look = ({ decisions, reviewedBy, timeZone }) =>
  reviewedBy
    ? {
        found: [
          `${counted(decisions.length, 'proposal was', 'proposals were')} decided; the review was sent by ${reviewedBy.name} on ${dayText(reviewedBy.at, timeZone)}. Who decided each row is in Arc’s audit.`,
        ],
      }
    : {};

const trail: Look = ({ versions, timeZone }) => {
  const merged = versions.filter(({ isMerged }) => isMerged).length;
  return {
    found: [
      `${counted(versions.length, 'analysis', 'analyses')} of this log kept: ${versions
        .map(
          ({ id, createdAt, logVersion }) =>
            `${logVersion ? `version ${logVersion}, ` : ''}${dayText(createdAt, timeZone)} (analysis ${id})`,
        )
        .join('; ')}.`,
      ...(merged > 0 ? [`${counted(merged, 'merge')} recorded, each with a Change log sheet.`] : []),
    ],
  };
};

const controlsWithEvidence: Look = ({ result: { existingHazards } }) => {
  const controls = existingHazards.flatMap((hazard) => hazard.controls);
  const proven = controls.filter(({ evidence }) => evidence !== null).length;
  return {
    found:
      proven > 0
        ? [
            `${proven} of ${counted(controls.length, 'control entry', 'control entries')} ${proven === 1 ? 'names' : 'name'} evidence. Arc has not opened it.`,
          ]
        : [],
    missing:
      controls.length > proven
        ? [`${counted(controls.length - proven, 'control entry names', 'control entries name')} no evidence.`]
        : [],
  };
};

const transferred: Look = ({ result }) => {
  const count = findTransferred(result.existingHazards).length;
  return count > 0
    ? {
        found: [
          `${counted(count, 'hazard hands', 'hazards hand')} something over to the deploying organisation: see the sheet “For DCB0160”.`,
        ],
      }
    : {};
};

const isRated = ({ severity, likelihood, risk }: ExistingHazard['initial']) =>
  severity !== null && likelihood !== null && risk !== null;

/** What Arc looks for, by clause. A clause that is not here has nothing that Arc could hold. */
export const LOOKED_FOR: Readonly<Record<string, readonly Look[]>> = {
  '2.1.1': [document('process')],
  '2.2.1': [officer],
  '2.2.2': [document('plan')],
  '2.3.1': [registration],
  '2.3.2': [registration],
  '2.4.2': [document('competence')],
  '2.5.1': [document('thirdParty')],
  '2.5.2': [issuedReport],
  '2.6.1': [document('review'), hazardsWith('a review date', ({ reviewDate }) => Boolean(reviewDate))],
  '3.1.1': [document('file')],
  '3.1.3': [document('file')],
  '3.1.4': [decided],
  '3.2': [document('plan'), approval('the plan')],
  '3.3.1': [log],
  '3.3.2': [approval('this version of the log')],
  '3.3.3': [issuedReport],
  '3.4.1': [issuedReport],
  '3.5.1': [issuedReport, transferred],
  '3.5.2': [approval('a safety case report')],
  '3.6.1': [document('incidents')],
  '4.1.1': [document('workshop')],
  '4.1.2': [document('workshop')],
  '4.2.1': [document('scope')],
  '4.2.2': [document('scope')],
  '4.3.1': [coverage],
  '4.4.1': [hazardsWith('severity, likelihood and initial risk', ({ initial }) => isRated(initial))],
  '5.1.1': [hazardsWith('an initial risk', ({ initial }) => initial.risk !== null)],
  '6.1.1': [hazardsWith('a control', ({ controls }) => controls.length > 0)],
  '6.1.4': [hazardsWith('a residual risk', ({ residual }) => residual.risk !== null)],
  '6.3.2': [controlsWithEvidence, document('tests')],
  '6.3.3': [document('tests')],
  '6.4.1': [hazardsWith('a status', ({ status }) => status !== null)],
  '7.1.1': [document('release')],
  '7.1.2': [document('release')],
  '7.1.3': [document('configuration')],
  '7.2.1': [document('monitoring')],
  '7.2.5': [document('incidents')],
  '7.3.1': [document('change')],
  '7.3.4': [trail],
};
