import type { Types } from 'mongoose';
import { runInBackground } from '../../../models/background.ts';
import { logger } from '../../../models/logger.ts';
import { dangerouslyRunInEveryAccount } from '../../../models/store/context.ts';
import { Turn } from '../../../models/turn.ts';

const BATCH_MS = 250;
let waiting: Types.ObjectId[] = [];
let timer: NodeJS.Timeout | undefined;

/**
 * Marks a turn as done because a run handles it. Marks are batched for 250 ms; if a crash loses them, the sweeper finds
 * the run and marks the turn again.
 */
export function finishTurn(turnId: Types.ObjectId): void {
  waiting.push(turnId);
  timer ??= setTimeout(() => runInBackground('noting turns', writeFinished()), BATCH_MS).unref();
}

/** Writes the pending marks; also called before the process ends. */
export async function writeFinished(): Promise<void> {
  clearTimeout(timer);
  timer = undefined;
  const turns = waiting;
  waiting = [];
  if (turns.length === 0) return;
  await dangerouslyRunInEveryAccount(() =>
    Turn.updateMany({ _id: { $in: turns } }, { $set: { status: 'done' } }),
  ).catch((error: unknown) => logger.warn({ err: error }, 'turns could not be marked as done; the sweeper does it'));
}
