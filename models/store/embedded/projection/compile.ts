import { type Doc, isDoc, isNumber, toNumber, truthy, type Value } from '../bson/value.ts';
import { CommandError, fail, unsupported } from '../errors.ts';
import { elementTest } from '../filter/compile.ts';
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

/** What is said of a path: what becomes of the value there (undefined leaves it out), or how to compute one. */
type Leaf = { shape: (value: Value, doc: Doc) => Value; compute?: Compute };

type Tree = Map<string, Tree | Leaf>;

const isTree = (node: Tree | Leaf): node is Tree => node instanceof Map;

export type Projection = (doc: Doc) => Doc;

const INCLUDED: Leaf = { shape: (value) => value };
const EXCLUDED: Leaf = { shape: () => undefined };

/** In a find, n and [n, m] with numbers is the old form of $slice; with an array or a field it is the expression. */
const isFindSlice = (value: Value): boolean => isNumber(value) || (Array.isArray(value) && value.every(isNumber));

function slice(operand: Value): Leaf {
  const [skip = 0, limit, ...more] = (Array.isArray(operand) ? operand : [operand]).map((value) =>
    Math.trunc(toNumber(value)),
  );
  if (more.length > 0 || (Array.isArray(operand) && limit === undefined)) fail(28724, 'Invalid $slice syntax');
  if (limit !== undefined && limit <= 0) fail(28724, '$slice limit must be positive');
  const shape = (value: Value): Value => {
    if (!Array.isArray(value)) return value;
    if (limit === undefined) return skip < 0 ? value.slice(skip) : value.slice(0, skip);
    const start = skip < 0 ? Math.max(0, value.length + skip) : skip;
    return value.slice(start, start + limit);
  };
  return { shape };
}

function elemMatch(operand: Value, context: ProjectionContext): Leaf {
  const test = elementTest(operand, context);
  const shape = (found: Value): Value => {
    const item = Array.isArray(found) ? found.find(test) : undefined;
    return item === undefined ? undefined : [item];
  };
  return { shape };
}

function positional(path: string[], { position }: ProjectionContext): Leaf {
  const shape = (value: Value, doc: Doc): Value => {
    if (!Array.isArray(value)) return value;
    const at = position?.(doc, path) ?? -1;
    return at < 0 ? fail(51246, "positional operator '.$' couldn't find a matching element in the array") : [value[at]];
  };
  return { shape };
}

/** Compiles a computed field; an unknown operator has a code of its own in projections. */
function computed(value: Value, operator: string | undefined, context: ProjectionContext): Leaf {
  try {
    return { ...EXCLUDED, compute: context.compute(value) };
  } catch (error) {
    const unknown = error instanceof CommandError && error.codeName === 'InvalidPipelineOperator';
    if (unknown && error.message.includes(`'${operator}'`)) fail(31325, `Unknown expression ${operator}`);
    throw error;
  }
}

/** What a projection says: of each path, whether it includes (undefined where nothing tells), and of `_id`. */
type Parsed = { tree: Tree; including?: boolean; id?: boolean };

/** Puts what is said of a path into the tree; a path may neither be said twice nor lie within another. */
function place(tree: Tree, path: string[], leaf: Leaf): void {
  if (path.includes('')) fail(40353, "FieldPath must not end with a '.'.");
  const [step = '', ...rest] = path;
  const child = tree.get(step);
  if (child && (rest.length === 0 || !isTree(child))) fail(31249, `Path collision at ${path.join('.')}`);
  const inner: Tree = child && isTree(child) ? child : new Map();
  tree.set(step, rest.length === 0 ? leaf : inner);
  if (rest.length > 0) place(inner, rest, leaf);
}

function setMode(parsed: Parsed, including: boolean, path: string): void {
  parsed.including ??= including;
  if (parsed.including === including) return;
  const [is, code] = including ? ['inclusion', 31253] : ['exclusion', 31254];
  fail(code as number, `Cannot do ${is} on field ${path} in ${including ? 'exclusion' : 'inclusion'} projection`);
}

/** Reads a flag: a field is to be there or not. */
function readFlag(parsed: Parsed, path: string, include: boolean, context: ProjectionContext) {
  const steps = path.split('.');
  const matched = context.find && steps.at(-1) === '$';
  if (matched && !include) fail(31395, 'positional projection cannot be used with exclusion');
  if (path !== '_id') setMode(parsed, include, path);
  else parsed.id = include;
  if (matched) place(parsed.tree, steps.slice(0, -1), positional(steps.slice(0, -1), context));
  else if (path !== '_id' || include) place(parsed.tree, steps, include ? INCLUDED : EXCLUDED);
}

function readField(parsed: Parsed, path: string, value: Value, context: ProjectionContext) {
  if (isNumber(value) || typeof value === 'boolean') return readFlag(parsed, path, truthy(value), context);
  const steps = path.split('.');
  const [operator, operand] = isDoc(value) ? (value.entries().next().value ?? []) : [];
  if (operator === '$meta') unsupported('$meta');
  if (isDoc(value) && operator === undefined)
    fail(51270, `An empty sub-projection is not a valid value. Found empty object at path ${path}`);
  if (isDoc(value) && !operator!.startsWith('$')) {
    for (const [name, item] of value) readField(parsed, `${path}.${name}`, item, context);
    return;
  }
  if (context.find && operator === '$slice' && isFindSlice(operand)) return place(parsed.tree, steps, slice(operand));
  setMode(parsed, true, path);
  const matches = context.find && operator === '$elemMatch';
  if (matches && steps.length > 1) fail(31275, 'Cannot use $elemMatch projection on a nested field.');
  place(parsed.tree, steps, matches ? elemMatch(operand, context) : computed(value, operator, context));
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
