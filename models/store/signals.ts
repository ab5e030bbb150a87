import { Types } from 'mongoose';
import type { Topic } from '../contracts/realtime.ts';
import { logger } from '../logger.ts';
import { entity } from './entity.ts';
import { announce, changes } from './revisions.ts';

type SignalRow = { _id: Types.ObjectId; from: string; accountId: number; topics: Topic[]; at: Date };

const Signal = entity<SignalRow>({
  name: 'Signal',
  collection: 'signals',
  scope: 'system',
  fields: { _id: 'ObjectId', from: String, accountId: Number, topics: [String], at: Date },
  indexes: [[{ at: 1 }, { expireAfterSeconds: 60 }]],
});

const POLL_MILLISECONDS = 500;

/**
 * Writes what this process changes, so that the others hear of it. Not needed where no other process serves people.
 * @param from a name for this process
 * @returns how to stop, once everything is written
 */
export function tellSignals(from: string): () => Promise<void> {
  const written = new Set<Promise<unknown>>();
  const tell = (accountId: number, topics: Topic[], own: boolean) => {
    if (!own) return;
    const one = Signal.collection
      .insertOne({ _id: new Types.ObjectId(), from, accountId, topics, at: new Date() } as never)
      .catch((error: unknown) => logger.warn({ err: error }, 'signal not written'))
      .finally(() => written.delete(one));
    written.add(one);
  };
  changes.on('changed', tell);
  return async () => {
    changes.off('changed', tell);
    await Promise.all(written);
  };
}

/**
 * Reads twice a second what other processes changed: servers that share one MongoDB, and commands.
 * @param from the name under which this process tells its own
 * @returns how to stop
 */
export function hearSignals(from: string): () => void {
  let last = new Types.ObjectId();
  let seen = new Set<string>();
  const timer = setInterval(async () => {
    try {
      // A little overlap: ids of two machines are in order only to the second.
      const since = Types.ObjectId.createFromTime(last.getTimestamp().getTime() / 1000 - 2);
      const rows = await Signal.find({ _id: { $gt: since }, from: { $ne: from } })
        .sort({ _id: 1 })
        .lean();
      for (const row of rows) if (!seen.has(String(row._id))) announce(row.accountId, row.topics, false);
      seen = new Set(rows.map((row) => String(row._id)));
      last = rows.at(-1)?._id ?? last;
    } catch (error) {
      logger.warn({ err: error }, 'signals not read');
    }
  }, POLL_MILLISECONDS).unref();
  return () => clearInterval(timer);
}
