import { sweepDeliveries } from '../bot/engine/delivery/sweepDeliveries.ts';
import { sweepConsequences } from '../bot/engine/interrupts/applyConsequences.ts';
import { sweepTurns } from '../bot/engine/turns/processTurn.ts';
import { sweepRuns } from '../bot/engine/workflows/sweepRuns.ts';
import type { Job } from './job.ts';

/** The net under everything that is kicked at once: what a crash left is taken up here. */
export const sweepWork: Job = {
  name: 'sweepWork',
  every: '15 seconds',
  async run() {
    await sweepConsequences();
    await sweepRuns();
    await sweepTurns();
    await sweepDeliveries();
  },
};
