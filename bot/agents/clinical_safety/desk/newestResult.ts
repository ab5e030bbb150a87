import { HazardAnalysis, type HazardAnalysisRow } from '../../../../models/clinical_safety/hazardAnalysis.ts';
import { analysisPath } from '../../../../models/contracts/clinical_safety/analyses.ts';
import type { AnalysisResult } from '../../../../models/contracts/clinical_safety/hazards.ts';
import type { NewestResult } from '../../../../models/contracts/desk.ts';
import type { Who } from '../../../../models/policies/who.ts';
import { describeNoCoverage } from '../answers/describe.ts';
import { findLatestResult } from '../results/findAnalysis.ts';
import { loadCore, loadResult } from '../results/results.ts';

/** Earlier analyses that are looked at to find one of the same log. */
const MAX_EARLIER = 50;

type Core = Pick<AnalysisResult, 'findings' | 'analysisMetadata'>;

const toFixOf = ({ findings }: Core): number => findings.filter(({ level }) => level === 'fix').length;

const coverageOf = ({ analysisMetadata: { coverage, coverageScore, jiraAnalysis } }: Core): string =>
  coverageScore === null
    ? describeNoCoverage(jiraAnalysis).toLowerCase()
    : `${coverage.covered} of ${coverage.relevant}`;

/** A log's name without what versions and dates change. */
const familyOf = (fileName: string): string => fileName.toLowerCase().replace(/[^\p{L}]+/gu, ' ');

/** The analysis of the same log before this one; null where there is none. */
async function findBefore(newest: HazardAnalysisRow): Promise<HazardAnalysisRow | null> {
  const earlier = await HazardAnalysis.find({
    accountId: newest.accountId,
    resultFileId: { $ne: null },
    createdAt: { $lt: newest.createdAt },
  })
    .sort({ createdAt: -1 })
    .limit(MAX_EARLIER)
    .lean();
  return earlier.find(({ logFileName }) => familyOf(logFileName) === familyOf(newest.logFileName)) ?? null;
}

/** What changed in figures: "4 findings to fix (6 before), coverage 24 of 30 (21 of 30 before)". */
function describeChange(now: Core, before: Core): string {
  const [fixNow, fixBefore] = [toFixOf(now), toFixOf(before)];
  const [coverageNow, coverageBefore] = [coverageOf(now), coverageOf(before)];
  const parts = [
    fixNow === fixBefore ? null : `${fixNow} ${fixNow === 1 ? 'finding' : 'findings'} to fix (${fixBefore} before)`,
    coverageNow === coverageBefore ? null : `coverage ${coverageNow} (${coverageBefore} before)`,
  ].filter(Boolean);
  return parts.length > 0 ? `Changed: ${parts.join(', ')}` : 'Same figures as in the analysis before';
}

/** The newest result with its figures, and how they differ from the analysis of the same log before. */
export async function newestResult(who: Who): Promise<NewestResult | null> {
  const newest = await findLatestResult(who);
  if (!newest) return null;
  const [result, before] = await Promise.all([loadResult(newest), findBefore(newest)]);
  return {
    title: newest.logFileName,
    figures: [
      {
        label: result.existingHazards.length === 1 ? 'hazard' : 'hazards',
        value: String(result.existingHazards.length),
      },
      { label: toFixOf(result) === 1 ? 'finding to fix' : 'findings to fix', value: String(toFixOf(result)) },
      { label: 'coverage', value: coverageOf(result) },
    ],
    changed: before ? describeChange(result, await loadCore(before)) : null,
    at: newest.createdAt.toISOString(),
    path: analysisPath(newest._id),
  };
}
