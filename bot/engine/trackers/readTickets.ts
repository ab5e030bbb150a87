import { AppError } from '../../../models/contracts/errors.ts';
import { LIMITS } from '../../../models/contracts/limits.ts';
import { env } from '../../../models/env.ts';
import { onceByKey } from '../../../models/store/duplicate.ts';
import { changing } from '../../../models/store/revisions.ts';
import { TicketReading, type TicketReadingRow } from '../../../models/ticketReading.ts';
import { TrackedTicket } from '../../../models/trackedTicket.ts';
import type { Access, ScopeValues, Ticket } from '../connectors/connector.ts';
import { CursorRefused } from '../connectors/failure.ts';
import { readScopeValues } from '../connectors/scope.ts';
import { requireTracker } from './tracker.ts';

/** How long a reader that stopped saving pages keeps others out. */
const CLAIM_MS = 60_000 * env.PATIENCE_FACTOR;
/** What changed this long before the last reading is read again: clocks and search indexes of trackers run late. */
const OVERLAP_MS = 5 * 60_000;
/** Where a tracker can't list keys, all tickets are read again after this time, to find those that are gone. */
const ALL_AGAIN_MS = 24 * 60 * 60_000;

type Reader = {
  /** Who reads; the same reader goes on at once after a crash. */
  by: string;
  signal?: AbortSignal;
  onProgress?(done: number, total: number | null): void;
};

/** What was read. */
type ReadTickets = { count: number; readAt: Date; query: string; changed: number };

const keyOf = ({ accountId, connector }: Pick<TicketReadingRow, 'accountId' | 'connector'>) => ({
  accountId,
  connector,
});

/** Claims the reading of a tracker, and begins a new one where none is under way. @throws AppError not_available */
async function claim(accountId: number, connector: string, name: string, by: string): Promise<TicketReadingRow> {
  const now = new Date();
  const key = { accountId, connector };
  await onceByKey(() => TicketReading.updateOne(key, { $setOnInsert: { phase: 'idle' } }, { upsert: true }));
  const free = [{ claim: null }, { 'claim.by': by }, { 'claim.until': { $lte: now } }];
  const row = await TicketReading.findOneAndUpdate(
    { ...key, $or: free },
    { $set: { claim: { by, until: new Date(now.getTime() + CLAIM_MS) } } },
    { returnDocument: 'after' },
  ).lean();
  if (!row) throw new AppError('not_available', { text: `${name} is being read already. Please wait for it to end.` });
  return row;
}

/** The fields of a new reading. */
function beginReading({ readAt, allReadAt, number }: TicketReadingRow, listsKeys: boolean, now: Date) {
  const isAll = readAt === null || (!listsKeys && now.getTime() - (allReadAt?.getTime() ?? 0) >= ALL_AGAIN_MS);
  return {
    phase: 'tickets' as const,
    number: number + 1,
    since: isAll ? null : new Date(readAt.getTime() - OVERLAP_MS),
    cursor: null,
    done: 0,
    total: null,
    begunAt: now,
  };
}

/** Replaces tickets by what was read of them. After a crash in between, their page is read again. */
async function keepTickets(row: TicketReadingRow, tickets: readonly Ticket[]): Promise<void> {
  const byKey = new Map(tickets.map((ticket) => [ticket.key, ticket]));
  await TrackedTicket.deleteMany({ ...keyOf(row), key: { $in: [...byKey.keys()] } });
  await TrackedTicket.insertMany(
    [...byKey.values()].map((ticket) => ({
      ...ticket,
      ...keyOf(row),
      description: ticket.description.slice(0, LIMITS.connectors.description),
      seenIn: row.number,
    })),
  );
}

/** Saves how far a reading is, and keeps the claim. @throws AppError where the reading was taken over or deleted */
async function save(row: TicketReadingRow, by: string, change: Partial<TicketReadingRow>): Promise<TicketReadingRow> {
  const until = new Date(Date.now() + CLAIM_MS);
  const saved = await TicketReading.findOneAndUpdate(
    { ...keyOf(row), number: row.number, 'claim.by': by },
    { $set: { claim: { by, until }, ...change } },
    { returnDocument: 'after' },
  ).lean();
  if (!saved)
    throw new AppError('not_available', { text: 'What is read was changed meanwhile. Please read it again.' });
  return saved;
}

function requireFew(done: number, name: string): void {
  const most = LIMITS.connectors.tickets;
  if (done <= most) return;
  const text = `There are more than ${most.toLocaleString('en-GB')} tickets. Choose less of ${name} under Integrations, e.g. by a query.`;
  throw new AppError('not_available', { text });
}

/**
 * Reads the tickets of a tracker that were changed since they were last read, page by page, and forgets those that are
 * gone. One that was interrupted goes on after its last page.
 * @throws AppError not_found, not_configured where it is not connected or nothing is chosen, not_available where
 *   somebody else reads it now or there are too many, provider_unavailable
 */
export async function readTickets(
  accountId: number,
  service: string,
  { by, signal, onProgress = () => {} }: Reader,
): Promise<ReadTickets> {
  const { id, name, source, scope, connection } = requireTracker(service);
  const values = await readScopeValues(accountId, id);
  if (!values) {
    throw new AppError('not_configured', { text: `Choose under Integrations what Arc reads from ${name}.` });
  }
  let isBegunAgain = false;
  return connection.use(accountId, async (access) => {
    let row = await claim(accountId, id, name, by);
    try {
      if (row.phase === 'idle') row = await save(row, by, beginReading(row, source.readKeys !== undefined, new Date()));
      while (row.phase !== 'idle') {
        signal?.throwIfAborted();
        const next = row.phase === 'tickets' ? readPage(row, access, values) : readKeys(row, access, values);
        row = await next.catch((error: unknown) => beginAgain(row, error));
        requireFew(row.done, name);
        onProgress(row.done, row.total);
      }
      return { count: row.count, readAt: row.begunAt, query: scope.describe(values), changed: row.done };
    } finally {
      await TicketReading.updateOne({ ...keyOf(row), 'claim.by': by }, { $set: { claim: null } });
    }
  });

  /** Goes on from the first page where the tracker has forgotten the cursor, once. */
  function beginAgain(row: TicketReadingRow, error: unknown): Promise<TicketReadingRow> {
    if (!(error instanceof CursorRefused) || row.cursor === null || isBegunAgain) throw error;
    isBegunAgain = true;
    return save(row, by, row.phase === 'tickets' ? { cursor: null, done: 0 } : { cursor: null });
  }

  async function readPage(row: TicketReadingRow, access: Access, scopeValues: ScopeValues) {
    const { tickets, next, total } = await source.readPage(access, scopeValues, row);
    await keepTickets(row, tickets);
    const done = row.done + tickets.length;
    const read = { done, total: total ?? row.total, cursor: next };
    if (next !== null) return save(row, by, read);
    // All tickets were seen, or those that are gone can't be told from those that did not change.
    if (row.since === null) return finish(row, { ...read, allReadAt: row.begunAt }, true);
    return source.readKeys ? save(row, by, { ...read, phase: 'keys' }) : finish(row, read, false);
  }

  async function readKeys(row: TicketReadingRow, access: Access, scopeValues: ScopeValues) {
    const page = await source.readKeys?.(access, scopeValues, row.cursor);
    const keys = page?.keys ?? [];
    await TrackedTicket.updateMany({ ...keyOf(row), key: { $in: keys } }, { $set: { seenIn: row.number } });
    const next = page?.next ?? null;
    return next === null ? finish(row, { cursor: null }, true) : save(row, by, { cursor: next });
  }

  async function finish(row: TicketReadingRow, change: Partial<TicketReadingRow>, forgets: boolean) {
    if (forgets) await TrackedTicket.deleteMany({ ...keyOf(row), seenIn: { $ne: row.number } });
    const count = await TrackedTicket.countDocuments(keyOf(row));
    return changing(accountId, ['integrations'], () =>
      save(row, by, { ...change, phase: 'idle', cursor: null, readAt: row.begunAt, count }),
    );
  }
}
