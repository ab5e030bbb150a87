import type { ReadLog } from '../reading/logModel.ts';
import { readLog } from '../reading/readLog.ts';
import type { MergeInput, MergeOutput } from '../worker/jobs.ts';
import { changeLogRows, readRecorded } from './changeLog.ts';
import { layOut, type MergedFile, placeAdditions, recordable } from './layOut.ts';
import { firstFreeRow, HAZARD_LOG, placeAnew, writeNewWorkbook } from './newWorkbook.ts';
import { patchPackage } from './patchPackage.ts';
import { planMerge } from './plan.ts';
import { planAdditions } from './planAdditions.ts';
import type { MergePlan } from './settled.ts';

/** "log.xls" becomes "log-merged.xlsx"; a workbook with macros stays .xlsm. */
function mergedFileName(fileName: string, format: string): string {
  const base = fileName.replace(/\.[A-Za-z0-9]{1,8}$/, '').replace(/-merged(?:-\d+)?$/, '');
  return `${base}-merged.${format === 'xlsm' ? 'xlsm' : 'xlsx'}`;
}

/**
 * Writes accepted proposals into the log and reports conflicts with changes since the analysis. An Excel workbook is
 * patched: rows and a Change log are added, and unaffected parts stay byte-identical. For any other format a new
 * workbook is written. The result is compared with the log cell by cell. Deterministic: the same input gives the same
 * bytes.
 * @throws HazardFileError
 */
export async function mergeLog(input: MergeInput): Promise<MergeOutput> {
  const { bytes, fileName } = input.log;
  const log = await readLog(bytes, fileName, input.result.analysisMetadata.log.settled);
  const plan = planMerge(log, input, readRecorded(log.grids));
  const isPatched = !log.isPutTogether && (log.shape.format === 'xlsx' || log.shape.format === 'xlsm');
  const output = isPatched ? patchPackage(log, input, plan) : await writeAnew(log, input, plan);
  return {
    statusWritten: output.statusAllowed ? 'column' : 'change-log',
    bytes: output.bytes,
    fileName: mergedFileName(fileName, log.shape.format),
    conflicts: [...plan.conflicts, ...output.conflicts],
    changes: output.changes,
    hazardRows: output.written.reduce((sum, { rows }) => sum + rows.length, 0),
    merged: [
      ...output.written.map(({ hazard, firstRow }) => ({
        id: hazard.proposal.id,
        hazardId: hazard.hazardId,
        sheet: isPatched ? log.shape.sheet : HAZARD_LOG,
        row: firstRow,
        as: 'hazard' as const,
        count: 1,
      })),
      ...output.added.map(({ addition: { proposal, hazard, addition, cells, count }, row }) => ({
        id: proposal.id,
        hazardId: hazard.id,
        sheet: isPatched ? (cells[0]?.sheet ?? log.shape.sheet) : HAZARD_LOG,
        row,
        as: addition.as,
        count,
      })),
    ],
  };
}

async function writeAnew(log: ReadLog, input: MergeInput, plan: MergePlan): Promise<MergedFile> {
  const statusAllowed = log.has('status');
  const next = firstFreeRow(log);
  const written = layOut(log, plan.hazards, statusAllowed, next);
  const planned = planAdditions(log, plan.additions, statusAllowed);
  const additions = placeAnew(log, planned.additions);
  const hazardRows = written.flatMap((entry) => entry.rows);
  const added = placeAdditions(additions, next + hazardRows.length);
  const rows = [...hazardRows, ...additions.flatMap((entry) => entry.rows)];
  const decisions = changeLogRows(recordable(written, added, plan), input, statusAllowed);
  const made = await writeNewWorkbook(log, rows, decisions, additions);
  return { written, added, conflicts: planned.conflicts, statusAllowed, ...made };
}
