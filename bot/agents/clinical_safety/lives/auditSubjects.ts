import { Types } from 'mongoose';
import { FindingLife } from '../../../../models/clinical_safety/findingLife.ts';
import { HazardAnalysis } from '../../../../models/clinical_safety/hazardAnalysis.ts';
import { analysisPath } from '../../../../models/contracts/clinical_safety/analyses.ts';
import type { NamedSubject, SubjectReader } from '../../../engine/audit/subjectNames.ts';

/** "HAZ-003, missing residual, F12", from the id of a finding: `missing-residual:HAZ-003:F12`. */
function nameFinding(findingId: string): string {
  const [rule = '', ...parts] = findingId.split(':');
  // The second of the same rule, hazard and cell ends with a count.
  if (parts.length > 2 && /^\d+$/.test(parts.at(-1) ?? '')) parts.pop();
  const cell = parts.pop();
  const hazardId = parts.join(':');
  return [hazardId === 'log' ? 'The log' : hazardId, rule.replaceAll('-', ' '), cell].filter(Boolean).join(', ');
}

/** A finding's life, by the finding as the last analysis found it. */
const findings: SubjectReader = async (accountId, ids) => {
  const lives = await FindingLife.find(
    { accountId, _id: { $in: ids.filter(Types.ObjectId.isValid) } },
    { seenAs: 1 },
  ).lean();
  return new Map(
    lives.flatMap(({ _id, seenAs }): [string, NamedSubject][] => {
      const [analysis = '', ...finding] = (seenAs.at(-1) ?? '').split(' ');
      return seenAs.length > 0
        ? [[String(_id), { text: nameFinding(finding.join(' ')), path: analysisPath(Number(analysis)) }]]
        : [];
    }),
  );
};

const analyses: SubjectReader = async (accountId, ids) => {
  const rows = await HazardAnalysis.find(
    { accountId, _id: { $in: ids.map(Number).filter(Number.isSafeInteger) } },
    { logFileName: 1 },
  ).lean();
  return new Map(
    rows.map(({ _id, logFileName }) => [
      String(_id),
      { text: `${logFileName}, analysis ${_id}`, path: analysisPath(_id) },
    ]),
  );
};

/** How the audit page names what this agent's rows are about. */
export const auditSubjects: Record<string, SubjectReader> = { finding: findings, analysis: analyses };
