import { dangerouslyRunInEveryAccount } from './context.ts';
import { isDeadOwner } from './processName.ts';
import type { WorkKind, WorkRow } from './workKind.ts';

/** Rows that are read at once. */
const BATCH = 200;
/** Batches that are read of one lane. */
const MAX_BATCHES = 5;

type Due<Row> = { row: Row; lane: number };

/**
 * Due rows, the most urgent lane first, the oldest first in each. Where a batch is full, the next one leaves its
 * accounts out: however much one account has, others' rows are found.
 * @returns the rows, and whether those were all
 */
export async function findDueFairly<Row extends WorkRow>({
  rows,
  open,
  lanes,
  order = { _id: 1 },
  due: isDue = (at) => ({ dueAt: { $lte: at } }),
}: WorkKind<Row>): Promise<{ due: Due<Row>[]; isAll: boolean }> {
  const now = new Date();
  const due: Due<Row>[] = [];
  let isAll = true;
  for (const [lane, filter] of lanes.entries()) {
    const seen = new Set<number>();
    for (let batches = 0; batches < MAX_BATCHES; batches += 1) {
      const others = seen.size > 0 ? { accountId: { $nin: [...seen] } } : {};
      const found = await dangerouslyRunInEveryAccount(() =>
        rows
          .find({ ...open, ...filter, ...others, ...isDue(now) })
          .sort(order)
          .limit(BATCH)
          .lean(),
      );
      due.push(...found.map((row) => ({ row, lane })));
      for (const { accountId } of found) seen.add(accountId);
      if (found.length < BATCH) break;
      isAll = false;
    }
  }
  return { due, isAll };
}

/** Makes the rows due whose lease's owner is a process of this host that has ended. @returns how many */
export function freeFromDeadOwners<Row extends WorkRow>({ rows, open, lanes }: WorkKind<Row>): Promise<number> {
  return dangerouslyRunInEveryAccount(async () => {
    let count = 0;
    for (const lane of lanes) {
      const owners = (await rows.distinct('lease.owner', {
        ...open,
        ...lane,
        lease: { $ne: null },
      } as never)) as unknown[];
      for (const owner of owners) {
        if (typeof owner !== 'string' || !isDeadOwner(owner)) continue;
        const freed = await rows.updateMany(
          { ...open, ...lane, 'lease.owner': owner } as never,
          { $set: { dueAt: new Date(), lease: null } } as never,
        );
        count += freed.modifiedCount;
      }
    }
    return count;
  });
}
