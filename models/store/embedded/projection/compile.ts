import { type Doc, isDoc, isNumber, toNumber, truthy, type Value } from '../bson/value.ts';
import { CommandError, fail, unsupported } from '../errors.ts';
import { elementTest } from '../filter/array.ts';
import type { FilterContext } from '../filter/path.ts';

/** Computes a field from the whole document; undefined leaves it out. */
export type Compute = (doc: Doc) => Value;

/** What a projection is compiled with. */
export type ProjectionContext = FilterContext & {
  /** Compiles an expression. */
  compute: (spec: Value) => Compute;
  /** A find: $slice, $elemMatch and positional projections are allowed. */
  find: boolean;
  /** The position of the element that the query matched in the array at a path. */
  position?: (doc: Doc, path: string[]) => number;
};

/** What becomes of the value at a path, in the document that it belongs to; undefined leaves it out. */
type Shape = (value: Value, doc: Doc) => Value;

/** What is said of a path: how to shape what is there, or how to compute what is to be there. */
type Leaf = { shape: Shape; compute?: Compute };

type Tree = Map<string, Tree | Leaf>;

const isTree = (node: Tree | Leaf): node is Tree => node instanceof Map;

export type Projection = (doc: Doc) => Doc;

const INCLUDED: Leaf = { shape: (value) => value };
const EXCLUDED: Leaf = { shape: () => undefined };

/** In a find, n and [n, m] with numbers is the old form of $slice; with an array or a field it is the expression. */
const isFindSlice = (value: Value): boolean => isNumber(value) || (Array.isArray(value) && value.every(isNumber));

function slice(operand: Value): Shape {
  if (Array.isArray(operand) && operand.length !== 2) fail(28724, 'Invalid $slice syntax');
  const [skip, limit] = (Array.isArray(operand) ? operand : [operand]).map((value) => Math.trunc(toNumber(value)));
  if (limit !== undefined && limit <= 0) fail(28724, '$slice limit must be positive');
  return (value) => {
    if (!Array.isArray(value)) return value;
    if (limit === undefined) return skip! < 0 ? value.slice(skip) : value.slice(0, skip);
    const start = skip! < 0 ? Math.max(0, value.length + skip!) : skip!;
    return value.slice(start, start + limit);
  };
}

type Parsed = { tree: Tree; including?: boolean; id?: boolean };

/** Puts what is said of a path into the tree; a path may neither be said twice nor lie within another. */
function place(tree: Tree, path: string[], leaf: Leaf) {
  if (path.includes('')) fail(40353, "FieldPath must not end with a '.'.");
  let node = tree;
  for (const [i, step] of path.entries()) {
    const last = i === path.length - 1;
    const child = node.get(step) ?? (last ? leaf : new Map());
    if (last ? node.has(step) : !isTree(child)) fail(31249, `Path collision at ${path.join('.')}`);
    node.set(step, child);
    node = child as Tree;
  }
}

function setMode(parsed: Parsed, including: boolean, path: string): void {
  parsed.including ??= including;
  if (parsed.including === including) return;
  fail(
    including ? 31253 : 31254,
    including
      ? `Cannot do inclusion on field ${path} in exclusion projection`
      : `Cannot do exclusion on field ${path} in inclusion projection`,
  );
}

function elemMatch(operand: Value, context: ProjectionContext): Shape {
  const test = elementTest(operand, context);
  return (found) => {
    const item = Array.isArray(found) ? found.find(test) : undefined;
    return item === undefined ? undefined : [item];
  };
}

const positional =
  (path: string[], context: ProjectionContext): Shape =>
  (value, doc) => {
    if (!Array.isArray(value)) return value;
    const position = context.position?.(doc, path) ?? -1;
    if (position < 0) fail(51246, "positional operator '.$' couldn't find a matching element in the array");
    return [value[position]];
  };

/** Reads a flag: a field is to be there or not. */
function readFlag(parsed: Parsed, path: string, include: boolean, context: ProjectionContext) {
  const steps = path.split('.');
  if (context.find && steps.at(-1) === '$') {
    if (!include) fail(31395, 'positional projection cannot be used with exclusion');
    setMode(parsed, true, path);
    return place(parsed.tree, steps.slice(0, -1), { shape: positional(steps.slice(0, -1), context) });
  }
  if (path !== '_id') setMode(parsed, include, path);
  else {
    parsed.id = include;
    if (!include) return;
  }
  place(parsed.tree, steps, include ? INCLUDED : EXCLUDED);
}

function readField(parsed: Parsed, path: string, value: Value, context: ProjectionContext) {
  if (isNumber(value) || typeof value === 'boolean') return readFlag(parsed, path, truthy(value), context);
  const steps = path.split('.');
  const operator = isDoc(value) ? (value.keys().next().value ?? '') : undefined;
  const operand = isDoc(value) ? value.get(operator!) : undefined;
  if (context.find && operator === '$slice' && isFindSlice(operand))
    return place(parsed.tree, steps, { shape: slice(operand) });
  if (operator === '$meta') unsupported('$meta');
  if (operator === '' && isDoc(value) && value.size === 0)
    fail(51270, `An empty sub-projection is not a valid value. Found empty object at path ${path}`);
  if (isDoc(value) && !operator!.startsWith('$')) {
    for (const [name, item] of value) readField(parsed, `${path}.${name}`, item, context);
    return;
  }
  setMode(parsed, true, path);
  if (!context.find || operator !== '$elemMatch')
    return place(parsed.tree, steps, { shape: () => undefined, compute: computed(value, operator, context) });
  if (steps.length > 1) fail(31275, 'Cannot use $elemMatch projection on a nested field.');
  place(parsed.tree, steps, { shape: elemMatch(operand, context) });
}

/** Compiles a computed field; an unknown operator has a code of its own in projections. */
function computed(value: Value, operator: string | undefined, context: ProjectionContext): Compute {
  try {
    return context.compute(value);
  } catch (error) {
    const unknown = error instanceof CommandError && error.codeName === 'InvalidPipelineOperator';
    if (unknown && error.message.includes(`'${operator}'`)) fail(31325, `Unknown expression ${operator}`);
    throw error;
  }
}

/** What a tree leaves of a value. Fields that it does not name are kept or not, and so is what holds no fields. */
function applied(value: Value, tree: Tree, root: Doc, keepOthers: boolean): Value {
  if (Array.isArray(value)) {
    const items = keepOthers ? value : value.filter((item) => isDoc(item) || Array.isArray(item));
    return items.map((item) => applied(item, tree, root, keepOthers));
  }
  if (!isDoc(value)) return keepOthers ? value : undefined;
  const out: Doc = new Map();
  for (const [key, item] of value) {
    const node = tree.get(key);
    let kept = keepOthers ? item : undefined;
    if (node) kept = isTree(node) ? applied(item, node, root, keepOthers) : node.shape(item, root);
    if (kept !== undefined) out.set(key, kept);
  }
  return out;
}

type Computed = { path: string[]; compute: Compute };

const computedFields = (tree: Tree, path: string[] = []): Computed[] =>
  [...tree].flatMap(([key, node]): Computed[] => {
    if (isTree(node)) return computedFields(node, [...path, key]);
    return node.compute ? [{ path: [...path, key], compute: node.compute }] : [];
  });

/** Sets a computed value at a path: in every element where an array is on the way; what is no document is replaced. */
export function setComputed(target: Doc, path: readonly string[], value: Value): void {
  const [step = '', ...rest] = path;
  if (rest.length > 0) target.set(step, within(target.get(step), rest, value));
  else if (value === undefined) target.delete(step);
  else target.set(step, value);
}

function within(holder: Value, path: readonly string[], value: Value): Value {
  if (Array.isArray(holder)) return holder.map((item) => within(item, path, value));
  const next: Doc = isDoc(holder) ? new Map(holder) : new Map();
  setComputed(next, path, value);
  return next;
}

/** Compiles a projection document; throws MongoDB's errors for mixed or colliding paths. */
export function compileProjection(spec: Doc, context: ProjectionContext): Projection {
  const parsed: Parsed = { tree: new Map() };
  for (const [path, value] of spec) readField(parsed, path, value, context);
  const { tree, id } = parsed;
  // `_id` alone decides where nothing else says whether fields are kept; $slice leaves them all.
  const onlyId = [...tree.values()].every((node) => isTree(node) || node === INCLUDED);
  const including = parsed.including ?? (id === true && onlyId);
  if (!including) {
    if (id === true) tree.delete('_id');
    if (id === false) tree.set('_id', EXCLUDED);
    return (doc) => applied(doc, tree, doc, true) as Doc;
  }
  if (id !== false && !tree.has('_id')) tree.set('_id', INCLUDED);
  const fields = computedFields(tree);
  return (doc) => {
    const out = applied(doc, tree, doc, false) as Doc;
    for (const { path, compute } of fields) setComputed(out, path, compute(doc));
    return out;
  };
}
