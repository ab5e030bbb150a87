import { randomBytes } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { TOPICS, type Topic } from '../contracts/realtime.ts';

/** Differs after each start, so that a number never means two things. */
const boot = randomBytes(4).toString('hex');
const numbers = new Map<string, number>();

type Events = { changed: [accountId: number, topics: Topic[], own: boolean] };
/** What changed in which account; the arc channel tells browsers, the signals tell other processes. */
export const changes = new EventEmitter<Events>();
changes.setMaxListeners(50);

const keyOf = (accountId: number, topic: Topic) => `${accountId}:${topic}`;

function raise(accountId: number, topics: readonly Topic[]): void {
  for (const topic of topics) {
    const key = keyOf(accountId, topic);
    numbers.set(key, (numbers.get(key) ?? 0) + 1);
  }
}

/**
 * Does a write and tells who watches. The numbers rise before and after, so that an answer that was read while the
 * write went on is never taken for the state after it.
 */
export async function changing<T>(accountId: number, topics: Topic[], write: () => Promise<T>): Promise<T> {
  raise(accountId, topics);
  try {
    return await write();
  } finally {
    announce(accountId, topics);
  }
}

/** Says that something has changed. `own` is false for what another process did. */
export function announce(accountId: number, topics: Topic[], own = true): void {
  raise(accountId, topics);
  changes.emit('changed', accountId, topics, own);
}

/** The entity tag of an answer made of these topics for one viewer; take it before reading. */
export function revisionTag(accountId: number, topics: readonly Topic[], viewer: string | number = ''): string {
  const parts = topics.map((topic) => numbers.get(keyOf(accountId, topic)) ?? 0);
  return `"${boot}-${accountId}-${viewer}-${parts.join('.')}"`;
}

/** All topics, for whoever lost track. */
export const everyTopic: Topic[] = [...TOPICS];
