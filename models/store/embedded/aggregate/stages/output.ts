import { equal } from '../../bson/compare.ts';
import { type Doc, doc, isDoc, ObjectId, typeName, type Value } from '../../bson/value.ts';
import { writeDoc } from '../../bson/write.ts';
import { prepare } from '../../catalogue/records.ts';
import { runStatement, updateStatement } from '../../commands/statement.ts';
import { fail, refuse } from '../../errors.ts';
import { getAt } from '../../update/locate.ts';
import { any, optional, optionsOf, text } from '../kind.ts';
import { operands } from '../operator.ts';
import type { StageContext } from '../stageMaker.ts';

/** Writes the documents of a pipeline; runs inside a write transaction. */
type Output = (docs: Doc[], context: StageContext) => void;

function target(spec: Value, context: StageContext, stage: string): string {
  if (typeof spec === 'string') return `${context.db}.${spec}`;
  if (isDoc(spec) && typeof spec.get('coll') === 'string') return `${spec.get('db') ?? context.db}.${spec.get('coll')}`;
  fail(16990, `${stage} only supports a string or object argument, but found ${typeName(spec)}`);
}

type OutputMaker = (operand: Value, context: StageContext) => Output;

/** The collection is replaced as a whole, keeping its indexes. */
const $out: OutputMaker = (operand, context) => {
  const ns = target(operand, context, '$out');
  return (docs) => {
    const { catalogue } = context.store;
    const old = catalogue.find(ns);
    if (old) catalogue.drop(old);
    const fresh = catalogue.ensure(ns, old?.options);
    for (const index of old?.indexes.slice(1) ?? []) catalogue.createIndex(fresh, index.document);
    for (const item of docs) catalogue.records.insert(fresh, prepare(writeDoc(item)));
  };
};

/** The update that $merge makes of a document, by `whenMatched`. */
const WHEN_MATCHED: Record<string, (item: Doc) => Value> = {
  replace: (item) => item,
  merge: (item) => doc({ $set: item }),
  keepExisting: (item) => doc({ $setOnInsert: item }),
  fail: (item) => doc({ $setOnInsert: item }),
};

const given = optional(any);
const MERGE = { into: any, on: given, whenMatched: given, whenNotMatched: given };

const $merge: OutputMaker = (operand, context) => {
  const spec = isDoc(operand) ? operand : doc({ into: operand });
  const options = optionsOf(spec, '$merge', [51182, 40415, 40414], MERGE);
  const { on = '_id', whenMatched: matched = 'merge', whenNotMatched: missing = 'insert' } = options;
  const ns = target(options.into, context, '$merge');
  const fields = operands(on).map((field) => text(51186).check(field, '$merge'));
  if (!Array.isArray(matched) && !Object.hasOwn(WHEN_MATCHED, String(matched)))
    refuse(`'${String(matched)}' for field '$merge.whenMatched' is not a valid value.`);
  if (!['insert', 'discard', 'fail'].includes(String(missing)))
    refuse(`'${String(missing)}' for field '$merge.whenNotMatched' is not a valid value.`);
  const { catalogue } = context.store;
  const covers = (key: Value) => isDoc(key) && key.size === fields.length && fields.every((field) => key.has(field));
  const indexes = catalogue.find(ns)?.indexes ?? [];
  const unique = indexes.some((index) => index.unique && !index.partial && covers(index.document.get('key')));
  if (!unique && !equal(fields, ['_id'])) fail(51183, 'Cannot find index to verify that join fields will be unique');
  return (docs) => {
    for (const item of docs) {
      if (!item.has('_id')) item.set('_id', new ObjectId());
      const q = new Map(fields.map((field) => [field, doc({ $eq: getAt(item, field.split('.')) ?? null })]));
      const u = Array.isArray(matched) ? matched : WHEN_MATCHED[String(matched)]!(item);
      const { n } = runStatement(context.store, updateStatement(context.store, ns, doc({ q, u, c: { new: item } })));
      if (n > 0 && matched === 'fail') fail('DuplicateKey', '$merge with whenMatched: fail found an existing document');
      if (n === 0 && missing === 'fail') fail(13113, '$merge could not find a matching document to merge into');
      if (n === 0 && missing === 'insert') catalogue.records.insert(catalogue.ensure(ns), prepare(writeDoc(item)));
    }
  };
};

export const OUTPUT: Record<string, OutputMaker> = { $out, $merge };
