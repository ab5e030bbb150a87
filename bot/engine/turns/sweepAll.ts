import { logger } from '../../../models/logger.ts';
import { type Swept, startSweepTimers } from '../../../models/store/dueTimers.ts';
import { exports, sweepExports } from '../accounts/companyExports.ts';
import { sweepChannels } from '../delivery/channel.ts';
import { deliveries } from '../delivery/outbox.ts';
import { sweepDeliveries } from '../delivery/sweepDeliveries.ts';
import { sweepSyncs, syncs } from '../documents/syncDocuments.ts';
import { handovers, sweepHandovers } from '../handover/handover.ts';
import { consequences, sweepConsequences } from '../interrupts/applyConsequences.ts';
import { sweepRuns, sweepWaiting } from '../workflows/sweepRuns.ts';
import { sweepTurns } from './sweepTurns.ts';
import { turns } from './turnWork.ts';

/** Resumes everything that a crash interrupted or whose retry is due. A part that fails does not stop the others. */
export async function sweepAll(): Promise<void> {
  const parts: [name: Swept | 'waiting runs' | 'channels' | 'dead owners', sweep: () => Promise<unknown>][] = [
    [
      'dead owners',
      () =>
        Promise.all(
          [turns, consequences, deliveries, syncs, exports, handovers].map((kind) => kind.freeFromDeadOwners()),
        ),
    ],
    ['handovers', sweepHandovers],
    ['consequences', sweepConsequences],
    ['runs', sweepRuns],
    ['waiting runs', sweepWaiting],
    ['turns', sweepTurns],
    ['deliveries', sweepDeliveries],
    ['channels', sweepChannels],
    ['exports', sweepExports],
  ];
  for (const [name, sweep] of parts) {
    await sweep().catch((error: unknown) => logger.error({ err: error, sweep: name }, 'sweep failed; it is retried'));
  }
}

/**
 * Runs retries at their time instead of at the next regular sweep.
 * @returns a function that stops it
 */
export const startRetryTimers = (): (() => void) =>
  startSweepTimers({
    consequences: sweepConsequences,
    runs: sweepRuns,
    turns: sweepTurns,
    deliveries: sweepDeliveries,
    syncs: sweepSyncs,
    exports: sweepExports,
    handovers: sweepHandovers,
  });
