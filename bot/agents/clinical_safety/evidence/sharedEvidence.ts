import { AppError } from '../../../../models/contracts/errors.ts';
import type { SharedResults } from '../../../engine/agents/agent.ts';
import { requireAnalysis } from '../results/findAnalysis.ts';
import { evidenceJson, makeEvidence } from './makeEvidence.ts';

/** Links show the evidence pack of one analysis. */
export const sharedEvidence: SharedResults = {
  async require(accountId, resultId) {
    const { resultFileId } = await requireAnalysis(accountId, resultId);
    if (!resultFileId) throw new AppError('no_result');
  },
  async read(accountId, resultId) {
    const made = await makeEvidence(await requireAnalysis(accountId, resultId));
    return { json: evidenceJson(made), digest: made.seal.digest };
  },
};
