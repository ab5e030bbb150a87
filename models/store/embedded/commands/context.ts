import type { Doc, Timestamp, Value } from '../bson/value.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Collection } from '../catalogue/collection.ts';
import type { Engine } from '../storage/engine.ts';
import type { Request } from '../wire/message.ts';
import { namespace } from './arguments.ts';
import type { Cursors } from './cursors.ts';
import type { WriteQueue } from './queue.ts';

/** The snapshots that sessions read. */
export type Moments = {
  /** The store for a request: the current state, or its session's snapshot. Throws 72 and 239. */
  viewOf(request: Request, store: Store): Store;
  /** Releases the snapshots of the given sessions, or of all. */
  endSessions(lsids?: Value): void;
};

/** The state that commands work on; one per open store. */
export type Store = {
  engine: Engine;
  catalogue: Catalogue;
  queue: WriteQueue;
  cursors: Cursors;
  snapshots: Moments;
  /** Time of the snapshot, where it is not the current state. */
  moment?: Timestamp;
  started: Date;
};

/** One client connection; where clients must authenticate, `hello` adds to that reply and `sasl` answers the login. */
export type Session = {
  id: number;
  authenticated: boolean;
  hello?: (request: Request) => Fields;
  sasl?: (request: Request) => Fields;
};

/** The fields of a reply without `ok`; undefined fields are left out. */
export type Fields = Record<string, unknown>;

/** A finished reply to the client. */
export type Reply = Doc | Buffer;

/** One command: its request and the data that handlers need. A class, because an instance is created per command. */
export class Call {
  readonly request: Request;
  readonly name: string;
  readonly db: string;
  readonly body: Doc;
  readonly store: Store;
  readonly session: Session;

  constructor(request: Request, store: Store, session: Session) {
    this.request = request;
    this.name = request.name;
    this.db = request.db;
    this.body = request.body;
    this.store = store;
    this.session = session;
  }

  /** The namespace that the command's first field names; asking throws InvalidNamespace where it names none. */
  get ns(): string {
    return namespace(this.db, this.body);
  }

  get collection(): Collection | undefined {
    return this.store.catalogue.find(this.ns);
  }
}

/** Answers one command with the fields of its reply, or with a finished one. */
export type Handler = (call: Call) => Fields | Buffer | Promise<Fields | Buffer>;
