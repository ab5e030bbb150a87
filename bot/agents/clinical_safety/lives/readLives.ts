import { FindingComment, FindingLife } from '../../../../models/clinical_safety/findingLife.ts';
import { HazardAnalysis, type HazardAnalysisRow } from '../../../../models/clinical_safety/hazardAnalysis.ts';
import type { FindingLives } from '../../../../models/contracts/clinical_safety/findingLives.ts';
import type { Finding } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { compareResults } from '../comparison/compareResults.ts';
import { readKept } from '../comparison/findEarlier.ts';
import { seenAs } from './carryLives.ts';
import { presentLife } from './presentLife.ts';
import { recordChange } from './recordChange.ts';

/** The findings that the next analysis of the same log no longer has. */
async function readNext(row: HazardAnalysisRow): Promise<FindingLives['next']> {
  const next = await HazardAnalysis.findOne({
    accountId: row.accountId,
    earlierId: row._id,
    resultFileId: { $ne: null },
  }).lean();
  const [earlier, later] = next ? [await readKept(row), await readKept(next)] : [null, null];
  if (!next || !earlier || !later) return null;
  const { findings } = await compareResults({ row, result: earlier }, { row: next, result: later });
  return {
    id: next._id,
    createdAt: next.createdAt.toISOString(),
    logVersion: next.logVersion ?? null,
    fixed: findings.fixed.map(({ id }) => id),
    gone: findings.gone.map(({ id }) => id),
  };
}

/** What people decided and said about the findings of an analysis, and which of them the next one no longer found. */
export async function readLives(
  row: HazardAnalysisRow,
  findings: readonly Finding[],
): Promise<Pick<FindingLives, 'lives' | 'next'>> {
  const { accountId } = row;
  const [lives, next] = await Promise.all([FindingLife.find({ accountId, analyses: row._id }).lean(), readNext(row)]);
  for (const life of lives) await recordChange(life);
  const lifeIds = lives.map(({ _id }) => _id);
  const comments = await FindingComment.find({ accountId, lifeId: { $in: lifeIds } })
    .sort({ at: 1 })
    .lean();
  const byName = new Map(lives.flatMap((life) => life.seenAs.map((name) => [name, life] as const)));
  return {
    lives: findings.flatMap((finding) => {
      const life = byName.get(seenAs(row._id, finding.id));
      return life ? [presentLife(finding, life, comments)] : [];
    }),
    next,
  };
}
