import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { readDoc } from '../../models/store/embedded/bson/read.ts';
import type { Doc } from '../../models/store/embedded/bson/value.ts';
import { writeDoc } from '../../models/store/embedded/bson/write.ts';
import { Catalogue } from '../../models/store/embedded/catalogue/catalogue.ts';
import { type Collection, docKey, prefix, recordOf } from '../../models/store/embedded/catalogue/collection.ts';
import { bootId, recover, SLOT } from '../../models/store/embedded/storage/checkpoint.ts';
import { type Engine, openEngine } from '../../models/store/embedded/storage/engine.ts';
import { cleanUp, newDirectory } from './process.ts';

afterAll(cleanUp);

/** Longer than any test: checkpoints are made only on request. */
const NEVER = 2 ** 30;
const PAGE = 4096;

let seed = 99;
const random = (n: number): number => {
  seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
  return Math.floor((seed / 0x80000000) * n);
};

const body = (id: number, v: number): Buffer =>
  writeDoc(
    new Map<string, never>([
      ['_id', id as never],
      ['v', v as never],
      ['pad', 'x'.repeat(random(3000)) as never],
    ]),
  );

type Model = Map<number, { record: number; v: number }>;

/** Inserts, changes and removes documents in one transaction; the model is updated alike. */
function work(engine: Engine, catalogue: Catalogue, model: Model): void {
  engine.write(() => {
    const collection = catalogue.ensure('t.c');
    if (collection.indexes.length === 1)
      catalogue.createIndex(
        collection,
        new Map<string, never>([
          ['key', new Map([['v', 1]]) as never],
          ['name', 'v_1' as never],
        ]),
      );
    for (let i = random(12); i >= 0; i--) {
      const ids = [...model.keys()];
      const id = ids[random(ids.length)];
      const choice = random(4);
      if (id === undefined || choice < 2) {
        const fresh = collection.nextRecord * 1000 + random(1000);
        model.set(fresh, { record: catalogue.records.insert(collection, body(fresh, 1)), v: 1 });
      } else if (choice === 2) {
        const item = model.get(id)!;
        catalogue.records.replace(
          collection,
          item.record,
          engine.docs.get(docKey(collection.number, item.record))!,
          body(id, ++item.v),
        );
      } else {
        const { record } = model.get(id)!;
        catalogue.records.remove(collection, record, engine.docs.get(docKey(collection.number, record))!);
        model.delete(id);
      }
    }
    catalogue.persist();
  });
}

/** Checks everything in a file: documents, index entries and count must match the model. */
async function verify(file: string, model: Model): Promise<void> {
  const engine = await openEngine(file, NEVER);
  const collection = new Catalogue(engine).find('t.c') as Collection;
  const range = { start: prefix(collection.number), end: prefix(collection.number + 1) };
  const found = engine.docs
    .keys(range)
    .map((key): [number, Doc] => [recordOf(key), readDoc(engine.docs.get(docKey(collection.number, recordOf(key)))!)]);
  expect(found.length).toBe(model.size);
  for (const [record, doc] of found) expect(model.get(doc.get('_id') as number)).toEqual({ record, v: doc.get('v') });
  for (const index of collection.indexes) {
    expect(engine.entries.keys({ start: prefix(index.number), end: prefix(index.number + 1) }).length).toBe(model.size);
  }
  expect(collection.count).toBe(model.size);
  // And it can be written to again.
  const catalogue = new Catalogue(engine);
  const next = copyOf(model);
  for (let i = 0; i < 5; i++) work(engine, catalogue, next);
  await engine.close();
}

const copyOf = (model: Model): Model => new Map([...model].map(([id, item]) => [id, { ...item }]));

describe('a power cut', () => {
  test('that left any mixture of pages on disk leads back to the last checkpoint', async () => {
    if (bootId() === undefined) return;
    const directory = newDirectory();
    const file = join(directory, 'store.mdb');
    const engine = await openEngine(file, NEVER);
    const catalogue = new Catalogue(engine);
    const model: Model = new Map();
    for (let round = 0; round < 20; round++) {
      for (let i = random(15); i >= 0; i--) work(engine, catalogue, model);
      await engine.flushed();
      const safe = copyOf(model);
      const onDisk = readFileSync(file);
      copyFileSync(`${file}-checkpoint`, join(directory, 'cut.mdb-checkpoint'));
      for (let i = 1 + random(25); i > 0; i--) work(engine, catalogue, model);
      const inCache = readFileSync(file);
      for (let cut = 0; cut < 3; cut++) {
        const mixed = Buffer.alloc(inCache.length);
        for (let at = 0; at < inCache.length; at += PAGE) {
          const kind = cut === 2 ? random(3) : random(2);
          if (kind === 0 && at < onDisk.length) onDisk.copy(mixed, at, at, at + PAGE);
          else if (kind === 1 || at < onDisk.length) inCache.copy(mixed, at, at, at + PAGE);
        }
        const target = join(directory, 'cut.mdb');
        writeFileSync(target, mixed);
        expect(recover(target, 'another boot of this machine, later on')).toBe(true);
        copyFileSync(join(directory, 'cut.mdb-checkpoint'), join(directory, 'kept'));
        rmSync(join(directory, 'cut.mdb-checkpoint'));
        await verify(target, safe);
        copyFileSync(join(directory, 'kept'), join(directory, 'cut.mdb-checkpoint'));
        for (const name of ['cut.mdb', 'cut.mdb-lock']) rmSync(join(directory, name), { force: true });
      }
    }
    await engine.close();
    expect(existsSync(`${file}-checkpoint`)).toBe(false);
    await verify(file, model);
  }, 90_000);

  test('during a checkpoint leaves the previous one', async () => {
    if (bootId() === undefined) return;
    const file = join(newDirectory(), 'store.mdb');
    const engine = await openEngine(file, NEVER);
    const catalogue = new Catalogue(engine);
    const model: Model = new Map();
    work(engine, catalogue, model);
    await engine.flushed();
    const first = copyOf(model);
    work(engine, catalogue, model);
    const torn = readFileSync(`${file}-checkpoint`);
    await engine.flushed();
    const after = readFileSync(`${file}-checkpoint`);
    // Half of the second checkpoint's slot is written.
    const slot = after.subarray(0, SLOT).equals(torn.subarray(0, SLOT)) ? SLOT : 0;
    after.copy(torn, slot, slot, slot + 4000);
    const target = join(newDirectory(), 'store.mdb');
    copyFileSync(file, target);
    writeFileSync(`${target}-checkpoint`, torn);
    expect(recover(target, 'another')).toBe(true);
    rmSync(`${target}-checkpoint`);
    await verify(target, first);
    await engine.close();
  });

  test('within the same boot needs no recovery', async () => {
    const file = join(newDirectory(), 'store.mdb');
    const engine = await openEngine(file, NEVER);
    expect(recover(file, bootId())).toBe(false);
    await engine.close();
    expect(recover(file, 'another')).toBe(false);
  });
});
