import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { deserialize, EJSON, serialize } from 'bson';
import { type Collection, type Db, type Document, MongoClient, MongoServerError } from 'mongodb';

/** The store or the MongoDB server that the tests run against. */
export const uri = (): string => process.env.TEST_STORE_URI!;

/** Whether the tests run against the embedded store, for features that only it has. */
export const embedded = !process.env.MONGODB_URI;

/** Keeps every type as it is on the wire: Int32 stays distinct from Double and Long. */
export const TYPED = { promoteValues: false, promoteLongs: false, promoteBuffers: false } as const;

export type Bench = { db: Db; fresh(): Collection<Document> };

/** A database of the test file's own, dropped before and after. */
export function openDatabase(name: string): Bench {
  const database = `store_${name}`;
  const client = new MongoClient(uri());
  const bench = { db: client.db(database) } as Bench;
  let made = 0;
  bench.fresh = () => bench.db.collection(`c${++made}`);
  beforeAll(async () => {
    await client.connect();
    await bench.db.dropDatabase();
  });
  afterAll(async () => {
    await bench.db.dropDatabase();
    await client.close();
  });
  return bench;
}

/** A value's canonical text with types, so that 1 as Int32 differs from 1 as Double. */
export function canonical(value: unknown): string {
  const typed = deserialize(serialize({ value }, { ignoreUndefined: true }), TYPED);
  return EJSON.stringify(typed.value, { relaxed: false });
}

/** Expects the same value with the same types and the same order of fields. */
export function expectSame(actual: unknown, expected: unknown): void {
  expect(canonical(actual)).toBe(canonical(expected));
}

/** The code of the error that a promise fails with; fails itself if nothing is thrown. */
export async function codeOf(promise: Promise<unknown>): Promise<number | string | undefined> {
  try {
    await promise;
  } catch (error) {
    return error instanceof MongoServerError ? error.code : String(error);
  }
  return 'no error';
}

export type Docs = Document[];

export type { Collection, Db, Document };
export { expect, test };
