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
 * Carries news between processes that share one MongoDB: each writes what it changed, and reads what the others did
 * twice a second. Not needed where one process does everything.
 * @param from a name for this process
 * @returns how to stop
 */
export function shareSignals(from: string): () => void {
  let last = new Types.ObjectId();
  const tell = (accountId: number, topics: Topic[], own: boolean) => {
    if (!own) return;
    Signal.collection
      .insertOne({ _id: new Types.ObjectId(), from, accountId, topics, at: new Date() } as never)
      .catch((error: unknown) => logger.warn({ err: error }, 'signal not written'));
  };
  changes.on('changed', tell);
  const timer = setInterval(async () => {
    try {
      // A little overlap: ids of two machines are in order only to the second.
      const since = Types.ObjectId.createFromTime(Math.floor(last.getTimestamp().getTime() / 1000) - 2);
      const rows = await Signal.find({ _id: { $gt: since }, from: { $ne: from } })
        .sort({ _id: 1 })
        .limit(1000)
        .lean();
      for (const row of rows) if (!seen.has(String(row._id))) announce(row.accountId, row.topics, false);
      seen = new Set(rows.map((row) => String(row._id)));
      last = rows.at(-1)?._id ?? last;
    } catch (error) {
      logger.warn({ err: error }, 'signals not read');
    }
  }, POLL_MILLISECONDS).unref();
  let seen = new Set<string>();
  return () => {
    clearInterval(timer);
    changes.off('changed', tell);
  };
}
