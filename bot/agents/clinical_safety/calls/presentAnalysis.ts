import type { HazardAnalysisRow } from '../../../../models/clinical_safety/hazardAnalysis.ts';
import type { HazardAnalysis as View } from '../../../../models/contracts/clinical_safety/hazardAnalysis.ts';
import { Interrupt } from '../../../../models/interrupt.ts';
import { MATCH_REVIEW } from '../questions/matchReview.ts';
import { readResultJson } from '../results/results.ts';

const EMPTY = Buffer.from('{"existingHazards":[],"newHazards":[],"findings":[],"analysisMetadata":null}');

/**
 * An analysis as the JSON text of its view. The stored result is appended as bytes, because it may be many megabytes
 * and need not be parsed here.
 */
export async function presentAnalysis(row: HazardAnalysisRow): Promise<Buffer> {
  const [asked, matches, result] = await Promise.all([
    Interrupt.findOne({ runId: row.runId, interruptType: 'hazard_review' }, { _id: 1 }).lean(),
    Interrupt.findOne({ runId: row.runId, interruptType: MATCH_REVIEW, status: 'pending' }, { _id: 1 }).lean(),
    row.resultFileId ? readResultJson(row) : EMPTY,
  ]);
  const frame: Omit<View, 'existingHazards' | 'newHazards' | 'findings' | 'analysisMetadata'> = {
    id: row._id,
    status: row.status,
    createdAt: row.createdAt.toISOString(),
    userAgentId: row.userAgentId,
    logFileName: row.logFileName,
    ticketsFileName: row.ticketsFileName,
    headline: row.headline,
    decisions: row.decisions,
    interruptId: asked?._id ?? null,
    matchesInterruptId: matches?._id ?? null,
    files: { newHazards: row.newHazardsFileName, merged: row.mergedFileName },
    conflicts: row.conflicts,
    readAs: row.readAs ? { ...row.readAs, by: row.readAs.by.name, at: new Date(row.readAs.at).toISOString() } : null,
  };
  return Buffer.concat([Buffer.from(`${JSON.stringify(frame).slice(0, -1)},`), result.subarray(1)]);
}
