import { type Doc, isDoc, isNumber, toNumber, truthy, type Value } from '../bson/value.ts';
import { CommandError, fail, unsupported } from '../errors.ts';
import { elementTest } from '../filter/compile.ts';
import type { FilterContext } from '../filter/path.ts';

/** Computes a field from the whole document; undefined leaves it out. */
export type Compute = (doc: Doc) => Value;

/** The context in which a projection is compiled. */
type ProjectionContext = FilterContext & {
  /** Compiles an expression. */
  compute: (spec: Value) => Compute;
  /** A find: $slice, $elemMatch and positional projections are allowed. */
  find: boolean;
  /** The position of the element that the query matched in the array at a path. */
  position?: (doc: Doc, path: string[]) => number;
};

export type Projection = (doc: Doc) => Doc;

/** The projected value at a path; undefined leaves it out. */
type Leaf = (value: Value, doc: Doc) => Value;

/** The entry for a path: how its value is projected, or how a value is computed. */
type Node = Tree | Leaf | { compute: Compute };
type Tree = Map<string, Node>;

const isTree = (node: Node): node is Tree => node instanceof Map;

/** The entries of a projection by path, and whether it includes fields (undefined where nothing decides). */
type Parsed = { tree: Tree; including?: boolean };

const INCLUDED: Leaf = (value) => value;
const EXCLUDED: Leaf = () => undefined;

/** In a find, n and [n, m] with numbers is the old form of $slice; with an array or a field it is the expression. */
const isFindSlice = (value: Value): boolean => isNumber(value) || (Array.isArray(value) && value.every(isNumber));

function slice(operand: Value): Leaf {
  const numbers = (Array.isArray(operand) ? operand : [operand]).map((value) => Math.trunc(toNumber(value)));
  const [skip = 0, limit] = numbers;
  if (numbers.length > 2 || (Array.isArray(operand) && limit === undefined)) fail(28724, 'Invalid $slice syntax');
  if (limit !== undefined && limit <= 0) fail(28724, '$slice limit must be positive');
  return (value) => {
    if (!Array.isArray(value)) return value;
    if (limit === undefined) return skip < 0 ? value.slice(skip) : value.slice(0, skip);
    const start = skip < 0 ? Math.max(0, value.length + skip) : skip;
    return value.slice(start, start + limit);
  };
}

function elemMatch(operand: Value, context: ProjectionContext): Leaf {
  const test = elementTest(operand, context);
  return (value) => {
    const item = Array.isArray(value) ? value.find(test) : undefined;
    return item === undefined ? undefined : [item];
  };
}

function positional(path: string[], { position }: ProjectionContext): Leaf {
  return (value, doc) => {
    if (!Array.isArray(value)) return value;
    const at = position?.(doc, path) ?? -1;
    return at < 0 ? fail(51246, "positional operator '.$' couldn't find a matching element in the array") : [value[at]];
  };
}

/** Compiles a computed field; an unknown operator has a code of its own in projections. */
function computeOf(value: Value, operator: string | undefined, context: ProjectionContext): Compute {
  try {
    return context.compute(value);
  } catch (error) {
    const unknown = error instanceof CommandError && error.codeName === 'InvalidPipelineOperator';
    if (unknown && error.message.includes(`'${operator}'`)) fail(31325, `Unknown expression ${operator}`);
    throw error;
  }
}

/** Adds the entry of a path to the tree; a path may neither occur twice nor lie within another. */
function place(tree: Tree, path: string[], node: Node): void {
  if (path.includes('')) fail(40353, "FieldPath must not end with a '.'.");
  const [step = '', ...rest] = path;
  const child = tree.get(step);
  if (child && (rest.length === 0 || !isTree(child))) fail(31249, `Path collision at ${path.join('.')}`);
  const inner: Tree = child && isTree(child) ? child : new Map();
  tree.set(step, rest.length === 0 ? node : inner);
  if (rest.length > 0) place(inner, rest, node);
}

/** All fields but `_id` are either left in or left out. */
function setMode(parsed: Parsed, including: boolean, path: string): void {
  parsed.including ??= including;
  if (parsed.including === including) return;
  if (including) fail(31253, `Cannot do inclusion on field ${path} in exclusion projection`);
  fail(31254, `Cannot do exclusion on field ${path} in inclusion projection`);
}

/** Reads a flag: a field is to be there or not. */
function readFlag(parsed: Parsed, path: string, include: boolean, context: ProjectionContext) {
  const steps = path.split('.');
  const matched = context.find && steps.at(-1) === '$';
  if (matched && !include) fail(31395, 'positional projection cannot be used with exclusion');
  if (path !== '_id') setMode(parsed, include, path);
  const array = steps.slice(0, -1);
  if (matched) place(parsed.tree, array, positional(array, context));
  else place(parsed.tree, steps, include ? INCLUDED : EXCLUDED);
}

function readField(parsed: Parsed, path: string, value: Value, context: ProjectionContext) {
  if (isNumber(value) || typeof value === 'boolean') return readFlag(parsed, path, truthy(value), context);
  const { tree } = parsed;
  const steps = path.split('.');
  const [operator, operand] = isDoc(value) ? (value.entries().next().value ?? []) : [];
  if (operator === '$meta') unsupported('$meta');
  if (isDoc(value) && operator === undefined)
    fail(51270, `An empty sub-projection is not a valid value. Found empty object at path ${path}`);
  if (isDoc(value) && !operator!.startsWith('$')) {
    for (const [name, item] of value) readField(parsed, `${path}.${name}`, item, context);
    return;
  }
  if (context.find && operator === '$slice' && isFindSlice(operand)) return place(tree, steps, slice(operand));
  setMode(parsed, true, path);
  if (context.find && operator === '$elemMatch') {
    if (steps.length > 1) fail(31275, 'Cannot use $elemMatch projection on a nested field.');
    return place(tree, steps, elemMatch(operand, context));
  }
  place(tree, steps, { compute: computeOf(value, operator, context) });
}

/** What a tree leaves of a value. Fields that it does not name are kept or not, and so is what holds no fields. */
function applied(value: Value, tree: Tree, root: Doc, keepOthers: boolean): Value {
  if (Array.isArray(value)) {
    const items = value.map((item) => applied(item, tree, root, keepOthers));
    return items.filter((item) => item !== undefined);
  }
  if (!isDoc(value)) return keepOthers ? value : undefined;
  const out: Doc = new Map();
  for (const [key, item] of value) {
    const node = tree.get(key) ?? (keepOthers ? INCLUDED : EXCLUDED);
    let kept: Value;
    if (isTree(node)) kept = applied(item, node, root, keepOthers);
    else if (typeof node === 'function') kept = node(item, root);
    if (kept !== undefined) out.set(key, kept);
  }
  return out;
}

/** The computed fields in the order of the tree: those of one document come where its first field was named. */
const computedIn = (tree: Tree, above: string[] = []): { path: string[]; compute: Compute }[] =>
  [...tree].flatMap(([key, node]) => {
    const path = [...above, key];
    if (isTree(node)) return computedIn(node, path);
    return typeof node === 'function' ? [] : [{ path, compute: node.compute }];
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
  const tree: Tree = new Map();
  const parsed: Parsed = { tree };
  for (const [path, value] of spec) readField(parsed, path, value, context);
  // `_id` alone decides where nothing else says whether fields are kept; $slice leaves them all.
  const onlyId = [...tree.values()].every((node) => isTree(node) || node === INCLUDED);
  const including = parsed.including ?? (tree.get('_id') === INCLUDED && onlyId);
  if (including && !tree.has('_id')) tree.set('_id', INCLUDED);
  const computed = computedIn(tree);
  return (doc) => {
    const out = applied(doc, tree, doc, !including) as Doc;
    for (const { path, compute } of computed) setComputed(out, path, compute(doc));
    return out;
  };
}
