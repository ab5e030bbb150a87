import { Account } from '../../../../models/account.ts';
import { HazardAnalysis, type HazardAnalysisRow } from '../../../../models/clinical_safety/hazardAnalysis.ts';
import { Run } from '../../../../models/run.ts';
import { displayName, User } from '../../../../models/user.ts';
import { readTimeZone } from '../../../engine/accounts/timeZone.ts';
import { readDocuments } from '../../../engine/documents/sandbox.ts';
import { readAccepted } from '../lives/readAccepted.ts';
import { logVersionOf } from '../results/figures.ts';
import { loadResult } from '../results/results.ts';
import type { ComplianceInput } from './complianceInput.ts';

/** Analyses before this one of the same log that are named. */
const MAX_VERSIONS = 20;

async function readOfficer(accountId: number): Promise<ComplianceInput['officer']> {
  const appointed = (await Account.findById(accountId, { clinicalSafetyOfficer: 1 }).lean())?.clinicalSafetyOfficer;
  const person = appointed ? await User.findById(appointed.userId).lean() : null;
  if (!appointed || !person) return null;
  const { profession, register, registrationNumber } = appointed;
  return { name: displayName(person), profession, register, registrationNumber };
}

/** The analyses of the same log, from this one back. */
async function readVersions(analysis: HazardAnalysisRow): Promise<ComplianceInput['versions']> {
  const versions: ComplianceInput['versions'] = [];
  let row: HazardAnalysisRow | null = analysis;
  while (row && versions.length < MAX_VERSIONS) {
    versions.push({
      id: row._id,
      createdAt: row.createdAt.toISOString(),
      logVersion: row.logVersion ?? null,
      isMerged: row.mergedFileName !== null,
    });
    const before: number | null = row.earlierId ?? null;
    row = before === null ? null : await HazardAnalysis.findOne({ _id: before, accountId: analysis.accountId }).lean();
  }
  return versions;
}

/** Names of the drafts of the safety case report that were written from an analysis. */
async function readReports({ accountId, _id }: HazardAnalysisRow): Promise<string[]> {
  const runs = await Run.find(
    { accountId, workflow: 'safety-case-report', status: 'completed', 'state.analysisId': _id },
    { 'state.fileName': 1 },
  ).lean();
  const names = runs.flatMap(({ state }) => (typeof state.fileName === 'string' ? [state.fileName] : []));
  return [...new Set(names)];
}

/** Collects what the company keeps in Arc for a compliance sheet. @throws AppError expired, file_not_found */
export async function collectInput(analysis: HazardAnalysisRow, madeAt: string): Promise<ComplianceInput> {
  const { accountId } = analysis;
  const result = await loadResult(analysis);
  const [accepted, officer, documents, reports, versions, timeZone] = await Promise.all([
    readAccepted(analysis, result),
    readOfficer(accountId),
    readDocuments(accountId),
    readReports(analysis),
    readVersions(analysis),
    readTimeZone(accountId),
  ]);
  const { decidedBy } = analysis;
  return {
    result,
    analysis: {
      id: analysis._id,
      createdAt: analysis.createdAt.toISOString(),
      logFileName: analysis.logFileName,
      logVersion: logVersionOf(result),
      isSample: analysis.isSample ?? false,
    },
    accepted: Object.keys(accepted),
    decisions: analysis.decisions ?? [],
    reviewedBy: decidedBy && { name: decidedBy.name, at: new Date(decidedBy.at).toISOString() },
    officer,
    // An agent's own drafts are no evidence.
    documents: documents.flatMap(({ addedBy, originalName }) => (addedBy?.userId ? [originalName] : [])),
    reports,
    versions,
    madeAt,
    timeZone,
  };
}
