import { HazardAnalysis, type HazardAnalysisRow } from '../../../../models/clinical_safety/hazardAnalysis.ts';
import { type HazardVersion, MAX_VERSIONS_FOLLOWED } from '../../../../models/contracts/clinical_safety/comparison.ts';
import type { ExistingHazard, Finding } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { sameId } from '../reading/readHazards.ts';
import { logVersionOf } from '../results/figures.ts';
import { loadResult } from '../results/results.ts';
import { type Compared, compareResults } from './compareResults.ts';
import { readKept } from './findEarlier.ts';
import { pairHazards } from './pairHazards.ts';

type Seen = { version: Compared; hazard: ExistingHazard };

const isAbout =
  ({ id }: ExistingHazard) =>
  ({ hazardId }: Finding) =>
    hazardId !== null && sameId(hazardId) === sameId(id);
const titleOf = ({ title }: Finding) => title;

async function describe({ version: { row, result }, hazard }: Seen, before: Seen | undefined): Promise<HazardVersion> {
  const findings = before && (await compareResults(before.version, { row, result })).findings;
  return {
    id: hazard.id,
    name: hazard.name,
    analysisId: row._id,
    createdAt: row.createdAt.toISOString(),
    logVersion: logVersionOf(result),
    firstRow: hazard.rows.first,
    initial: hazard.initial,
    residual: hazard.residual,
    fixed: before && findings ? findings.fixed.filter(isAbout(before.hazard)).map(titleOf) : [],
    added: findings ? findings.added.filter(isAbout(hazard)).map(titleOf) : [],
  };
}

/**
 * Follows a hazard through the versions of its log, as long as each version has it.
 * @param versions the oldest first
 * @param at the version that the hazard is of
 * @returns the newest first
 */
export async function followHazard(
  versions: readonly Compared[],
  at: number,
  hazard: ExistingHazard,
): Promise<HazardVersion[]> {
  const start = versions[at];
  if (!start) return [];
  const seen: Seen[] = [{ version: start, hazard }];
  for (const version of versions.slice(0, at).reverse()) {
    const later = seen[0] as Seen;
    const { pairs } = await pairHazards(version.result.existingHazards, later.version.result.existingHazards);
    const pair = pairs.find(({ after }) => after === later.hazard);
    if (!pair) break;
    seen.unshift({ version, hazard: pair.before });
  }
  for (const version of versions.slice(at + 1)) {
    const earlier = seen.at(-1) as Seen;
    const { pairs } = await pairHazards(earlier.version.result.existingHazards, version.result.existingHazards);
    const pair = pairs.find(({ before }) => before === earlier.hazard);
    if (!pair) break;
    seen.push({ version, hazard: pair.after });
  }
  const described: HazardVersion[] = [];
  for (const [index, one] of seen.entries()) described.unshift(await describe(one, seen[index - 1]));
  return described;
}

/** The analysis before of the same log, as it was found when this one was made. */
const readBefore = ({ accountId, earlierId }: HazardAnalysisRow) =>
  earlierId == null ? null : HazardAnalysis.findOne({ accountId, _id: earlierId, resultFileId: { $ne: null } }).lean();
const readAfter = ({ accountId, _id }: HazardAnalysisRow) =>
  HazardAnalysis.findOne({ accountId, earlierId: _id, resultFileId: { $ne: null } })
    .sort({ _id: 1 })
    .lean();

/** The versions beyond one in a direction, the nearest first; they end where a result is no longer kept. */
async function readVersions(
  start: HazardAnalysisRow,
  next: (row: HazardAnalysisRow) => Promise<HazardAnalysisRow | null> | null,
): Promise<Compared[]> {
  const found: Compared[] = [];
  let row = await next(start);
  while (row && found.length < MAX_VERSIONS_FOLLOWED) {
    const result = await readKept(row);
    if (!result) break;
    found.push({ row, result });
    row = await next(row);
  }
  return found;
}

/**
 * A hazard of an analysis in the versions of its log, the newest first; empty where the analysis has no such hazard.
 * @throws AppError expired
 */
export async function readHistory(
  row: HazardAnalysisRow,
  { hazard, row: firstRow }: { hazard: string; row: number },
): Promise<HazardVersion[]> {
  if (!row.resultFileId) return [];
  const result = await loadResult(row);
  const found = result.existingHazards.find(({ id, rows }) => id === hazard && rows.first === firstRow);
  if (!found) return [];
  const [before, after] = [await readVersions(row, readBefore), await readVersions(row, readAfter)];
  return followHazard([...before.reverse(), { row, result }, ...after], before.length, found);
}
