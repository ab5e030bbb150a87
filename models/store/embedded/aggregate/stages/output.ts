import { equal } from '../../bson/compare.ts';
import { type Doc, isDoc, ObjectId, typeName, type Value } from '../../bson/value.ts';
import { writeDoc } from '../../bson/write.ts';
import { prepare } from '../../catalogue/collection.ts';
import { runStatement, updateStatement } from '../../commands/statement.ts';
import { fail } from '../../errors.ts';
import { getAt } from '../../update/locate.ts';
import type { StageContext } from '../stage.ts';

/** Writes the documents of a pipeline; runs inside a write transaction. */
export type Output = (docs: Doc[], context: StageContext) => void;

function target(spec: Value, context: StageContext, stage: string): string {
  if (typeof spec === 'string') return `${context.db}.${spec}`;
  if (isDoc(spec) && typeof spec.get('coll') === 'string')
    return `${String(spec.get('db') ?? context.db)}.${String(spec.get('coll'))}`;
  fail(16990, `${stage} only supports a string or object argument, but found ${typeName(spec)}`);
}

/** $out: the collection is replaced as a whole, keeping its indexes. */
function out(operand: Value, context: StageContext): Output {
  const ns = target(operand, context, '$out');
  return (docs) => {
    const { catalogue } = context.store;
    const old = catalogue.find(ns);
    const indexes = old?.indexes.slice(1).map((index) => index.document) ?? [];
    if (old) catalogue.drop(old);
    const fresh = catalogue.ensure(ns);
    for (const index of indexes) catalogue.createIndex(fresh, index);
    for (const doc of docs) catalogue.records.insert(fresh, prepare(writeDoc(doc)));
    context.store.sweep();
  };
}

const WHEN_MATCHED = ['replace', 'keepExisting', 'merge', 'fail'];
const WHEN_NOT_MATCHED = ['insert', 'discard', 'fail'];

function merge(operand: Value, context: StageContext): Output {
  const spec: Doc = isDoc(operand) ? operand : new Map([['into', operand]]);
  const ns = target(spec.get('into'), context, '$merge');
  const on = spec.get('on') ?? '_id';
  const fields = (Array.isArray(on) ? on : [on]) as string[];
  const matched = spec.get('whenMatched') ?? 'merge';
  const missing = spec.get('whenNotMatched') ?? 'insert';
  if (!Array.isArray(matched) && !WHEN_MATCHED.includes(String(matched)))
    fail('BadValue', `Enumeration value '${String(matched)}' for field '$merge.whenMatched' is not a valid value.`);
  if (!WHEN_NOT_MATCHED.includes(String(missing)))
    fail('BadValue', `Enumeration value '${String(missing)}' for field '$merge.whenNotMatched' is not a valid value.`);
  const covers = (key: Value) => isDoc(key) && key.size === fields.length && fields.every((field) => key.has(field));
  const unique = context.store.catalogue
    .find(ns)
    ?.indexes.some((index) => index.unique && !index.partial && covers(index.document.get('key')));
  if (!unique && !equal([...fields], ['_id']))
    fail(51183, 'Cannot find index to verify that join fields will be unique');
  return (docs) => {
    for (const doc of docs) {
      if (!doc.has('_id')) doc.set('_id', new ObjectId());
      const filter: Doc = new Map(
        fields.map((field) => [field, new Map([['$eq', getAt(doc, field.split('.')) ?? null]])]),
      );
      const update: Value = Array.isArray(matched)
        ? matched
        : matched === 'replace'
          ? doc
          : matched === 'keepExisting' || matched === 'fail'
            ? new Map([['$setOnInsert', doc]])
            : new Map([['$set', doc]]);
      const statement = updateStatement(
        new Map<string, Value>([
          ['q', filter],
          ['u', update],
          ['c', new Map([['new', doc]])],
        ]),
      );
      const { n } = runStatement(context.store, ns, statement).written;
      if (n > 0) {
        if (matched === 'fail')
          fail(
            'DuplicateKey',
            "$merge with whenMatched: fail found an existing document with the same values for the 'on' fields",
          );
        continue;
      }
      if (missing === 'fail')
        fail(
          13113,
          '$merge could not find a matching document in the target collection for at least one document in the source collection',
        );
      if (missing === 'insert')
        context.store.catalogue.records.insert(context.store.catalogue.ensure(ns), prepare(writeDoc(doc)));
    }
  };
}

export const OUTPUT: Record<string, (operand: Value, context: StageContext) => Output> = { $out: out, $merge: merge };
