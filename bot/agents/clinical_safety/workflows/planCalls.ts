import type { HazardAnalysisRow } from '../../../../models/clinical_safety/hazardAnalysis.ts';
import type { TicketVerdict } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { AppError } from '../../../../models/contracts/errors.ts';
import { findFile, readFileBytes } from '../../../../models/files.ts';
import { readBalance, readReserved, reserveCredits } from '../../../engine/credits/credits.ts';
import { chargeOf } from '../../../engine/workflows/startRun.ts';
import type { StepContext } from '../../../engine/workflows/workflow.ts';
import { withFileErrors } from '../files/fileErrors.ts';
import type { TicketRecord } from '../worker/jobs.ts';
import { readTicketTexts } from '../worker/pool.ts';
import type { AnalysisState } from './analysisState.ts';

type Context = StepContext<AnalysisState>;

/** The whole texts of these tickets, from the file of the analysis. */
export async function readTexts(
  { run, signal }: Context,
  { ticketsFileId }: HazardAnalysisRow,
  tickets: readonly TicketVerdict[],
): Promise<TicketRecord[]> {
  if (!ticketsFileId || tickets.length === 0) return [];
  const file = await findFile({ _id: ticketsFileId });
  return withFileErrors(
    readTicketTexts(
      {
        tickets: {
          bytes: new Uint8Array(await readFileBytes(file)),
          fileName: file.originalName,
          digest: file.digest,
        },
        keys: tickets.map(({ key }) => key),
      },
      { accountId: run.accountId, signal },
    ),
  );
}

/** The first calls whose estimates together are at most `most` credits. */
export function affordable<Batch>(
  batches: readonly Batch[],
  most: number,
  estimateTokens: (batch: Batch) => number,
): { batches: Batch[]; estimate: number } {
  let estimate = 0;
  const first = batches.findIndex((batch) => {
    const next = estimate + estimateTokens(batch);
    if (next > most) return true;
    estimate = next;
    return false;
  });
  return { batches: batches.slice(0, first === -1 ? batches.length : first), estimate };
}

type Plan<Batch> = {
  /** The purpose of the reservation in the ledger's key. */
  purpose: string;
  /** What the reservation is for, in the ledger. */
  title: string;
  estimateTokens: (batch: Batch) => number;
  /** The most tokens of one analysis. */
  mostTokens: number;
};

/**
 * The first calls that the limit and the company's credits cover, with their estimate, which is reserved.
 * @returns no calls where nothing is affordable, or others have used the credits since
 */
export async function planCalls<Batch>(
  { run }: Context,
  all: readonly Batch[],
  { purpose, title, estimateTokens, mostTokens }: Plan<Batch>,
): Promise<{ batches: Batch[]; estimate: number }> {
  const { tokensRemaining } = await readBalance(run.accountId);
  const charge = await chargeOf(run);
  // Where the process died after it had reserved, the same calls are planned again.
  const again = await readReserved(charge, purpose);
  const { batches, estimate } = affordable(all, Math.min(mostTokens, tokensRemaining + again), estimateTokens);
  if (batches.length === 0) return { batches: [], estimate: 0 };
  try {
    await reserveCredits(charge, estimate, title, purpose);
    return { batches, estimate };
  } catch (error) {
    if (error instanceof AppError && ['out_of_credit', 'over_budget'].includes(error.code))
      return { batches: [], estimate: 0 };
    throw error;
  }
}
