import { doc, isDoc } from '../../bson/value.ts';
import { fail } from '../../errors.ts';
import type { StageMaker } from '../stage.ts';

/** Stages that begin a pipeline with facts about the collection, or with given documents. */
export const FACTS: Record<string, StageMaker> = {
  $collStats: (_operand, { store, ns }) => {
    const { count, indexes } = store.catalogue.find(ns) ?? fail('NamespaceNotFound', `Collection [${ns}] not found.`);
    return () => [
      doc({ ns, localTime: new Date(), storageStats: { size: 0, count, nindexes: indexes.length }, count }),
    ];
  },
  $indexStats:
    (_operand, { store, ns }) =>
    () =>
      (store.catalogue.find(ns)?.indexes ?? []).map(({ name, document }) =>
        doc({ name, key: document.get('key'), accesses: { ops: 0n, since: store.started }, spec: document }),
      ),
  $documents: (operand) => {
    if (!Array.isArray(operand) || !operand.every(isDoc)) fail(5858203, '$documents needs an array of documents');
    return () => operand;
  },
};
