import { type Doc, isDoc, isNumber, truthy, type Value } from '../bson/value.ts';
import { fail, unsupported } from '../errors.ts';

export type Projection = (doc: Doc) => Doc;

/** The fields that a projection names: whether each is to be there, or the fields inside of it. */
type Tree = Map<string, Tree | boolean>;

/** Adds a field to the tree; a path may neither occur twice nor lie within another. */
function place(tree: Tree, path: string[], include: boolean): void {
  const [step = '', ...rest] = path;
  const child = tree.get(step);
  if (child !== undefined && (rest.length === 0 || !(child instanceof Map)))
    fail(31249, `Path collision at ${path.join('.')}`);
  const inner: Tree = child instanceof Map ? child : new Map();
  tree.set(step, rest.length === 0 ? include : inner);
  if (rest.length > 0) place(inner, rest, include);
}

/** The fields of a projection with what is said of each, those of nested documents as dotted paths. */
function* flags(spec: Doc, above: string[]): Iterable<{ path: string[]; include: boolean }> {
  for (const [name, value] of spec) {
    const path = [...above, ...name.split('.')];
    const where = path.join('.');
    if (path.includes('')) fail(40353, "FieldPath must not end with a '.'.");
    if (name.startsWith('$') || path.includes('$')) unsupported(`the projection ${where}`);
    if (isNumber(value) || typeof value === 'boolean') yield { path, include: truthy(value) };
    else if (!isDoc(value)) unsupported(`a projection that computes ${where}`);
    else if (value.size === 0)
      fail(51270, `An empty sub-projection is not a valid value. Found empty object at path ${where}`);
    else yield* flags(value, path);
  }
}

/** What a tree leaves of a value. Fields that it does not name are kept or not, and so is what holds no fields. */
function applied(value: Value, tree: Tree, keepsOthers: boolean): Value {
  if (Array.isArray(value)) {
    const items = value.map((item) => applied(item, tree, keepsOthers));
    return items.filter((item) => item !== undefined);
  }
  if (!isDoc(value)) return keepsOthers ? value : undefined;
  const out: Doc = new Map();
  for (const [key, item] of value) {
    const node = tree.get(key) ?? keepsOthers;
    const kept = typeof node === 'boolean' ? (node ? item : undefined) : applied(item, node, keepsOthers);
    if (kept !== undefined) out.set(key, kept);
  }
  return out;
}

/** Compiles a projection that includes or excludes fields; throws MongoDB's errors for mixed or colliding paths. */
export function compileProjection(spec: Doc): Projection {
  const tree: Tree = new Map();
  let including: boolean | undefined;
  for (const { path, include } of flags(spec, [])) {
    const where = path.join('.');
    if (where !== '_id') {
      including ??= include;
      if (including && !include) fail(31254, `Cannot do exclusion on field ${where} in inclusion projection`);
      if (!including && include) fail(31253, `Cannot do inclusion on field ${where} in exclusion projection`);
    }
    place(tree, path, include);
  }
  // `_id` alone decides where nothing else says whether fields are kept.
  const isInclusion = including ?? tree.get('_id') === true;
  if (isInclusion && !tree.has('_id')) tree.set('_id', true);
  return (doc) => applied(doc, tree, !isInclusion) as Doc;
}
