import { type Doc, isDoc, isNumber, toNumber, truthy, type Value } from '../bson/value.ts';
import { CommandError, fail } from '../errors.ts';
import { elementTest } from '../filter/array.ts';
import type { FilterContext } from '../filter/condition.ts';

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

/** Changes what is left of an array, for $slice and its kin. */
type Shape = (value: Value, doc: Doc) => Value;

type Leaf =
  | { kind: 'include' }
  | { kind: 'exclude' }
  | { kind: 'compute'; compute: Compute }
  | { kind: 'shape'; shape: Shape };

type Tree = Map<string, Tree | Leaf>;

const isTree = (node: Tree | Leaf): node is Tree => node instanceof Map;

export type Projection = (doc: Doc) => Doc;

function slice(operand: Value): Shape {
  const window = (value: Value): number => {
    if (!isNumber(value)) fail(28724, 'Invalid $slice syntax. The given syntax did not match the find() syntax');
    return Math.trunc(toNumber(value));
  };
  if (Array.isArray(operand)) {
    if (operand.length !== 2) fail(28724, 'Invalid $slice syntax. The given syntax did not match the find() syntax');
    const skip = window(operand[0]);
    const limit = window(operand[1]);
    if (limit <= 0) fail(28724, '$slice limit must be positive');
    return (value) => {
      if (!Array.isArray(value)) return value;
      const start = skip < 0 ? Math.max(0, value.length + skip) : skip;
      return value.slice(start, start + limit);
    };
  }
  const count = window(operand);
  return (value) => (Array.isArray(value) ? (count < 0 ? value.slice(count) : value.slice(0, count)) : value);
}

type Parsed = { tree: Tree; including: boolean | undefined; id: boolean | undefined };

function place(tree: Tree, path: string[], leaf: Leaf, whole: string) {
  let node = tree;
  for (let i = 0; i < path.length; i++) {
    const step = path[i]!;
    if (step === '') fail(40353, "FieldPath must not end with a '.'.");
    const child = node.get(step);
    if (i === path.length - 1) {
      if (child !== undefined) fail(31249, `Path collision at ${whole}`);
      node.set(step, leaf);
    } else if (child === undefined) {
      const next: Tree = new Map();
      node.set(step, next);
      node = next;
    } else if (isTree(child)) node = child;
    else fail(31249, `Path collision at ${whole} remaining portion ${path.slice(i + 1).join('.')}`);
  }
}

function setMode(parsed: Parsed, including: boolean, path: string): void {
  if (parsed.including === undefined) parsed.including = including;
  else if (parsed.including !== including) {
    throw including
      ? new CommandError(31253, `Cannot do inclusion on field ${path} in exclusion projection`)
      : new CommandError(31254, `Cannot do exclusion on field ${path} in inclusion projection`);
  }
}

function readField(parsed: Parsed, path: string, value: Value, context: ProjectionContext) {
  const steps = path.split('.');
  if (isNumber(value) || typeof value === 'boolean') {
    const include = truthy(value);
    if (context.find && steps.at(-1) === '$') return readPositional(parsed, steps.slice(0, -1), include, context);
    if (path === '_id') {
      parsed.id = include;
      if (include) place(parsed.tree, steps, { kind: 'include' }, path);
      return;
    }
    setMode(parsed, include, path);
    return place(parsed.tree, steps, { kind: include ? 'include' : 'exclude' }, path);
  }
  if (isDoc(value)) {
    const operator = value.keys().next().value ?? '';
    if (value.size === 0)
      fail(51270, `An empty sub-projection is not a valid value. Found empty object at path ${path}`);
    if (context.find && operator === '$slice' && (isNumber(value.get('$slice')) || isFindSlice(value.get('$slice')))) {
      return place(parsed.tree, steps, { kind: 'shape', shape: slice(value.get('$slice')) }, path);
    }
    if (context.find && operator === '$elemMatch') {
      if (steps.length > 1) fail(31275, 'Cannot use $elemMatch projection on a nested field.');
      setMode(parsed, true, path);
      const test = elementTest(value.get('$elemMatch'), context);
      const shape: Shape = (found) => {
        const item = Array.isArray(found) ? found.find(test) : undefined;
        return item === undefined ? undefined : [item];
      };
      return place(parsed.tree, steps, { kind: 'shape', shape }, path);
    }
    if (operator === '$meta') fail('CommandNotSupported', '$meta is not supported by the embedded store');
    if (!operator.startsWith('$')) {
      for (const [name, item] of value) readField(parsed, `${path}.${name}`, item, context);
      return;
    }
  }
  setMode(parsed, true, path);
  place(parsed.tree, steps, { kind: 'compute', compute: computed(value, context) }, path);
}

/** Compiles a computed field; an unknown operator has a code of its own in projections. */
function computed(value: Value, context: ProjectionContext): Compute {
  try {
    return context.compute(value);
  } catch (error) {
    const first = isDoc(value) ? value.keys().next().value : undefined;
    const unknown =
      error instanceof CommandError &&
      error.codeName === 'InvalidPipelineOperator' &&
      error.message.includes(`'${first}'`);
    throw unknown ? new CommandError(31325, `Unknown expression ${first}`) : error;
  }
}

/** In a find, [n, m] with numbers is the old form; with an array or a field it is the expression. */
const isFindSlice = (value: Value): boolean => Array.isArray(value) && value.every(isNumber);

function readPositional(parsed: Parsed, path: string[], include: boolean, context: ProjectionContext) {
  if (!include) fail(31395, 'positional projection cannot be used with exclusion');
  setMode(parsed, true, path.join('.'));
  const shape: Shape = (value, doc) => {
    if (!Array.isArray(value)) return value;
    const position = context.position?.(doc, path) ?? -1;
    if (position < 0)
      fail(
        51246,
        "Executor error during find command :: caused by :: positional operator '.$' couldn't find a matching element in the array",
      );
    return [value[position]];
  };
  place(parsed.tree, path, { kind: 'shape', shape }, path.join('.'));
}

function includeIn(value: Value, tree: Tree, root: Doc): Value {
  if (Array.isArray(value))
    return value.filter((item) => isDoc(item) || Array.isArray(item)).map((item) => includeIn(item, tree, root));
  if (!isDoc(value)) return undefined;
  const out: Doc = new Map();
  for (const [key, item] of value) {
    const node = tree.get(key);
    if (!node) continue;
    const kept = isTree(node)
      ? includeIn(item, node, root)
      : node.kind === 'include'
        ? item
        : node.kind === 'shape'
          ? node.shape(item, root)
          : undefined;
    if (kept !== undefined) out.set(key, kept);
  }
  return out;
}

function excludeFrom(value: Value, tree: Tree, root: Doc): Value {
  if (Array.isArray(value)) return value.map((item) => excludeFrom(item, tree, root));
  if (!isDoc(value)) return value;
  const out: Doc = new Map();
  for (const [key, item] of value) {
    const node = tree.get(key);
    const kept = !node
      ? item
      : isTree(node)
        ? excludeFrom(item, node, root)
        : node.kind === 'shape'
          ? node.shape(item, root)
          : undefined;
    if (kept !== undefined) out.set(key, kept);
  }
  return out;
}

type Computed = { path: string[]; compute: Compute };

function computedFields(tree: Tree, path: string[] = []): Computed[] {
  const out: Computed[] = [];
  for (const [key, node] of tree) {
    if (isTree(node)) out.push(...computedFields(node, [...path, key]));
    else if (node.kind === 'compute') out.push({ path: [...path, key], compute: node.compute });
  }
  return out;
}

/** Sets a computed value at a path: in every element where an array is on the way; what is no document is replaced. */
export function setComputed(target: Doc, path: readonly string[], value: Value): void {
  const [step, ...rest] = path as [string, ...string[]];
  if (rest.length === 0) {
    if (value === undefined) target.delete(step);
    else target.set(step, value);
    return;
  }
  target.set(step, within(target.get(step), rest, value));
}

function within(holder: Value, path: readonly string[], value: Value): Value {
  if (Array.isArray(holder)) return holder.map((item) => within(item, path, value));
  const next: Doc = isDoc(holder) ? new Map(holder) : new Map();
  setComputed(next, path, value);
  return next;
}

/** Compiles a projection document; throws MongoDB's errors for mixed or colliding paths. */
export function compileProjection(spec: Doc, context: ProjectionContext): Projection {
  const parsed: Parsed = { tree: new Map(), including: undefined, id: undefined };
  for (const [path, value] of spec) readField(parsed, path, value, context);
  const onlyId =
    parsed.including === undefined &&
    parsed.id !== undefined &&
    [...parsed.tree.values()].every((node) => isTree(node) || node.kind !== 'shape');
  const including = parsed.including ?? (onlyId ? parsed.id === true : false);
  const { tree } = parsed;
  if (!including) {
    if (parsed.id === true) tree.delete('_id');
    if (parsed.id === false) tree.set('_id', { kind: 'exclude' });
    return (doc) => excludeFrom(doc, tree, doc) as Doc;
  }
  if (parsed.id !== false && !tree.has('_id')) tree.set('_id', { kind: 'include' });
  const computed = computedFields(tree);
  return (doc) => {
    const out = includeIn(doc, tree, doc) as Doc;
    for (const { path, compute } of computed) setComputed(out, path, compute(doc));
    return out;
  };
}
