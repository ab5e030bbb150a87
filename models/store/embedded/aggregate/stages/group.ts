import { compare } from '../../bson/compare.ts';
import { doc, type Value } from '../../bson/value.ts';
import { fail } from '../../errors.ts';
import { type Accumulator, compileAccumulator, identity } from '../accumulators.ts';
import { compileExpression, environment } from '../expression.ts';
import { any, array, document, optional, optionsOf } from '../kind.ts';
import type { StageMaker } from '../stageMaker.ts';

const $group: StageMaker = (operand, { variables }, name) => {
  const spec = document(15947).check(operand, name);
  if (!spec.has('_id')) fail(15955, 'a group specification must include an _id');
  const idOf = compileExpression(spec.get('_id'));
  const accumulated = [...spec].filter(([field]) => field !== '_id');
  const fields = accumulated.map(([field, item]) => {
    if (field.includes('.')) fail(40235, `The field name '${field}' cannot contain '.'`);
    if (field.startsWith('$')) fail(40236, `The field name '${field}' cannot be an operator name`);
    return { field, ...compileAccumulator(item, field, compileExpression) };
  });
  const env = environment(variables);
  return function* (input) {
    const groups = new Map<unknown, { id: Value; accumulators: Accumulator[] }>();
    for (const item of input) {
      const within = env(item);
      const id = idOf(within);
      const key = identity(id);
      const group = groups.get(key) ?? { id, accumulators: fields.map(({ make }) => make()) };
      groups.set(key, group);
      for (const [i, { expression }] of fields.entries()) group.accumulators[i]!.add(expression(within));
    }
    for (const { id, accumulators } of groups.values()) {
      const results = fields.map(({ field }, i): [string, Value] => [field, accumulators[i]!.result() ?? null]);
      yield new Map([['_id', id ?? null], ...results]);
    }
  };
};

const COUNT = doc({ count: { $sum: 1 } });

const $sortByCount: StageMaker = (operand, context) =>
  context.pipeline([doc({ $group: new Map([['_id', operand], ...COUNT]) }), doc({ $sort: { count: -1 } })], context);

const OUTPUT = optional(document(40196));
const BUCKET = { groupBy: any, boundaries: array(40200), default: optional(any), output: OUTPUT };

/** Groups with given bounds: each document's group is the bound below it, found by a $switch. */
const $bucket: StageMaker = (operand, context, name) => {
  const options = optionsOf(operand, name, [40201, 40197, 40198], BUCKET);
  const { groupBy: by, boundaries: bounds, default: other, output = COUNT } = options;
  if (bounds.length < 2) fail(40192, `The $bucket 'boundaries' field must have at least 2 values`);
  if (bounds.some((bound, i) => i > 0 && compare(bounds[i - 1], bound) >= 0))
    fail(40194, "The 'boundaries' option to $bucket must be sorted in ascending order");
  const branches = bounds.slice(0, -1).map((low, i) => {
    const within = [doc({ $gte: [by, low] }), doc({ $lt: [by, bounds[i + 1]] })];
    // biome-ignore lint/suspicious/noThenProperty: the operator's own word
    return doc({ case: { $and: within }, then: { $literal: low } });
  });
  const otherwise = other === undefined ? undefined : doc({ $literal: other });
  const id = doc({ $switch: { branches, default: otherwise } });
  return context.pipeline([doc({ $group: new Map([['_id', id], ...output]) }), doc({ $sort: { _id: 1 } })], context);
};

/** Stages that make one document of several. */
export const GROUP = { $group, $sortByCount, $bucket };
