import type { Types } from 'mongoose';
import { runInBackground } from '../../../models/background.ts';
import { logger } from '../../../models/logger.ts';
import { dangerouslyRunInEveryAccount } from '../../../models/store/context.ts';
import { Turn } from '../../../models/turn.ts';

const TOGETHER_MILLISECONDS = 250;
let waiting: Types.ObjectId[] = [];
let timer: NodeJS.Timeout | undefined;

/**
 * Notes that a run carries a turn on. The notes of a quarter of a second are written in one go: should they be lost in
 * a crash, the sweeper sees the turn's run and notes it again.
 */
export function finishTurn(turnId: Types.ObjectId): void {
  waiting.push(turnId);
  timer ??= setTimeout(() => runInBackground('noting turns', writeFinished()), TOGETHER_MILLISECONDS).unref();
}

/** Writes what is noted so far; for the end of the process too. */
export async function writeFinished(): Promise<void> {
  clearTimeout(timer);
  timer = undefined;
  const turns = waiting;
  waiting = [];
  if (turns.length === 0) return;
  await dangerouslyRunInEveryAccount(() =>
    Turn.updateMany({ _id: { $in: turns } }, { $set: { status: 'done' } }),
  ).catch((error: unknown) => logger.warn({ err: error }, 'turns are left to the sweeper to be noted'));
}
