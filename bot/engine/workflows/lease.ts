import type { Types } from 'mongoose';
import { runInBackground } from '../../../models/background.ts';
import { env } from '../../../models/env.ts';
import { logger } from '../../../models/logger.ts';
import { Run, type RunRow } from '../../../models/run.ts';
import { dangerouslyRunInEveryAccount } from '../../../models/store/context.ts';
import { processName } from '../../../models/store/processName.ts';

const LEASE_MS = 15_000 * env.PATIENCE_FACTOR;
const RENEW_MS = LEASE_MS / 3;

export const newLease = (owner = processName) => ({ owner, until: new Date(Date.now() + LEASE_MS) });

/** Manages the leases of the runs that a process executes. */
export function keepLeases(owner: string) {
  /** Who holds a run, and the controller that aborts it, by run id. */
  const active = new Map<string, { holder: object | undefined; controller: AbortController }>();
  let renewing = false;

  async function renewLeases(): Promise<void> {
    if (active.size === 0) return;
    try {
      await dangerouslyRunInEveryAccount(async () => {
        const ids = [...active.keys()];
        await Run.updateMany({ _id: { $in: ids }, 'lease.owner': owner }, { $set: { lease: newLease(owner) } });
        const cancelled = await Run.find({ _id: { $in: ids }, cancelRequested: true }, { _id: 1 }).lean();
        for (const { _id } of cancelled) abortHere(_id);
      });
    } catch (error) {
      logger.warn({ err: error }, 'leases could not be renewed');
    }
  }

  /**
   * Registers a run as executing here; its lease is renewed until its holder releases it. A later holder takes it over:
   * a run may be answered and go on while the execution that asked still delivers its question.
   */
  function holdRun(runId: Types.ObjectId, holder?: object): AbortController {
    const controller = new AbortController();
    active.set(String(runId), { holder, controller });
    if (!renewing) {
      renewing = true;
      setInterval(() => runInBackground('renewal of leases', renewLeases()), RENEW_MS).unref();
    }
    return controller;
  }

  /** @returns false where somebody else holds the run by now; it then stays held */
  function releaseRun(runId: Types.ObjectId, holder?: object): boolean {
    if (active.get(String(runId))?.holder !== holder) return false;
    return active.delete(String(runId));
  }

  /**
   * Aborts a run in this process.
   * @returns false where it does not execute here
   */
  function abortHere(runId: Types.ObjectId | string): boolean {
    const held = active.get(String(runId));
    held?.controller.abort();
    return held !== undefined;
  }

  const isActiveHere = (runId: Types.ObjectId | string) => active.has(String(runId));
  return { holdRun, releaseRun, abortHere, isActiveHere };
}
export const { holdRun, releaseRun, abortHere, isActiveHere } = keepLeases(processName);

/**
 * Claims a ready run without a valid lease.
 * @returns null where another process claimed it first
 */
export async function takeRun(runId: Types.ObjectId): Promise<RunRow | null> {
  return Run.findOneAndUpdate(
    { _id: runId, status: 'ready', $or: [{ lease: null }, { 'lease.until': { $lte: new Date() } }] },
    { $set: { lease: newLease() }, $inc: { version: 1, attempts: 1 } },
    { returnDocument: 'after' },
  ).lean();
}
