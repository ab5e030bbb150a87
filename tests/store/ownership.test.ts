import { mkdirSync, readFileSync, renameSync, rmdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { BroadcastChannel } from 'node:worker_threads';
import { afterAll, describe, expect, test } from '@jest/globals';
import { open } from 'lmdb';
import { MongoClient } from 'mongodb';
import { startEmbeddedStore } from '../../models/store/embedded/index.ts';
import { hostStore } from '../../models/store/embedded/ownership/host.ts';
import { cleanUp, newDirectory, serveHere, startProcess, until, WORKER_FILE } from './process.ts';

afterAll(cleanUp);

const socketOf = (uri: string): string => decodeURIComponent(/mongodb:\/\/([^/]+)\//.exec(uri)![1]!);

describe('the owner of a directory', () => {
  test('is one of four processes that start at once', async () => {
    const directory = newDirectory();
    const racers = Array.from({ length: 4 }, () => startProcess(directory));
    const ready = await Promise.all(
      racers.map((racer) => racer.when((event) => event.kind === 'ready' || event.kind === 'error')),
    );
    expect(ready.map((event) => event.error)).toEqual([undefined, undefined, undefined, undefined]);
    expect(ready.filter((event) => event.owner).length).toBe(1);
    expect(new Set(ready.map((event) => event.uri)).size).toBe(1);
    const client = await new MongoClient(ready[0]!.uri!).connect();
    await client.db('t').collection('c').insertOne({ a: 1 });

    // The owner is killed: exactly one of the others takes over, and this client continues without knowing.
    const owner = ready.findIndex((event) => event.owner);
    await racers[owner]!.kill();
    const rest = racers.filter((_, i) => i !== owner);
    await Promise.race(rest.map((racer) => racer.when((event) => event.kind === 'owner')));
    expect(await client.db('t').collection('c').countDocuments({})).toBe(1);
    await client.db('t').collection('c').insertOne({ a: 2 });

    // And again, this time with a proper close.
    const second = rest.findIndex((racer) => racer.events.some((event) => event.kind === 'owner'));
    await rest[second]!.close();
    const last = rest.filter((_, i) => i !== second);
    await Promise.race(last.map((racer) => racer.when((event) => event.kind === 'owner')));
    expect(await client.db('t').collection('c').countDocuments({})).toBe(2);
    await client.close();
    await Promise.all(last.map((racer) => racer.kill()));
  }, 120_000);

  test('is the first process, and a second one is its client', async () => {
    const directory = newDirectory();
    const first = startProcess(directory);
    await first.when((event) => event.kind === 'ready');
    const store = await startEmbeddedStore({ directory, workerFile: WORKER_FILE });
    expect(store.owner).toBe(false);
    const client = await new MongoClient(store.uri).connect();
    await client.db('t').collection('c').insertOne({ a: 1 });
    await first.kill();
    // The driver finds the new owner, which is this process, at the same address.
    let count = -1;
    while (count < 0)
      count = await client
        .db('t')
        .collection('c')
        .countDocuments({})
        .catch(() => -1);
    expect(count).toBe(1);
    expect(store.owner).toBe(true);
    await client.close();
    await store.close();
  }, 120_000);

  test('retries a failed takeover', async () => {
    const directory = newDirectory();
    const claims = open<{ at: number }>({ path: join(directory, 'owner.mdb'), noSubdir: true, encoding: 'json' });
    const first = startProcess(directory);
    await first.when((event) => event.kind === 'ready');
    const next = await hostStore({ directory });
    expect(next.owner()).toBe(false);
    // A folder in place of the data file, so that no store can be opened.
    const file = join(directory, 'store.mdb');
    renameSync(file, `${file}-kept`);
    mkdirSync(file);
    await first.kill();
    const tries = new Set<number>();
    // The first process's claim, the failed attempt, and another one.
    await until(() => tries.add(claims.get('owner')!.at).size === 3);
    rmdirSync(file);
    renameSync(`${file}-kept`, file);
    await until(() => next.owner());
    await claims.close();
    await next.close();
  }, 120_000);

  test('restarts its worker when it ends', async () => {
    const directory = newDirectory();
    const store = await startEmbeddedStore({
      directory,
      workerFile: join(process.cwd(), 'tests/store/fragileWorker.mjs'),
    });
    const client = await new MongoClient(store.uri).connect();
    const channel = new BroadcastChannel('fragile');
    const started = async () => (await client.db('admin').command({ serverStatus: 1 })).startedAt.getTime();
    for (let round = 1; round <= 3; round++) {
      await client.db('t').collection('c').insertOne({ round });
      const before = await started();
      channel.postMessage('end');
      let count = -1;
      // Until the new worker answers; the old one may still answer briefly.
      while (count < 0 || (await started().catch(() => before)) === before)
        count = await client
          .db('t')
          .collection('c')
          .countDocuments({})
          .catch(() => -1);
      expect(count).toBe(round);
      if (round < 3) continue;
      expect(store.owner).toBe(true);
    }
    channel.close();
    await client.close();
    await store.close();
  }, 120_000);

  test('can open a closed store again', async () => {
    const directory = newDirectory();
    for (let i = 0; i < 3; i++) {
      const store = await startEmbeddedStore({ directory, workerFile: WORKER_FILE });
      expect(store.owner).toBe(true);
      await store.close();
    }
  });
});

describe('access to the store', () => {
  test('is by a socket with mode 0600 in a directory with mode 0700', async () => {
    const directory = join(newDirectory(), 'data');
    mkdirSync(directory, { mode: 0o755 });
    const served = await serveHere(directory);
    const socket = socketOf(served.uri);
    expect(statSync(socket).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(socket)).mode & 0o777).toBe(0o700);
    await served.close();
  });

  test('works for a directory whose path is too long for a socket', async () => {
    const directory = join(newDirectory(), 'x'.repeat(60), 'y'.repeat(60));
    const served = await serveHere(directory);
    const socket = socketOf(served.uri);
    expect(Buffer.byteLength(socket)).toBeLessThanOrEqual(107);
    expect(statSync(dirname(socket)).mode & 0o777).toBe(0o700);
    const client = await new MongoClient(served.uri).connect();
    expect((await client.db('t').command({ ping: 1 })).ok).toBe(1);
    await client.close();
    await served.close();
  });

  test('on a port needs the password', async () => {
    const directory = newDirectory();
    const host = await hostStore({ directory, force: 'port' });
    const client = await new MongoClient(host.uri).connect();
    await client.db('t').collection('c').insertOne({ a: 1 });
    expect(await client.db('t').collection('c').countDocuments({})).toBe(1);
    await client.close();
    const address = join(directory, 'address.json');
    expect(statSync(address).mode & 0o777).toBe(0o600);
    const { password, port } = JSON.parse(readFileSync(address, 'utf8'));
    const without = new MongoClient(`mongodb://127.0.0.1:${port}/?directConnection=true`);
    await expect(without.db('t').collection('c').insertOne({ a: 2 })).rejects.toThrow('requires authentication');
    await without.close();
    const wrong = new MongoClient(host.uri.replace(password, 'wrong'));
    await expect(wrong.connect()).rejects.toThrow('Authentication failed');
    await wrong.close();
    const stranger = new MongoClient(host.uri.replace('arc:', 'root:'));
    await expect(stranger.connect()).rejects.toThrow('Authentication failed');
    await stranger.close();
    await host.close();
    const again = await hostStore({ directory, force: 'port' });
    expect(again.uri).toBe(host.uri);
    await again.close();
  });
});
