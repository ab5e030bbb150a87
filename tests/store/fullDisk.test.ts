import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { doc } from '../../models/store/embedded/bson/value.ts';
import { writeDoc } from '../../models/store/embedded/bson/write.ts';
import { Catalogue } from '../../models/store/embedded/catalogue/catalogue.ts';
import { errorReply } from '../../models/store/embedded/commands/index.ts';
import { writeQueue } from '../../models/store/embedded/commands/queue.ts';
import { openEngine } from '../../models/store/embedded/storage/engine.ts';
import { cleanUp, newDirectory } from './process.ts';

afterAll(cleanUp);

const MIB = 1024 * 1024;

/** A store on a disk of which `disk.free` bytes are left. */
async function openOn(disk: { free: number }, directory: string) {
  const engine = await openEngine(join(directory, 'store.mdb'), undefined, () => disk.free);
  const catalogue = new Catalogue(engine);
  const queue = writeQueue(engine, catalogue);
  const insert = (_id: number) =>
    queue.run(() => catalogue.records.insert(catalogue.ensure('t.c'), writeDoc(doc({ _id }))));
  const remove = (record: number, _id: number) =>
    queue.run(() => catalogue.records.remove(catalogue.find('t.c')!, record, writeDoc(doc({ _id }))));
  return { engine, insert, remove, count: () => catalogue.find('t.c')!.count };
}

test('a full disk refuses by name what adds, removals go on, and the store opens', async () => {
  const disk = { free: 8 * MIB };
  const directory = newDirectory();
  const { engine, insert, remove, count } = await openOn(disk, directory);
  const records = [await insert(1), await insert(2), await insert(3)];
  disk.free = 8 * MIB - 1;
  // A removal that shares its transaction with what is refused is done.
  const [refused, removed] = await Promise.allSettled([insert(4), remove(records[0]!, 1)]);
  expect(errorReply((refused as PromiseRejectedResult).reason)).toEqual(
    doc({ ok: 0, errmsg: 'No space left on device', code: 14031, codeName: 'OutOfDiskSpace' }),
  );
  expect([removed.status, count()]).toEqual(['fulfilled', 2]);
  disk.free = 2 * MIB;
  await remove(records[1]!, 2);
  disk.free = 2 * MIB - 1;
  await expect(remove(records[2]!, 3)).rejects.toMatchObject({ codeName: 'OutOfDiskSpace' });
  expect(count()).toBe(1);
  await engine.close();

  disk.free = 0;
  const again = await openOn(disk, directory);
  expect(again.count()).toBe(1);
  disk.free = 8 * MIB;
  await again.insert(5);
  expect(again.count()).toBe(2);
  await again.engine.close();
});

test.each([
  ['MDB_MAP_FULL: Environment mapsize limit reached', 'OutOfDiskSpace'],
  ['No space left on device', 'OutOfDiskSpace'],
  ['MDB_BAD_TXN', 'InternalError'],
])('the engine’s "%s" is %s', (message, codeName) => {
  expect(errorReply(new Error(message)).get('codeName')).toBe(codeName);
});
