import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { type OpenStore, openStore } from '../store.ts';
import { scramSession } from '../wire/scram.ts';
import { listen } from '../wire/server.ts';
import { addressOf, keepAddress, reach, type StoreAddress, uriOf } from './address.ts';
import { openClaims } from './claim.ts';
import { giveReserve, takeReserve } from './reserve.ts';

/** A directory's store in this process: served here, or by another process that this one stands by for. */
type Host = {
  uri: string;
  owner(): boolean;
  /** The store itself, where this process serves it. */
  store(): OpenStore | undefined;
  close(): Promise<void>;
};

type HostOptions = {
  directory: string;
  /** Identifies the caller when its thread is restarted. */
  token?: string;
  /** Use the port even where a socket would do. */
  force?: 'port';
  /** Called when this process has taken the directory over. */
  onOwner?: () => void;
  /** Called when taking it over failed; it is tried again. */
  onFailure?: (error: Error) => void;
};

type Serving = { store: OpenStore; address: StoreAddress; close(): Promise<void> };

/** Milliseconds between two tries to become the owner or its client, and after one that failed. */
const RETRY = 50;
const AFTER_FAILURE = 1_000;

async function serve(directory: string, wanted: StoreAddress): Promise<Serving> {
  giveReserve(directory);
  const store = await openStore(directory);
  takeReserve(directory);
  try {
    if (wanted.kind === 'socket') {
      rmSync(wanted.path, { force: true });
      // The directory keeps others out; the socket gets its own mode as well before the address is told to anyone.
      const { close } = await listen(store, { socketPath: wanted.path }, (id) => ({ id, authenticated: true }));
      chmodSync(wanted.path, 0o600);
      return { store, address: wanted, close };
    }
    const newSession = scramSession(wanted.password);
    const listenOn = (port: number) => listen(store, { port }, newSession);
    const { port, close } = await listenOn(wanted.port).catch(() => listenOn(0));
    const address: StoreAddress = { ...wanted, port };
    keepAddress(directory, address);
    return { store, address, close };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/**
 * Serves a directory, or finds the process that does and stands by: when that one ends, killed or not, this one takes
 * over at the same address, so that the drivers of both reconnect.
 */
export async function hostStore(options: HostOptions): Promise<Host> {
  const { directory, token = randomBytes(8).toString('hex') } = options;
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  chmodSync(directory, 0o700);
  giveReserve(directory);
  const claims = openClaims(directory);
  let serving: Serving | undefined;
  let watched: { end(): void } | undefined;
  let closing = false;

  /** One attempt: serves, or returns the owner; undefined where neither worked and it is retried. */
  const settle = async (): Promise<{ address: StoreAddress; closed?: Promise<void> } | undefined> => {
    const address = addressOf(directory, options.force);
    const other = await reach(address);
    if (!claims.take(token, other !== undefined)) {
      watched = other;
      return other && { address, closed: other.closed };
    }
    other?.end();
    serving = await serve(directory, address);
    return { address: serving.address };
  };

  const settled = async (attempt: typeof settle, patience: number) => {
    const until = Date.now() + patience;
    for (;;) {
      const found = await attempt();
      if (found || closing) return found;
      if (Date.now() > until) throw new Error(`The store in ${directory} belongs to a process that does not answer.`);
      await wait(RETRY);
    }
  };

  const first = (await settled(settle, 15_000).catch(async (error: unknown) => {
    await claims.close();
    throw error;
  }))!;
  takeReserve(directory);
  const standBy = async () => {
    // Any failure during a take-over is retried: its clients have no other server.
    const attempt = () =>
      settle().catch((error: Error) => {
        options.onFailure?.(error);
        return wait(AFTER_FAILURE, undefined);
      });
    for (let other = first.closed; other; other = (await settled(attempt, Number.POSITIVE_INFINITY))?.closed) {
      await other;
      if (closing) return;
    }
    if (first.closed && serving) options.onOwner?.();
  };
  standBy().catch(() => undefined);
  const close = async () => {
    closing = true;
    watched?.end();
    if (serving) {
      await serving.close();
      await serving.store.close();
      claims.drop(token);
    }
    await claims.close();
  };
  return { uri: uriOf(first.address), owner: () => serving !== undefined, store: () => serving?.store, close };
}
