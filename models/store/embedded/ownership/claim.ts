import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { open } from 'lmdb';
import { throughWriteGate } from './writeGate.ts';

/** The owner of a directory: a process, identified by its id and start time, because ids are reused. */
type Claim = { pid: number; began: string; space: string; token: string; at: number };

const KEY = 'owner';
/** A claim whose process can't be inspected is respected this long: its holder may be about to listen. */
const GRACE = 5_000;

/** Output of a system query; '' where there is none. */
function seen(look: () => string | undefined): string {
  try {
    return look() ?? '';
  } catch {
    return '';
  }
}

/** Start time of a process; '' where the system does not tell, so that only the id counts. */
const began = (pid: number): string =>
  seen(() => {
    if (process.platform === 'win32') return '';
    if (process.platform !== 'linux')
      return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  });

/** The PID namespace; containers have their own. */
const pidSpace = (): string => seen(() => readlinkSync('/proc/self/ns/pid'));

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Whether a claim's holder is certainly dead; `answers` says whether somebody serves the directory. */
function isStale(claim: Claim, answers: boolean): boolean {
  if (claim.space !== pidSpace() || claim.pid === process.pid) return !answers && Date.now() - claim.at > GRACE;
  return !isRunning(claim.pid) || (claim.began !== '' && claim.began !== began(claim.pid));
}

/** The claims on a directory, as a process has them open. */
type Claims = {
  /**
   * Makes this process the owner, unless another live process is. `token` identifies the caller across restarts of its
   * thread; `answers` says whether somebody serves the directory right now.
   */
  take(token: string, answers: boolean): boolean;
  /** Releases the directory. */
  drop(token: string): void;
  close(): Promise<void>;
};

/**
 * Opens the claims of a directory once, for the lifetime of this process: a failed open leaves lmdb's file half open in
 * the process, and later ones fail with it until garbage collection.
 */
export function openClaims(directory: string): Claims {
  const path = join(directory, 'owner.mdb');
  const db = open<Claim>({ path, noSubdir: true, overlappingSync: false, encoding: 'json' } as never);
  /** Changes the claim inside a write transaction, so that of any number of processes exactly one does. */
  const change = (work: (claim?: Claim) => Claim | undefined): Claim | undefined =>
    throughWriteGate(() =>
      db.transactionSync(() => {
        const claim = work(db.get(KEY));
        if (claim) db.putSync(KEY, claim);
        else db.removeSync(KEY);
        return claim;
      }),
    );
  return {
    take(token, answers) {
      const own = { pid: process.pid, began: began(process.pid), space: pidSpace(), token, at: Date.now() };
      return change((there) => (there && there.token !== token && !isStale(there, answers) ? there : own)) === own;
    },
    drop: (token) => void change((claim) => (claim?.token === token ? undefined : claim)),
    close: () => db.close(),
  };
}
