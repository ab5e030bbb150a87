import { fromEarlier } from '../../../models/contracts/questionRows.ts';
import type { Clashes, Decisions } from './decisions.ts';

/** Unsent decisions of one review, as stored on this device. */
export type Unsent = {
  userAgentId: number;
  /** Version of the draft that the decisions were made on. */
  version: number;
  base: Decisions;
  mine: Decisions;
  clashes: Clashes;
  /** What was sent and not answered: the server may have saved any of it, or may yet. */
  sent: Sent[];
};

/** Decisions that were sent, with the version of the draft that they were sent for. */
export type Sent = { version: number; rows: Decisions };

const PREFIX = 'arc.review.';
const keyOf = (person: string, interruptId: number) => `${PREFIX}${person}.${interruptId}`;

const isRecord = (it: unknown): it is Record<string, unknown> =>
  typeof it === 'object' && it !== null && !Array.isArray(it);
const isSent = (it: unknown): it is Sent => isRecord(it) && typeof it.version === 'number' && isRecord(it.rows);
const isUnsent = (it: unknown): it is Omit<Unsent, 'sent'> & { sent?: unknown } =>
  isRecord(it) &&
  typeof it.userAgentId === 'number' &&
  typeof it.version === 'number' &&
  [it.base, it.mine, it.clashes].every(isRecord);

function parse(text: string | null): Unsent | null {
  try {
    const kept: unknown = JSON.parse(text ?? 'null');
    if (!isUnsent(kept)) return null;
    // An earlier version of the page may have stored it.
    const read = (rows: Clashes) =>
      Object.fromEntries(Object.entries(rows).map(([id, row]) => [id, row && fromEarlier(row)]));
    const { userAgentId, version, base, mine, clashes } = kept;
    const sent = Array.isArray(kept.sent) ? kept.sent.filter(isSent) : [];
    return {
      userAgentId,
      version,
      base: read(base) as Decisions,
      mine: read(mine) as Decisions,
      clashes: read(clashes),
      sent: sent.map((one) => ({ version: one.version, rows: read(one.rows) as Decisions })),
    };
  } catch {
    return null;
  }
}

/** The stored decisions of a review; null if there are none. */
export function readUnsent(person: string, interruptId: number): Unsent | null {
  try {
    return parse(localStorage.getItem(keyOf(person, interruptId)));
  } catch {
    return null;
  }
}

/** Stores the decisions of a review on this device; null removes them. @returns whether the storage worked */
export function writeUnsent(person: string, interruptId: number, unsent: Unsent | null): boolean {
  try {
    if (unsent) localStorage.setItem(keyOf(person, interruptId), JSON.stringify(unsent));
    else localStorage.removeItem(keyOf(person, interruptId));
    return true;
  } catch {
    // The storage is full or blocked: decisions last as long as the page.
    return false;
  }
}

/** The reviews of a person that have decisions kept on this device. */
export function listUnsent(person: string): { interruptId: number; userAgentId: number }[] {
  const prefix = `${PREFIX}${person}.`;
  try {
    return Object.keys(localStorage)
      .filter((key) => key.startsWith(prefix))
      .flatMap((key) => {
        const unsent = parse(localStorage.getItem(key));
        return unsent ? [{ interruptId: Number(key.slice(prefix.length)), userAgentId: unsent.userAgentId }] : [];
      });
  } catch {
    return [];
  }
}

/** Calls back when another tab stores decisions for a review. */
export function onUnsent(person: string, interruptId: number, listener: (unsent: Unsent | null) => void): () => void {
  const key = keyOf(person, interruptId);
  const onStorage = (event: StorageEvent) => {
    if (event.key === key) listener(parse(event.newValue));
  };
  window.addEventListener('storage', onStorage);
  return () => window.removeEventListener('storage', onStorage);
}
