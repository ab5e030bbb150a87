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

const POLL_MS = 500;

/**
 * Publishes this process's changes to other processes. Only needed where another process serves people.
 * @param from a name for this process
 * @returns a function that stops it, once everything is written
 */
export function publishSignals(from: string): () => Promise<void> {
  const written = new Set<Promise<unknown>>();
  const publish = (accountId: number, topics: Topic[], own = true) => {
    if (!own) return;
    const one = Signal.collection
      .insertOne({ _id: new Types.ObjectId(), from, accountId, topics, at: new Date() } as never)
      .catch((error: unknown) => logger.warn({ err: error }, 'signal not written'))
      .finally(() => written.delete(one));
    written.add(one);
  };
  changes.on('changed', publish);
  changes.on('pushed', publish);
  return async () => {
    changes.off('changed', publish);
    changes.off('pushed', publish);
    await Promise.all(written);
  };
}

/**
 * Polls other processes' changes twice a second: servers that share one MongoDB, and commands.
 * @param from the name under which this process publishes; its own signals are skipped
 * @returns a function that stops it
 */
export function readSignals(from: string): () => void {
  let last = new Types.ObjectId();
  let seen = new Set<string>();
  const read = async () => {
    try {
      // Overlap of two seconds: ids of different machines are ordered to the second only.
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
  };
  // One after the other: of two reads at once, both would announce the same.
  let reading = Promise.resolve();
  let isNextDue = false;
  const readNext = () => {
    if (isNextDue) return reading;
    isNextDue = true;
    reading = reading.then(() => {
      isNextDue = false;
      return read();
    });
    return reading;
  };
  const timer = setInterval(readNext, POLL_MS).unref();
  return () => clearInterval(timer);
}
