import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { open } from 'lmdb';

/** Who serves a directory: a process, told from a later one of the same number by when it began. */
type Claim = { pid: number; began: string; space: string; token: string; at: number };

const KEY = 'owner';
/** A claim that cannot be judged by its process is left alone this long: its holder may be about to listen. */
const GRACE = 5_000;

function began(pid: number): string {
  try {
    if (process.platform === 'linux') {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]!;
    }
    if (process.platform !== 'win32')
      return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
  } catch {
    // Not there, or not to be seen: then only its number tells.
  }
  return '';
}

/** The name of the space that process numbers count in; containers have their own. */
function pidSpace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Whether a claim's holder is certainly gone; `answers` says that somebody serves the directory. */
function isStale(claim: Claim, answers: boolean): boolean {
  if (claim.space !== pidSpace() || claim.pid === process.pid) return !answers && Date.now() - claim.at > GRACE;
  return !isRunning(claim.pid) || (claim.began !== '' && claim.began !== began(claim.pid));
}

async function change<T>(
  directory: string,
  work: (read: () => Claim | undefined, write: (claim?: Claim) => void) => T,
): Promise<T> {
  const db = open<Claim>({
    path: join(directory, 'owner.mdb'),
    noSubdir: true,
    overlappingSync: false,
    encoding: 'json',
  } as never);
  try {
    return db.transactionSync(() =>
      work(
        () => db.get(KEY),
        (claim) => {
          if (claim) db.putSync(KEY, claim);
          else db.removeSync(KEY);
        },
      ),
    );
  } finally {
    await db.close();
  }
}

/**
 * Makes this process the owner of a directory, unless another one that lives is. The decision falls inside a write
 * transaction, so that of any number of processes exactly one gets it. `token` names the asker across restarts of its
 * thread; `answers` says whether somebody serves the directory right now.
 */
export function takeClaim(directory: string, token: string, answers: boolean): Promise<boolean> {
  return change(directory, (read, write) => {
    const claim = read();
    if (claim && claim.token !== token && !isStale(claim, answers)) return false;
    write({ pid: process.pid, began: began(process.pid), space: pidSpace(), token, at: Date.now() });
    return true;
  });
}

/** Gives the directory up. */
export function dropClaim(directory: string, token: string): Promise<void> {
  return change(directory, (read, write) => {
    if (read()?.token === token) write();
  });
}
