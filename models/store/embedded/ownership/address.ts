import { createHash, randomBytes } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync, readFileSync, realpathSync, renameSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The address of a directory's store: always the same, so that clients find a new owner. */
export type StoreAddress = { kind: 'socket'; path: string } | { kind: 'port'; port: number; password: string };

export const USER = 'arc';

/** Bytes a socket's path may have; the systems cut longer ones off without a word. */
const MAX_PATH = process.platform === 'darwin' ? 103 : 107;

/** A folder of our own in the temporary folder; undefined when what is there belongs to somebody else. */
function privateFolder(directory: string): string | undefined {
  const name = createHash('sha256').update(realpathSync(directory)).digest('hex').slice(0, 16);
  const folder = join(tmpdir(), `arc-${name}`);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return undefined;
  }
  const found = lstatSync(folder);
  if (!found.isDirectory() || found.uid !== process.getuid?.()) return undefined;
  chmodSync(folder, 0o700);
  return folder;
}

function socketPath(directory: string): string | undefined {
  if (process.platform === 'win32') return undefined;
  const fits = (path: string) => Buffer.byteLength(path) <= MAX_PATH;
  const own = join(directory, 'store.sock');
  if (fits(own)) return own;
  const folder = privateFolder(directory);
  const path = folder && join(folder, 'store.sock');
  return path && fits(path) ? path : undefined;
}

const portFile = (directory: string): string => join(directory, 'address.json');

/** The address of a directory's store. `force` asks for the fall-back: a port with a password. */
export function addressOf(directory: string, force?: 'port'): StoreAddress {
  const path = force ? undefined : socketPath(directory);
  if (path) return { kind: 'socket', path };
  try {
    return JSON.parse(readFileSync(portFile(directory), 'utf8')) as StoreAddress;
  } catch {
    return { kind: 'port', port: 0, password: randomBytes(24).toString('hex') };
  }
}

/** Keeps the port and password for this directory's other processes and later owners. */
export function keepAddress(directory: string, address: StoreAddress): void {
  if (address.kind !== 'port') return;
  const file = portFile(directory);
  writeFileSync(`${file}.part`, JSON.stringify(address), { mode: 0o600 });
  renameSync(`${file}.part`, file);
}

/** The URI that the official driver connects with. */
export function uriOf(address: StoreAddress): string {
  if (address.kind === 'socket') return `mongodb://${encodeURIComponent(address.path)}/?directConnection=true`;
  return `mongodb://${USER}:${address.password}@127.0.0.1:${address.port}/?directConnection=true&authSource=admin&authMechanism=SCRAM-SHA-256`;
}

/** Connects to whoever serves the address; undefined when nobody does. The promise's `closed` resolves when it ends. */
export function reach(address: StoreAddress): Promise<{ closed: Promise<void>; end(): void } | undefined> {
  if (address.kind === 'port' && address.port === 0) return Promise.resolve(undefined);
  return new Promise((resolve) => {
    const socket = address.kind === 'socket' ? connect(address.path) : connect(address.port, '127.0.0.1');
    socket.once('error', () => resolve(undefined));
    socket.once('connect', () => {
      const closed = new Promise<void>((done) => socket.once('close', () => done()));
      socket.unref();
      resolve({ closed, end: () => socket.destroy() });
    });
  });
}
