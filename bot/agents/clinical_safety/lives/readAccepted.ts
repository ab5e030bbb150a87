import { FindingLife } from '../../../../models/clinical_safety/findingLife.ts';
import type { HazardAnalysisRow } from '../../../../models/clinical_safety/hazardAnalysis.ts';
import type { AnalysisResult } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { seenAs } from './carryLives.ts';
import { presentLife } from './presentLife.ts';

/** Findings that somebody accepted and whose values are still those, by the finding's id. */
export async function readAccepted(
  { accountId, _id }: Pick<HazardAnalysisRow, 'accountId' | '_id'>,
  { findings }: Pick<AnalysisResult, 'findings'>,
): Promise<Record<string, { reason: string; by: string; at: string }>> {
  const lives = await FindingLife.find({ accountId, analyses: _id, accepted: { $ne: null } }).lean();
  const byName = new Map(lives.flatMap((life) => life.seenAs.map((name) => [name, life] as const)));
  return Object.fromEntries(
    findings.flatMap((finding) => {
      const life = byName.get(seenAs(_id, finding.id));
      const accepted = life && presentLife(finding, life, []).accepted;
      return accepted?.holds ? [[finding.id, { reason: accepted.reason, by: accepted.by, at: accepted.at }]] : [];
    }),
  );
}
