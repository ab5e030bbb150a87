import { FindingLife } from '../../../../models/clinical_safety/findingLife.ts';
import { HazardAnalysis, type HazardAnalysisRow } from '../../../../models/clinical_safety/hazardAnalysis.ts';
import { changing } from '../../../../models/store/revisions.ts';
import { type Compared, followFindings } from '../comparison/compareResults.ts';
import { readKept } from '../comparison/findEarlier.ts';

/** How a finding of an analysis is named in `FindingLifeRow.seenAs`. */
export const seenAs = (analysisId: number, findingId: string): string => `${analysisId} ${findingId}`;

/**
 * Continues what was decided on the findings of an analysis in the next one of the same log. Repeating it changes
 * nothing. Whoever makes the next analysis calls it once that is stored, and whoever decides on a finding calls
 * {@link carryOn} after that is stored: of two at once, one sees the other.
 */
export async function carryLives(accountId: number, earlier: Compared, later: Compared): Promise<void> {
  const [from, to] = [earlier.row._id, later.row._id];
  const rows = await FindingLife.find({ accountId, analyses: from }).lean();
  const waiting = rows.filter(({ analyses }) => !analyses.includes(to));
  if (waiting.length === 0) return;
  const { continued } = await followFindings(earlier, later);
  await changing(accountId, ['analysis'], async () => {
    for (const { _id, seenAs: names } of waiting) {
      const own = new Set(names);
      const next = continued
        .filter(({ before }) => own.has(seenAs(from, before)))
        .map(({ after }) => seenAs(to, after));
      // A finding has one life: where two meet in one finding, it keeps the first.
      const taken = await FindingLife.find({ accountId, seenAs: { $in: next } }, { seenAs: 1 }).lean();
      const free = next.filter((name) => !taken.some((other) => other.seenAs.includes(name)));
      await FindingLife.updateOne(
        { _id, accountId },
        { $addToSet: { analyses: to, ...(free.length > 0 ? { seenAs: { $each: free } } : {}) } },
      );
    }
  });
}

/** Continues what was decided in every later analysis of the same log. */
export async function carryOn(row: HazardAnalysisRow): Promise<void> {
  const { accountId } = row;
  const next = await HazardAnalysis.findOne({ accountId, earlierId: row._id, resultFileId: { $ne: null } }).lean();
  if (!next) return;
  const [earlier, later] = [await readKept(row), await readKept(next)];
  if (!earlier || !later) return;
  await carryLives(accountId, { row, result: earlier }, { row: next, result: later });
  await carryOn(next);
}
