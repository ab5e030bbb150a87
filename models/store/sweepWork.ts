import { LIMITS } from '../contracts/limits.ts';
import { logger } from '../logger.ts';
import { carriesOn, wakeWorkers } from './carriesOn.ts';
import { runInAccount } from './context.ts';
import { scheduleSweep } from './dueTimers.ts';
import { makeFairQueue } from './fairQueue.ts';
import { findDueFairly } from './findDue.ts';
import type { WorkHandlers, WorkKind, WorkRow } from './workKind.ts';

/** How long a sweep waits for work that may take minutes. */
const LONG_SWEEP_MS = 2000;
/** The error of a row that ended the process on every attempt. */
const ENDED_THE_PROCESS = 'ended the process each time';

/** Resolves with the work, or without it after its time. */
function inTime(work: Promise<unknown>): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise((resolve) => {
    timer = setTimeout(resolve, LONG_SWEEP_MS);
  });
  return Promise.race([work, over]).finally(() => clearTimeout(timer));
}

/** What a sweep needs of its kind of work. */
type Sweeping<Row extends WorkRow> = {
  kind: WorkKind<Row>;
  /** Claims a row and counts that; null where somebody else has it. */
  claim(row: Row): Promise<Row | null>;
  letGo(row: Row): void;
  giveUp(row: Row, error: string): Promise<unknown>;
};

/**
 * Makes the sweep of one kind of work: it claims every row that is due, fair between accounts, and works on it. It does
 * not wait for work that may take long.
 * @returns a function that sweeps once and resolves with the number of claimed rows
 */
export function makeSweep<Row extends WorkRow>({ kind, claim, letGo, giveUp }: Sweeping<Row>) {
  const { name } = kind;
  const enqueue = makeFairQueue(kind.atOnce);
  const startsOf = kind.startsOf ?? (({ begun = 0 }: Row) => begun);

  /** Gives up a row that ended the process on every attempt. */
  async function setAside(row: Row, handlers: WorkHandlers<Row>): Promise<void> {
    logger.error(
      { work: name, row: String(row._id), account: row.accountId },
      'work given up: it ended the process on every attempt',
    );
    if ('setAsidePart' in handlers) return handlers.setAsidePart({ ...row, error: ENDED_THE_PROCESS });
    // Before the row is marked: after a crash in between it is told again, once by its key, rather than never.
    await handlers.tellSetAside(row);
    await giveUp(row, ENDED_THE_PROCESS);
    letGo(row);
  }

  /** Works on a claimed row. */
  async function carryOn(row: Row, handlers: WorkHandlers<Row>): Promise<void> {
    try {
      // The attempt made when it was written counts too.
      if (startsOf(row) < LIMITS.crashes) await handlers.handle(row);
      else await setAside(row, handlers);
    } catch (error) {
      letGo(row);
      logger.error({ err: error, work: name, row: String(row._id) }, 'work has no outcome and is tried again');
    }
  }

  return async (handlers: WorkHandlers<Row>): Promise<number> => {
    if (!carriesOn) {
      wakeWorkers(name);
      return 0;
    }
    const { due, isAll } = await findDueFairly<Row>(kind);
    let claimed = 0;
    const one = (row: Row) =>
      runInAccount(row.accountId, async () => {
        const mine = await claim(row);
        if (!mine) return;
        claimed += 1;
        await carryOn(mine, handlers);
      }).catch((error: unknown) =>
        logger.error({ err: error, work: name, row: String(row._id) }, 'work could not be claimed'),
      );
    const all = Promise.all(
      due.map(({ row, lane }) =>
        enqueue({
          key: String(row._id),
          accountId: row.accountId,
          lane,
          group: kind.groupOf(row),
          // It may have been what ended the process.
          isAlone: startsOf(row) > 0,
          run: () => one(row),
        }),
      ),
    );
    await (kind.isLong ? inTime(all) : all);
    if (!isAll && claimed > 0) scheduleSweep(name, new Date());
    return claimed;
  };
}
