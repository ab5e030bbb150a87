import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { LAYOUT, mayBeUnsealed, unsealed } from './digest.ts';

/*
 * lmdb trusts its pages: a flipped bit in one hides documents, or ends the process. So before lmdb opens the file, every
 * page in use is read as lmdb lays it out (format 2, little endian): a header of 24 bytes, then the places of the nodes,
 * which are sorted by key; branches hold the numbers of further pages, leaves the values, larger ones on pages of their own.
 */

/**
 * The keys of a table that cannot be relied on: from `low` to `high`, or to the table's end where a bound is missing.
 * Where the damage is structural lmdb cannot write safely.
 */
export type Damage = { table: string; low?: Buffer; high?: Buffer; isStructural: boolean };

const HEADER = 24;
const NODE = 8;
const [BRANCH, LEAF, OVERFLOW] = [1, 2, 4];
const [BIG, TREE] = [1, 2];
/** Bytes of the reference to pages of their own, and of the record of a tree. */
const [REFERENCE_BYTES, TREE_BYTES] = [24, 48];

type Tree = { flags: number; depth: number; entries: number; root: number };
type Node = {
  key: Buffer;
  flags: number /** Of the value, or the page that a branch leads to. */;
  size: number;
  data: Buffer;
};
type Bounds = { low?: Buffer; high?: Buffer };

const long = (bytes: Buffer, at: number): number => Number(bytes.readBigUInt64LE(at));

const treeAt = (bytes: Buffer, at: number): Tree => ({
  flags: bytes.readUInt16LE(at + 4),
  depth: bytes.readUInt16LE(at + 6),
  entries: long(bytes, at + 32),
  root: long(bytes, at + 40),
});

/** The nodes of a branch or leaf; undefined where they do not fill the page as they should. */
function nodesOf(page: Buffer, isLeaf: boolean): Node[] | undefined {
  const [lower, upper] = [page.readUInt16LE(20), HEADER + page.readUInt16LE(22)];
  if (lower % 2 !== 0 || HEADER + lower > upper || upper > page.length) return undefined;
  const nodes: Node[] = [];
  let used = 0;
  for (let i = 0; i < lower; i += 2) {
    const at = HEADER + page.readUInt16LE(HEADER + i);
    if (at < upper || at + NODE > page.length) return undefined;
    const start = at + NODE + page.readUInt16LE(at + 6);
    const flags = page.readUInt16LE(at + 4);
    const size = page.readUInt32LE(at) + (isLeaf ? 0 : flags * 2 ** 32);
    const end = start + (isLeaf ? (flags === BIG ? REFERENCE_BYTES : size) : 0);
    if (end > page.length) return undefined;
    used += end - at + ((end - at) % 2);
    nodes.push({ key: page.subarray(at + NODE, start), flags, size, data: page.subarray(start, end) });
  }
  return used === page.length - upper ? nodes : undefined;
}

/** The state that lmdb will open; throws where its two root pages contradict each other. */
function readRoots(roots: Buffer, pageSize: number) {
  const metas = [0, pageSize].map((at) => ({
    free: treeAt(roots, at + 48),
    main: treeAt(roots, at + 96),
    pageSize: roots.readUInt32LE(at + 48),
    lastPage: long(roots, at + 144),
    transaction: long(roots, at + 152),
  }));
  const [a, b] = metas as [(typeof metas)[0], (typeof metas)[0]];
  // Transactions write the two in turn.
  const isInTurn = a.transaction % 2 === 0 && b.transaction % 2 === 1 && Math.abs(a.transaction - b.transaction) === 1;
  const isNew = a.transaction === 0 && b.transaction === 0;
  const isAlike = a.pageSize === b.pageSize && a.free.flags === b.free.flags;
  if (!isAlike || !(isInTurn || isNew)) throw new Error('its root pages contradict each other');
  return a.transaction > b.transaction ? a : b;
}

const NO_ROOT = 2 ** 64;

/**
 * Reads every page that a data file uses.
 * @returns the keys that cannot be relied on; none where all is well
 * @throws where the catalogue or what leads to it is damaged, so that the file must not be opened
 */
export function inspect(file: string): Damage[] {
  const fd = openSync(file, 'r');
  try {
    return inspectOpen(fd);
  } finally {
    closeSync(fd);
  }
}

function inspectOpen(fd: number): Damage[] {
  const read = (at: number, size: number): Buffer => {
    const bytes = Buffer.allocUnsafe(size);
    return bytes.subarray(0, readSync(fd, bytes, 0, size, at));
  };
  const pageSize = read(48, 4).readUInt32LE(0);
  if (![4096, 8192, 16384, 32768].includes(pageSize)) throw new Error('its root page is damaged');
  const roots = readRoots(read(0, 2 * pageSize), pageSize);
  const pageCount = Math.min(roots.lastPage + 1, fstatSync(fd).size / pageSize);
  const missing = (roots.lastPage + 1 - pageCount) * pageSize;
  const damagedIn = (what: string): Error =>
    new Error(missing > 0 ? `it ends ${missing} bytes too early` : `its ${what} is damaged`);
  const isUsed = new Uint8Array(Math.ceil(pageCount));
  const damages: Damage[] = [];

  /** Marks pages as used, which each may be once. */
  const use = (page: number, count = 1): boolean => {
    if (page < 2 || page + count > pageCount) return false;
    for (let i = page; i < page + count; i++) if (isUsed[i]!++ > 0) return false;
    return true;
  };

  /** The bytes of a value that has pages of its own. */
  const readBig = ({ data, size }: Node): Buffer | undefined => {
    const page = long(data, 0);
    const count = Math.ceil((HEADER + size) / pageSize);
    if (long(data, 16) !== count || !use(page, count)) return undefined;
    const bytes = read(page * pageSize, HEADER + size);
    const isRight = long(bytes, 0) === page && bytes.readUInt16LE(18) === OVERFLOW && bytes.readUInt32LE(20) === count;
    return isRight ? bytes.subarray(HEADER) : undefined;
  };

  /** Visits every key of a tree, and reports what cannot be read. */
  function walk(table: string, tree: Tree, visit: (node: Node, value: Buffer, around: Bounds) => boolean): void {
    const isInteger = table === 'free';
    const isAfter = (a: Buffer, b: Buffer): boolean => (isInteger ? long(a, 0) > long(b, 0) : Buffer.compare(a, b) > 0);
    const report = (bounds: Bounds, isStructural = true) => void damages.push({ table, ...bounds, isStructural });
    let count = 0;
    let last: Buffer | undefined;

    function leaf(nodes: Node[], { low, high }: Bounds): void {
      for (const [i, node] of nodes.entries()) {
        const around = { low: nodes[i - 1]?.key ?? low, high: nodes[i + 1]?.key ?? high };
        count++;
        last = node.key;
        const value = node.flags === BIG ? readBig(node) : node.data;
        if (!value) report({ low: node.key, high: node.key });
        else if (!visit(node, value, around)) report(around, table === 'free');
      }
    }

    function page(number: number, depth: number, bounds: Bounds): void {
      const bytes = use(number) ? read(number * pageSize, pageSize) : undefined;
      const isLeaf = depth === 1;
      const isRight = bytes && long(bytes, 0) === number && bytes.readUInt16LE(18) === (isLeaf ? LEAF : BRANCH);
      const nodes = isRight ? nodesOf(bytes, isLeaf) : undefined;
      // The first key of a branch says nothing: what it leads to begins where the branch does.
      const first = isLeaf ? 0 : 1;
      const isInPlace = ({ key }: Node, i: number): boolean =>
        (!isInteger || key.length === 8) &&
        (i > first ? isAfter(key, nodes![i - 1]!.key) : !bounds.low || !isAfter(bounds.low, key)) &&
        (!bounds.high || isAfter(bounds.high, key));
      const isSorted = nodes?.every((node, i) => i < first || isInPlace(node, i));
      // Reading on from the key before leads to the page as well.
      if (!nodes || !isSorted) report({ low: last ?? bounds.low, high: bounds.high });
      else if (isLeaf) leaf(nodes, bounds);
      else
        for (const [i, { key, size }] of nodes.entries())
          page(size, depth - 1, { low: i === 0 ? bounds.low : key, high: nodes[i + 1]?.key ?? bounds.high });
    }

    if (tree.root !== NO_ROOT) page(tree.root, tree.depth, {});
    if (count !== tree.entries && damages.length === 0) report({});
  }

  const tables = new Map<string, Tree>();
  walk('main', roots.main, ({ key, flags }, value) => {
    if (flags !== TREE || value.length !== TREE_BYTES) return false;
    // Names end with a zero byte.
    tables.set(key.toString('latin1', 0, key.length - 1), treeAt(value, 0));
    return true;
  });
  const areTrees = roots.main.flags === 0 && [...tables.values()].every(({ flags }) => flags === 0);
  if (damages.length > 0 || !areTrees) throw damagedIn('list of tables');
  let layout = LAYOUT.unsealed;
  let hasDigests = false;
  const stored: [Node, Buffer][] = [];
  const meta = tables.get('meta');
  if (meta) walk('meta', meta, (node, value) => stored.push([node, value]) > 0);
  for (const [{ key }, value] of stored) {
    const known = unsealed(key, value);
    hasDigests ||= known !== undefined;
    if (known && key.equals(LAYOUT.key)) layout = known[0]!;
  }
  const isBroken = layout === LAYOUT.unsealed ? hasDigests : stored.some(([{ key }, value]) => !unsealed(key, value));
  if (damages.length > 0 || isBroken) throw damagedIn('catalogue');
  for (const name of ['docs', 'entries']) {
    const isSound = ({ key }: Node, value: Buffer): boolean =>
      unsealed(key, value) !== undefined || mayBeUnsealed(layout, name, value);
    const tree = tables.get(name);
    if (tree) walk(name, tree, isSound);
  }
  // Free pages: their count, then each of them, a zero, or minus a number of pages in a row before the first of them. Where
  // one is in use or listed twice, writing would overwrite what is stored.
  walk('free', roots.free, (_node, value) => {
    const numbers = Array.from({ length: value.length / 8 }, (_, i) => Number(value.readBigInt64LE(i * 8)));
    const [count = -1] = numbers;
    if (count < 0 || count >= numbers.length) return false;
    for (let i = 1; i <= count; i++) {
      const inRow = numbers[i]! < 0 ? -numbers[i++]! : 1;
      const page = i <= count ? numbers[i]! : 0;
      if (page === 0 && inRow === 1) continue;
      if (page < 2 || page + inRow > roots.lastPage + 1) return false;
      // The last pages of the file need not be there while they are free.
      if (!use(page, Math.min(inRow, pageCount - page))) return false;
    }
    return true;
  });
  return damages;
}
