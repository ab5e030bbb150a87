import { type Doc, doc, isDoc, toNumber, truthy, type Value } from '../../bson/value.ts';
import { fail } from '../../errors.ts';
import { valueAt } from '../../filter/path.ts';
import { compareBy, parseSort } from '../../sort.ts';
import { any, document, integer, nullish, number, optional, optionsOf, text } from '../kind.ts';
import { each, filterIn, withValue } from '../stage.ts';
import type { Stage, StageMaker } from '../stageMaker.ts';

const $match: StageMaker = (operand, context, name) => {
  const test = filterIn(document(15959).check(operand, name), context);
  return each((item) => (test(item) ? item : undefined));
};

const count = integer(5107200, 0);

/** The documents from one place on and before another. */
const between = (from: number, to: number): Stage =>
  function* (input) {
    let i = 0;
    for (const item of input) {
      if (i >= from) yield item;
      if (++i >= to) return;
    }
  };

const $limit: StageMaker = (operand, _context, name) =>
  between(0, count.check(operand, name) || fail(15958, 'the limit must be positive'));

const $skip: StageMaker = (operand, _context, name) => between(count.check(operand, name), Infinity);

const $sort: StageMaker = (operand, context, name) => {
  const spec = document(15973).check(operand, name);
  if (spec.size === 0) fail(15976, '$sort stage must have at least one sort key');
  const by = compareBy(parseSort(spec), context.collator);
  return (input) => [...input].sort(by);
};

const $sample: StageMaker = (operand, _context, name) => {
  const { size } = optionsOf(operand, name, [28745, 28748, 28749], { size: number(28746) });
  if (toNumber(size) <= 0) fail(28747, 'size argument to $sample must be a positive integer');
  return (input) => {
    const drawn = [...input].map((item) => ({ item, lot: Math.random() })).sort((a, b) => a.lot - b.lot);
    return drawn.slice(0, toNumber(size)).map(({ item }) => item);
  };
};

const UNWIND = {
  path: text(28808),
  includeArrayIndex: optional(text(28810)),
  preserveNullAndEmptyArrays: optional(any),
};

const $unwind: StageMaker = (operand, _context, name) => {
  const options = optionsOf(isDoc(operand) ? operand : doc({ path: operand }), name, [15981, 28811, 28812], UNWIND);
  const { path: given, includeArrayIndex: index } = options;
  if (!given.startsWith('$')) fail(28818, `path option to $unwind stage should be prefixed with a '$': ${given}`);
  if (index === '' || index?.startsWith('$'))
    fail(index ? 28822 : 28810, 'includeArrayIndex of $unwind must be the name of a field');
  const path = given.slice(1);
  const keep = truthy(options.preserveNullAndEmptyArrays);
  return function* (input) {
    for (const item of input) {
      const value = valueAt(item, path.split('.'));
      const placed = (out: Doc, i: Value) => (index ? withValue(out, index, i) : out);
      const empty = Array.isArray(value) ? value.length === 0 : nullish(value);
      if (empty && keep) yield placed(value === null ? item : withValue(item, path, undefined), null);
      else if (!Array.isArray(value)) yield* empty ? [] : [placed(item, null)];
      else for (const [i, one] of value.entries()) yield placed(withValue(item, path, one), BigInt(i));
    }
  };
};

const $count: StageMaker = (operand) => {
  if (typeof operand !== 'string' || operand === '') fail(40156, 'the count field must be a non-empty string');
  if (operand.startsWith('$')) fail(40158, 'the count field cannot be a $-prefixed path');
  if (operand.includes('.')) fail(40160, "the count field cannot contain '.'");
  return function* (input) {
    let n = 0;
    for (const _ of input) n++;
    if (n > 0) yield doc({ [operand]: n });
  };
};

const $documents: StageMaker = (operand) => {
  if (!Array.isArray(operand) || !operand.every(isDoc)) fail(5858203, '$documents needs an array of documents');
  return () => operand;
};

const $collStats: StageMaker = (_operand, { store, ns }) => {
  const { count, indexes } = store.catalogue.find(ns) ?? fail('NamespaceNotFound', `Collection [${ns}] not found.`);
  const storageStats = { size: 0, count, nindexes: indexes.length };
  return () => [doc({ ns, localTime: new Date(), storageStats, count })];
};

const $indexStats: StageMaker = (_operand, { store, ns }) => {
  const accesses = { ops: 0n, since: store.started };
  const indexes = store.catalogue.find(ns)?.indexes ?? [];
  return () => indexes.map(({ name, document: spec }) => doc({ name, key: spec.get('key'), accesses, spec }));
};

const BEGINNINGS = { $documents, $collStats, $indexStats };

/** Stages that pass on or unwind documents, and those that start a pipeline. */
export const FLOW = { $match, $limit, $skip, $sort, $sample, $unwind, $count, ...BEGINNINGS };
