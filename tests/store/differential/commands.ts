import { Double, Int32, Long } from 'bson';
import type { Doc, Value } from './values.ts';

/** Random commands within what the embedded store takes, over few values, so that they often meet. */
export type Command =
  | { kind: 'insert'; doc: Doc }
  | { kind: 'update'; filter: Doc; update: Doc; upsert: boolean; multi: boolean }
  | { kind: 'delete'; filter: Doc; multi: boolean }
  | {
      kind: 'findAndModify';
      filter: Doc;
      sort: Record<string, number>;
      update?: Doc;
      isNew: boolean;
      fields: Record<string, number>;
    }
  | {
      kind: 'find';
      filter: Doc;
      sort: Record<string, number>;
      skip: number;
      limit: number;
      projection: Record<string, number>;
    }
  | { kind: 'count'; filter: Doc }
  | { kind: 'distinct'; key: string; filter: Doc }
  | { kind: 'aggregate'; pipeline: Doc[] };

/** Indexes that no answer may depend on. */
export const INDEXES: { key: Record<string, 1 | -1>; sparse?: boolean; partialFilterExpression?: Doc }[] = [
  { key: { a: 1 } },
  { key: { n: 1, a: -1 } },
  { key: { b: -1 }, sparse: true },
  { key: { 'd.x': 1 } },
  { key: { l: 1 } },
  { key: { 'l.0': 1, n: 1 } },
  { key: { s: 1, n: -1 } },
  { key: { c: 1 }, partialFilterExpression: { n: { $gt: new Int32(0) } } },
];

/** Makes commands by a seed. */
export function commandMaker(seed: number) {
  let state = seed;
  /** A whole number below n. */
  const random = (n: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
  const pick = <T>(list: readonly T[]): T => list[random(list.length)]!;
  const chance = (percent: number): boolean => random(100) < percent;
  const several = <T>(most: number, make: () => T): T[] => Array.from({ length: random(most + 1) }, make);

  const number = (): Value =>
    pick([new Int32(random(4)), new Double(random(8) / 2), Long.fromNumber(random(4)), new Int32(-1)]);
  const scalar = (): Value =>
    pick([number, number, () => pick(['', 'a', 'ab', 'b']), () => null, () => chance(50), () => new Date(random(3))])();
  const value = (depth = 2): Value => {
    if (depth === 0 || chance(60)) return scalar();
    if (chance(60)) return several(3, () => value(depth - 1));
    return Object.fromEntries(['x', 'y'].filter(() => chance(60)).map((name) => [name, value(depth - 1)]));
  };
  const unique = (): Value => pick([new Int32(random(12)), new Double(random(12)), `u${random(5)}`]);
  const id = () => new Int32(random(24));

  /** `n` holds numbers, `s` a list, `u` something unique, the others anything; each may be missing. */
  const fields: Record<string, () => Value> = {
    a: value,
    b: value,
    c: scalar,
    d: () => (chance(70) ? { x: value(1), y: scalar() } : value()),
    l: () => (chance(80) ? several(3, () => value(2)) : scalar()),
    n: number,
    s: () => several(3, () => value(1)),
    u: unique,
  };
  const doc = (): Doc => {
    const made: Doc = {};
    for (const [name, make] of Object.entries(fields)) if (chance(70)) made[name] = make();
    return made;
  };

  const operators = (depth: number): Doc => {
    const list = () => several(3, () => value(1));
    const condition = (): Doc =>
      pick<() => Doc>([
        () => ({ $eq: value() }),
        () => ({ $ne: value(1) }),
        () => ({ $gt: scalar() }),
        () => ({ $gte: scalar(), $lt: scalar() }),
        () => ({ $lte: scalar() }),
        () => ({ $in: chance(20) ? [...list(), /^a/] : list() }),
        () => ({ $nin: list() }),
        () => ({ $exists: chance(50) }),
        () => ({
          $type: pick(['int', 'long', 'double', 'number', 'string', 'array', 'object', 'null', 'bool', 'date']),
        }),
        () => ({ $size: random(4) }),
        () => ({ $all: list() }),
        () => (depth > 0 ? { $not: operators(depth - 1) } : { $eq: scalar() }),
        () => (depth > 0 ? { $elemMatch: chance(50) ? operators(depth - 1) : { x: scalar() } } : { $ne: null }),
      ])();
    return condition();
  };
  const PATHS = [
    'a',
    'a.x',
    'a.0',
    'b',
    'c',
    'd',
    'd.x',
    'd.y',
    'l',
    'l.0',
    'l.1',
    'l.x',
    'l.0.x',
    'n',
    's',
    's.0',
    's.x',
    'u',
    '_id',
  ];
  const field = (): Doc => {
    const path = pick(PATHS);
    return { [path]: pick([() => operators(2), () => operators(2), value, () => /b$/])() };
  };
  const filter = (depth = 1): Doc => {
    if (chance(10)) return {};
    if (depth > 0 && chance(25)) return { ...field(), [pick(['$or', '$nor', '$and'])]: [filter(depth - 1), field()] };
    return chance(40) ? { ...field(), ...field() } : field();
  };

  const arrayChange = (): [string, Value] =>
    pick<() => [string, Value]>([
      () => ['$push', value(1)],
      () => [
        '$push',
        {
          $each: several(2, () => value(1)),
          ...(chance(50) && { $position: random(3) }),
          ...(chance(50) && { $slice: random(7) - 3 }),
        },
      ],
      () => ['$addToSet', chance(50) ? scalar() : { $each: several(3, () => value(1)) }],
      () => ['$pull', pick([scalar, () => operators(1), () => ({ x: scalar() }), () => ({ x: operators(0) })])()],
      () => ['$pullAll', several(3, () => value(1))],
      () => ['$pop', pick([1, -1])],
    ])();
  const plainChange = (): [string, Value] =>
    pick<() => [string, Value]>([
      () => ['$set', value()],
      () => ['$unset', ''],
      () => ['$setOnInsert', scalar()],
      () => ['$inc', number()],
      () => [pick(['$min', '$max']), scalar()],
    ])();
  /** A change of each of these fields or paths in them, some of which fail. */
  const CHANGED = [['a', 'a.x'], ['b', 'b.x'], ['c'], ['d', 'd.x', 'd.y'], ['l', 'l.0', 'l.0.x'], ['n'], ['s'], ['u']];
  const update = (): Doc => {
    const out: Record<string, Doc> = {};
    const paths = CHANGED.filter(() => chance(30)).map(pick);
    for (const path of paths.length > 0 ? paths : ['n']) {
      const isPlain = path === 'n' || path === 'u';
      // `s` stays a list, so that an update of many documents can rely on it; a document in `l` would get a name that is a
      // number, which JavaScript puts in another order.
      const others = path === 's' || path === 'l' ? [arrayChange] : [arrayChange, plainChange];
      const fitting = (): [string, Value] =>
        chance(50) ? ['$inc', number()] : ['$set', path === 'u' ? unique() : number()];
      const [operator, operand] = pick(isPlain ? [fitting] : others)();
      out[operator] = { ...out[operator], [path]: operand };
    }
    return out;
  };
  /** An update that no document makes fail. */
  const harmless = (): Doc => ({
    $set: { [pick(['a', 'b', 'c'])]: value() },
    ...(chance(50) && { [pick(['$inc', '$max', '$min'])]: { n: number() } }),
    ...(chance(50) && { [pick(['$addToSet', '$push', '$pull'])]: { s: scalar() } }),
    ...(chance(30) && { $unset: { l: '' } }),
  });

  const sort = (): Record<string, number> => ({
    ...(chance(70) && { [pick(['a', 'b', 'c', 'd', 'd.x', 'l', 'n', 's', 's.x'])]: pick([1, -1]) }),
    _id: pick([1, -1]),
  });
  const projection = (): Record<string, number> => {
    const include = random(2);
    const paths = pick([['a', 'n'], ['d.x', 'l'], ['d.x', 'd.y'], ['s.x', 'l.x', 'b'], ['a.x']]);
    return { ...Object.fromEntries(paths.map((path) => [path, include])), ...(chance(30) && { _id: 0 }) };
  };
  const group = (): Doc => ({
    _id: pick<Value>([null, '$n', '$a', '$d.x', '$l.x', { k: '$n', z: '$zz' }]),
    v: {
      [pick(['$sum', '$min', '$max', '$first', '$last', '$push', '$addToSet'])]: pick<Value>([
        '$a',
        '$n',
        '$d.x',
        '$l.x',
        new Int32(1),
      ]),
    },
    n: { $sum: '$n' },
  });
  const pipeline = (): Doc[] => [
    ...(chance(60) ? [{ $match: filter() }] : []),
    { $sort: sort() },
    ...(chance(20) ? [{ $skip: random(4) }] : []),
    ...(chance(20) ? [{ $limit: 1 + random(9) }] : []),
    ...(chance(30) ? [{ $unwind: { path: pick(['$l', '$a', '$s']), preserveNullAndEmptyArrays: chance(50) } }] : []),
    ...(chance(20) ? [{ $match: filter() }] : []),
    pick<() => Doc>([
      () => ({ $group: group() }),
      () => ({ $group: group() }),
      () => ({ $project: projection() }),
      () => ({ $count: 'n' }),
    ])(),
  ];

  const makers: (() => Command)[] = [
    () => ({ kind: 'insert', doc: { _id: id(), ...doc() } }),
    () => ({ kind: 'insert', doc: { _id: id(), ...doc() } }),
    () => ({
      kind: 'update',
      filter: { ...(chance(30) && filter(0)), _id: id() },
      update: update(),
      upsert: false,
      multi: false,
    }),
    () => ({ kind: 'update', filter: { _id: id() }, update: update(), upsert: false, multi: false }),
    () => ({ kind: 'update', filter: { _id: id() }, update: doc(), upsert: chance(50), multi: false }),
    () => ({
      kind: 'update',
      filter: { _id: id(), c: scalar(), n: { $gt: scalar() } },
      update: chance(80) ? update() : doc(),
      upsert: true,
      multi: false,
    }),
    () => ({ kind: 'update', filter: filter(), update: harmless(), upsert: false, multi: true }),
    () => ({ kind: 'delete', filter: { _id: id() }, multi: false }),
    () => ({ kind: 'delete', filter: { ...filter(), _id: { $in: [id(), id(), id()] } }, multi: true }),
    () => ({
      kind: 'findAndModify',
      filter: filter(),
      sort: sort(),
      isNew: chance(50),
      fields: chance(50) ? projection() : {},
      ...(chance(80) && { update: chance(80) ? update() : doc() }),
    }),
  ];
  const readers: (() => Command)[] = [
    () => ({
      kind: 'find',
      filter: filter(),
      sort: sort(),
      skip: chance(30) ? random(5) : 0,
      limit: chance(30) ? random(6) : 0,
      projection: chance(50) ? projection() : {},
    }),
    () => ({ kind: 'find', filter: filter(), sort: sort(), skip: 0, limit: 0, projection: {} }),
    () => ({ kind: 'count', filter: filter() }),
    () => ({ kind: 'distinct', key: pick(['a', 'd.x', 'l', 'l.x', 'l.0', 'n', 's.x']), filter: filter(0) }),
    () => ({ kind: 'aggregate', pipeline: pipeline() }),
  ];
  return {
    next: (): Command => (chance(40) ? pick(makers)() : pick(readers)()),
    indexes: () => INDEXES.filter(() => chance(30)),
    chance,
  };
}
