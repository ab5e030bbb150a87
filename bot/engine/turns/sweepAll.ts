import { logger } from '../../../models/logger.ts';
import { sweepChannels } from '../delivery/channel.ts';
import { type Swept, startDueTimers } from '../delivery/dueTimers.ts';
import { sweepDeliveries } from '../delivery/sweepDeliveries.ts';
import { sweepConsequences } from '../interrupts/applyConsequences.ts';
import { sweepRuns, sweepWaiting } from '../workflows/sweepRuns.ts';
import { sweepTurns } from './processTurn.ts';

/**
 * The net under everything that is kicked at once: what a crash left is taken up here. Each part is caught by itself:
 * one that fails keeps neither the others nor the start of the process from going on.
 * @param turnsOlderThan milliseconds; 0 at the start, when nothing is on its way yet
 */
export async function sweepAll(turnsOlderThan?: number): Promise<void> {
  const parts: [name: Swept | 'waiting runs' | 'channels', sweep: () => Promise<unknown>][] = [
    ['consequences', sweepConsequences],
    ['runs', sweepRuns],
    ['waiting runs', sweepWaiting],
    ['turns', () => sweepTurns(turnsOlderThan)],
    ['deliveries', sweepDeliveries],
    ['channels', sweepChannels],
  ];
  for (const [name, sweep] of parts) {
    await sweep().catch((error: unknown) =>
      logger.error({ err: error, sweep: name }, 'sweep failed; it is tried again'),
    );
  }
}

/** Tries what is put off at its own time, rather than at the next regular sweep. @returns how to stop */
export const sweepWhenDue = (): (() => void) =>
  startDueTimers({
    consequences: sweepConsequences,
    runs: sweepRuns,
    turns: sweepTurns,
    deliveries: sweepDeliveries,
  });
