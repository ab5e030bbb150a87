import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Document, serialize } from 'bson';
import { MongoClient } from 'mongodb';
import { cleanUp, newDirectory, serveHere } from './process.ts';

/** Invalid input must end its connection or get an error, and nothing else. */
let served: Awaited<ReturnType<typeof serveHere>>;
let client: MongoClient;
let state = 20241120;

beforeAll(async () => {
  served = await serveHere(newDirectory());
  client = await new MongoClient(served.uri).connect();
  await client
    .db('fuzz')
    .collection('c')
    .insertMany(Array.from({ length: 20 }, (_, i) => ({ i, a: [i, { b: i }], s: `text ${i}` })));
});
afterAll(async () => {
  await client.close();
  await served.close();
  cleanUp();
});

const random = (n: number): number => {
  state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
  return Math.floor((state / 0x80000000) * n);
};
const pick = <T>(items: readonly T[]): T => items[random(items.length)]!;

function frame(body: Buffer, operation = 2013, claimed?: number): Buffer {
  const head = Buffer.alloc(16);
  head.writeInt32LE(claimed ?? 16 + body.length, 0);
  head.writeInt32LE(random(1000), 4);
  head.writeInt32LE(operation, 12);
  return Buffer.concat([head, body]);
}

const message = (command: Document): Buffer =>
  frame(Buffer.concat([Buffer.from([0, 0, 0, 0, 0]), serialize({ ...command, $db: 'fuzz' })]));

const NAMES = [
  '$set',
  '$inc',
  '$push',
  '$or',
  '$and',
  '$in',
  '$gt',
  '$regex',
  '$elemMatch',
  '$each',
  '$slice',
  '$expr',
  '$add',
  '$cond',
  '$map',
  '$group',
  '$match',
  '$project',
  '$unwind',
  'a',
  'a.b',
  '_id',
  '$',
  '',
  '.',
  'a..b',
  '__proto__',
  'constructor',
  '$[]',
  'a.$',
  'a.$[x]',
  'limit',
  'cursor',
];
const LEAVES: (() => unknown)[] = [
  () => random(5),
  () => -1,
  () => 1e308,
  () => Number.NaN,
  () => '',
  () => '$a',
  () => '$$ROOT',
  () => '(a+)+$',
  () => null,
  () => true,
  () => [],
  () => ({}),
  () => new Date(8.64e15),
  () => '(x',
  () => 'x'.repeat(random(2000)),
  () => 2 ** 53,
];

function value(depth: number): unknown {
  if (depth <= 0 || random(3) === 0) return pick(LEAVES)();
  if (random(2) === 0) return Array.from({ length: random(4) }, () => value(depth - 1));
  return Object.fromEntries(Array.from({ length: random(4) }, () => [pick(NAMES), value(depth - 1)]));
}

const COMMANDS: (() => Document)[] = [
  () => ({
    find: 'c',
    filter: value(4),
    sort: value(2),
    projection: value(3),
    limit: value(1),
    skip: value(1),
    hint: value(2),
    collation: value(2),
  }),
  () => ({ find: 'c', filter: value(5) }),
  () => ({
    update: 'c',
    updates: [
      {
        q: value(3),
        u: value(4),
        multi: random(2) === 0,
        upsert: random(4) === 0,
        arrayFilters: random(2) ? value(3) : undefined,
      },
    ],
  }),
  () => ({ insert: 'c', documents: [value(4), value(3)] }),
  () => ({ delete: 'c', deletes: [{ q: { zz: value(3) }, limit: value(1) }] }),
  () => ({ findAndModify: 'c', query: value(3), update: value(4), new: value(1), fields: value(2), sort: value(2) }),
  () => ({ aggregate: 'c', pipeline: [value(4), { $project: { x: value(5) } }], cursor: {} }),
  () => ({ aggregate: 'c', pipeline: [{ $group: { _id: value(3), n: { $sum: value(3) } } }], cursor: value(1) }),
  () => ({ distinct: 'c', key: value(1), query: value(3) }),
  () => ({ count: 'c', query: value(3), limit: value(1) }),
  () => ({ createIndexes: 'other', indexes: value(3) }),
  () => ({ getMore: value(1), collection: value(1) }),
  () => ({
    [pick([
      'create',
      'drop',
      'collMod',
      'listIndexes',
      'dropIndexes',
      'killCursors',
      'explain',
      'renameCollection',
      'bulkWrite',
      'saslStart',
      'hello',
    ])]: value(3),
    index: value(2),
    to: value(1),
  }),
];

/** Almost valid bytes: a message with some bytes changed, removed or added. */
function mangled(): Buffer {
  const good = Buffer.from(message(pick(COMMANDS)()));
  const times = 1 + random(6);
  for (let i = 0; i < times; i++) good[random(good.length)] = pick([0, 1, 3, 4, 0xff, 0x7f, 0x80, random(256)]);
  const cut = random(8) === 0 ? good.subarray(0, random(good.length)) : good;
  if (random(2) === 0 && cut.length >= 4) cut.writeInt32LE(cut.length, 0);
  return cut;
}

function nested(depth: number): Buffer {
  let doc = Buffer.from([5, 0, 0, 0, 0]);
  for (let i = 0; i < depth; i++) {
    const outer = Buffer.alloc(4 + 3 + doc.length + 1);
    outer.writeInt32LE(outer.length, 0);
    outer[4] = 3;
    outer[5] = 0x61;
    doc.copy(outer, 7);
    doc = outer;
  }
  return frame(Buffer.concat([Buffer.from([0, 0, 0, 0, 0]), doc]));
}

const path = (): string => decodeURIComponent(/mongodb:\/\/([^/]+)\//.exec(served.uri)![1]!);

/** Sends frames over one connection after the other; each waits for its answers or its end. */
async function send(frames: Buffer[], answers: boolean): Promise<number> {
  let replies = 0;
  let socket: Socket | undefined;
  for (const bytes of frames) {
    if (!socket || socket.destroyed) {
      socket = connect(path());
      socket.on('error', () => undefined);
    }
    const current = socket;
    const done = new Promise<void>((resolve) => {
      current.once('close', () => resolve());
      current.once('data', () => {
        replies++;
        resolve();
      });
    });
    current.write(bytes);
    // The server waits for the rest of a truncated frame, so the client ends the connection.
    if (!answers) current.end();
    await done;
    if (!answers) current.destroy();
  }
  socket?.destroy();
  return replies;
}

const alive = async (): Promise<void> => {
  expect((await client.db('fuzz').command({ ping: 1 })).ok).toBe(1);
};

describe('malformed input never stops the store', () => {
  test('4,000 commands of random documents are all answered', async () => {
    const frames = Array.from({ length: 4000 }, () => message(pick(COMMANDS)()));
    expect(await send(frames, true)).toBe(4000);
    await alive();
  }, 90_000);

  test('5,000 mangled messages', async () => {
    for (let round = 0; round < 10; round++) {
      await Promise.all([0, 1, 2, 3].map(() => send(Array.from({ length: 125 }, mangled), false)));
      await alive();
    }
  }, 90_000);

  test('1,000 frames of noise', async () => {
    const noise = () => {
      const body = Buffer.from(Array.from({ length: random(200) }, () => random(256)));
      return frame(
        body,
        pick([2013, 2004, 1, 2012, 0, 2013]),
        random(3) === 0 ? pick([0, -1, 15, 16, 2 ** 31 - 1, 48_000_001, random(300)]) : undefined,
      );
    };
    await Promise.all([0, 1, 2, 3].map(() => send(Array.from({ length: 250 }, noise), false)));
    await alive();
  }, 120_000);

  test('documents that nest too deep', async () => {
    for (const depth of [150, 179, 200, 1000, 5_000]) await send([nested(depth)], false);
    await alive();
  });

  test('patterns that backtrack exponentially take no time', async () => {
    const collection = client.db('fuzz').collection('patterns');
    await collection.insertOne({ s: `${'a'.repeat(5000)}!` });
    const started = Date.now();
    for (const pattern of ['^(a+)+$', '^(a|a)*$', '^(a|aa)+$', '^(([a-z])+.)+[A-Z]([a-z])+$', '(.*a){20}b']) {
      await collection
        .find({ s: { $regex: pattern } })
        .toArray()
        .catch(() => undefined);
    }
    expect(Date.now() - started).toBeLessThan(5000);
  });

  test('earlier data is still there', async () => {
    expect(
      await client
        .db('fuzz')
        .collection('c')
        .countDocuments({ i: { $type: 'number' } }),
    ).toBeGreaterThanOrEqual(0);
    expect((await client.db('fuzz').collection('c').indexes())[0]!.name).toBe('_id_');
  });
});
