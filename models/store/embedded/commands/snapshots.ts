import { show } from '../bson/show.ts';
import { isDoc, Timestamp, type Value } from '../bson/value.ts';
import { Catalogue } from '../catalogue/catalogue.ts';
import { fail, refuse } from '../errors.ts';
import type { Request } from '../wire/message.ts';
import { docOf } from './arguments.ts';
import type { Moments, Store } from './context.ts';

/** A snapshot of the store. */
type Held = { store: Store; touched: number; release(): void };

/** An unused snapshot is released after this many milliseconds: while it is held, the file grows. */
const IDLE = 60_000;

const sessionOf = (lsid: Value): string => show(docOf(lsid).get('id'));

/** The snapshots of sessions: one per session, taken by its first read, whose reply has its time. */
export class Snapshots implements Moments {
  private readonly held = new Map<string, Held>();
  private taken = 0;

  /** The store for a request: the current state, or its session's snapshot. Throws 72 and 239. */
  viewOf({ name, body }: Request, store: Store): Store {
    const concern = docOf(body.get('readConcern'));
    // A cursor keeps its snapshot, whatever the driver sends with getMore.
    if (concern.get('level') !== 'snapshot' || name === 'getMore' || name === 'killCursors') return store;
    if (name !== 'find') fail('InvalidOptions', `${name} can't be used with readConcern snapshot`);
    if (!isDoc(body.get('lsid'))) refuse('readConcern snapshot needs a session');
    const session = sessionOf(body.get('lsid'));
    const given = concern.get('atClusterTime');
    if (given === undefined) return this.take(session, store);
    const known = this.held.get(session)?.store;
    return known && show(known.moment) === show(given)
      ? known
      : fail('SnapshotTooOld', `nothing is held of ${show(given)}`);
  }

  private take(session: string, now: Store): Store {
    this.end(session);
    const allow = () => {
      if (this.held.get(session) !== held) fail('SnapshotTooOld', 'the moment that this session read at was let go');
      held.touched = Date.now();
    };
    const { release, ...tables } = now.engine.snapshot(allow);
    const engine = { ...now.engine, ...tables };
    const moment = new Timestamp({ t: Math.floor(Date.now() / 1000), i: ++this.taken });
    const held: Held = { store: { ...now, engine, moment }, touched: Date.now(), release };
    this.held.set(session, held);
    held.store.catalogue = new Catalogue(engine);
    return held.store;
  }

  private end(session: string): void {
    this.held.get(session)?.release();
    this.held.delete(session);
  }

  /** Releases the snapshots of the given sessions, or of all. */
  endSessions(lsids?: Value): void {
    const sessions = Array.isArray(lsids) ? lsids.map(sessionOf) : [...this.held.keys()];
    for (const session of sessions) this.end(session);
  }

  /** Releases snapshots that have not been read for a long time. */
  expire(now = Date.now()): void {
    for (const [session, { touched }] of this.held) if (now - touched > IDLE) this.end(session);
  }
}
