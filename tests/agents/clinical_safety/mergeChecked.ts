import { expect } from '@jest/globals';
import { mergeLog } from '../../../bot/agents/clinical_safety/merge/mergeLog.ts';
import type { MergeInput, MergeOutput } from '../../../bot/agents/clinical_safety/worker/jobs.ts';
import { faultsAdded } from '../../workbooks/checkWorkbook.ts';

/** Every file that the tests of this process have merged. */
export const mergedFiles: { name: string; bytes: Uint8Array; merged: MergeOutput['merged'] }[] = [];

/** Merges, and checks the whole workbook as a strict reader would: it has no fault that the log did not have. */
export async function mergeChecked(input: MergeInput): Promise<MergeOutput> {
  const output = await mergeLog(input);
  expect(faultsAdded(input.log.bytes, output.bytes)).toEqual([]);
  mergedFiles.push({ name: output.fileName, bytes: output.bytes, merged: output.merged });
  return output;
}
