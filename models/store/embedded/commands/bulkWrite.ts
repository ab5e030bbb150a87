import { readDoc } from '../bson/read.ts';
import { type Doc, doc, isDoc, truthy, type Value } from '../bson/value.ts';
import { writeDoc } from '../bson/write.ts';
import { checkNamespace } from '../catalogue/catalogue.ts';
import { prepare } from '../catalogue/collection.ts';
import { CommandError, fail } from '../errors.ts';
import { iterableStream } from './aggregate.ts';
import type { Handler, Store } from './context.ts';
import { batchSize } from './cursors.ts';
import { deleteStatement, runDelete, runUpdate, updateStatement } from './write.ts';

type Totals = {
  nErrors: number;
  nInserted: number;
  nMatched: number;
  nModified: number;
  nUpserted: number;
  nDeleted: number;
};

/** One operation of a bulkWrite, by its first field; each adds to the totals and gives its part of the reply. */
const OPERATIONS: Record<string, (op: Doc, ns: string, store: Store, totals: Totals) => Doc> = {
  insert(op, ns, store, totals) {
    const document = op.get('document');
    if (!isDoc(document))
      fail('TypeMismatch', "BSON field 'bulkWrite.ops.document' is the wrong type, expected type 'object'");
    store.catalogue.records.insert(store.catalogue.ensure(ns), prepare(writeDoc(document)));
    totals.nInserted++;
    return doc({ n: 1 });
  },
  update(op, ns, store, totals) {
    const statement = updateStatement(
      new Map([...op, ['q', op.get('filter')], ['u', op.get('updateMods')], ['c', op.get('constants')]]),
    );
    const result = runUpdate(store, ns, statement);
    totals.nMatched += result.matched;
    totals.nModified += result.modified;
    if (result.upserted === undefined) return doc({ n: result.matched, nModified: result.modified });
    totals.nUpserted++;
    return doc({ n: 1, nModified: 0, upserted: doc({ _id: result.upserted }) });
  },
  delete(op, ns, store, totals) {
    const statement = deleteStatement(
      new Map<string, Value>([...op, ['q', op.get('filter')], ['limit', truthy(op.get('multi')) ? 0 : 1]]),
    );
    const { n } = runDelete(store, ns, statement.query);
    totals.nDeleted += n;
    return doc({ n });
  },
};

const bulkWrite: Handler = (request, store) => {
  const ops = request.documents('ops');
  const namespaces = request.documents('nsInfo').map((item) => {
    const ns = String(item.get('ns'));
    checkNamespace(ns);
    return ns;
  });
  if (ops.length === 0) fail('InvalidOptions', 'May not specify an empty array for ops');
  const ordered = request.body.get('ordered') !== false;
  const errorsOnly = truthy(request.body.get('errorsOnly'));
  return store.queue.run(() => {
    const totals: Totals = { nErrors: 0, nInserted: 0, nMatched: 0, nModified: 0, nUpserted: 0, nDeleted: 0 };
    const results: Doc[] = [];
    for (const [idx, op] of ops.entries()) {
      try {
        const [kind, at] = op.entries().next().value ?? ['', 0];
        const operation = OPERATIONS[kind];
        const ns = namespaces[Number(at)];
        if (!operation || !ns) fail('BadValue', `Unrecognized bulkWrite operation '${kind}'`);
        const part = operation(op, ns, store, totals);
        if (!errorsOnly) results.push(new Map([...doc({ ok: 1, idx }), ...part]));
      } catch (error) {
        if (!(error instanceof CommandError)) throw error;
        totals.nErrors++;
        results.push(doc({ ok: 0, idx, code: error.code, errmsg: error.message, n: 0, ...error.extra }));
        if (ordered) break;
      }
    }
    const cursor = request.body.get('cursor');
    const size = batchSize(isDoc(cursor) ? cursor.get('batchSize') : undefined);
    const reply = readDoc(
      store.cursors.first('admin.$cmd.bulkWrite', iterableStream(results), size ?? Number.POSITIVE_INFINITY),
      21,
    );
    return new Map([...reply, ...doc({ ...totals })]);
  });
};

export const BULK_WRITE: Record<string, Handler> = { bulkWrite };
