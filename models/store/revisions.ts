import { randomBytes } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { TOPICS, type Topic } from '../contracts/realtime.ts';

/** Random per start, so that a revision number is never ambiguous. */
const boot = randomBytes(4).toString('hex');
const numbers = new Map<string, number>();

type Events = {
  changed: [accountId: number, topics: Topic[], own: boolean];
  /** A change that the pages of this process have been sent already. */
  pushed: [accountId: number, topics: Topic[]];
};
/** Emits changes per account: the arc channel pushes them to browsers, signals.ts to other processes. */
export const changes = new EventEmitter<Events>();
changes.setMaxListeners(50);

const keyOf = (accountId: number, topic: Topic) => `${accountId}:${topic}`;

/** Accounts of which this process may hold or show something. */
const held = new Set<number>();

/** Notes that this process holds something of an account, e.g. in a cache. */
export function noteHeld(accountId: number): void {
  held.add(accountId);
}

function raise(accountId: number, topics: readonly Topic[]): void {
  noteHeld(accountId);
  for (const topic of topics) {
    const key = keyOf(accountId, topic);
    numbers.set(key, (numbers.get(key) ?? 0) + 1);
  }
}

/**
 * Performs a write and announces the changed topics. Revisions rise before and after it, so that an answer read during
 * the write is never taken for the state after it.
 */
export async function changing<T>(accountId: number, topics: Topic[], write: () => Promise<T>): Promise<T> {
  raise(accountId, topics);
  try {
    return await write();
  } finally {
    announce(accountId, topics);
  }
}

/** Announces a change. `own` is false for changes of another process. */
export function announce(accountId: number, topics: Topic[], own = true): void {
  raise(accountId, topics);
  changes.emit('changed', accountId, topics, own);
}

/** Announces a change to other processes alone: the pages of this one got it by a push of its own. */
export function announceElsewhere(accountId: number, topics: Topic[]): void {
  raise(accountId, topics);
  changes.emit('pushed', accountId, topics);
}

/** Announces that anything may have changed of every account that this process holds something of. */
export function announceAll(): void {
  for (const accountId of held) announce(accountId, [...TOPICS], false);
}

/** The entity tag of an answer that depends on these topics, for one viewer. Compute it before reading the data. */
export function revisionTag(accountId: number, topics: readonly Topic[], viewer: string | number = ''): string {
  noteHeld(accountId);
  const parts = topics.map((topic) => numbers.get(keyOf(accountId, topic)) ?? 0);
  return `"${boot}-${accountId}-${viewer}-${parts.join('.')}"`;
}

/** All topics, for changes that affect everything. */
export const everyTopic: Topic[] = [...TOPICS];
