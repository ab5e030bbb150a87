import type { Doc, Value } from './bson/value.ts';
import type { Collection } from './catalogue/collection.ts';
import type { IndexSpec } from './catalogue/spec.ts';
import type { Store } from './commands/context.ts';
import { mayWrite, runStatement } from './commands/statement.ts';
import { compileFilter } from './filter/compile.ts';

/** Documents removed in one transaction. */
const BATCH = 500;

function expired(index: IndexSpec, now: number): Doc {
  const before = new Date(now - index.expireAfterSeconds! * 1000);
  const range: Doc = new Map<string, Value>([
    ['$lte', before],
    ['$type', 'date'],
  ]);
  return new Map([[index.fields[0]!.name, range]]);
}

/** Removes what has outlived a TTL index; resolves when nothing more is due. */
export async function expireDocuments(store: Store, now = Date.now()): Promise<number> {
  let removed = 0;
  const due: { collection: Collection; index: IndexSpec }[] = [];
  for (const collection of store.catalogue.all()) {
    for (const index of collection.indexes) if (index.expireAfterSeconds !== undefined) due.push({ collection, index });
  }
  for (const { collection, index } of due) {
    const filter = expired(index, now);
    const query = { filter, condition: compileFilter(filter), limit: BATCH };
    for (;;) {
      const { ns } = collection;
      if (store.catalogue.find(ns) !== collection || !mayWrite(store, ns, { query })) break;
      const n = await store.queue.run(() => runStatement(store, ns, { query }).n);
      removed += n;
      if (n < BATCH) break;
    }
  }
  return removed;
}
