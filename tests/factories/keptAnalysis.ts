import { Types } from 'mongoose';
import { keepResult } from '../../bot/agents/clinical_safety/results/results.ts';
import { HazardAnalysis } from '../../models/clinical_safety/hazardAnalysis.ts';
import type { AnalysisResult } from '../../models/contracts/clinical_safety/hazards.ts';
import { runInAccount } from '../../models/store/context.ts';
import { makeResult } from './analysisResult.ts';
import { nextNumber } from './who.ts';

/** Keeps a complete analysis of an account. @returns its id */
export async function keepAnalysis(accountId: number, result: AnalysisResult = makeResult()): Promise<number> {
  const row = {
    _id: nextNumber(),
    accountId,
    userAgentId: 3,
    userId: null,
    runId: new Types.ObjectId(),
    status: 'complete',
    logFileId: new Types.ObjectId(),
    logFileName: 'log.xlsx',
  };
  await runInAccount(accountId, async () => {
    const kept = await keepResult(accountId, row.runId, result);
    await HazardAnalysis.create({ ...row, ...kept } as never);
  });
  return row._id;
}
