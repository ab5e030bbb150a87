import { type Doc, doc } from './bson/value.ts';
import type { IndexSpec } from './catalogue/spec.ts';
import type { Store } from './commands/context.ts';
import { mayWrite, runStatement } from './commands/statement.ts';
import { compileFilter } from './filter/compile.ts';
import { Turn } from './turn.ts';

/** Documents removed in one transaction. */
const BATCH = 500;

const expired = ({ fields, expireAfterSeconds }: IndexSpec, now: number): Doc =>
  doc({ [fields[0]!.name]: { $lte: new Date(now - expireAfterSeconds! * 1000), $type: 'date' } });

/** Removes documents that a TTL index has expired. Resolves with their number once none is left. */
export async function expireDocuments(store: Store, now = Date.now()): Promise<number> {
  let removed = 0;
  const failures: unknown[] = [];
  const all = store.catalogue
    .list()
    .flatMap((collection) => collection.indexes.map((index) => ({ collection, index })));
  for (const { collection, index } of all.filter((item) => item.index.expireAfterSeconds !== undefined)) {
    const { ns } = collection;
    const filter = expired(index, now);
    const statement = { ns, query: { filter, condition: compileFilter(filter), limit: BATCH } };
    const isDue = () => store.catalogue.find(ns) === collection && mayWrite(store, statement, new Turn());
    try {
      for (let n = 1; n > 0 && isDue(); removed += n) n = await store.queue.run(() => runStatement(store, statement).n);
    } catch (error) {
      // A damaged collection must not keep others from expiring.
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return removed;
}
