import type { Doc, Timestamp } from '../bson/value.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Engine } from '../storage/engine.ts';
import type { Request } from '../wire/message.ts';
import type { Cursors } from './cursors.ts';
import type { WriteQueue } from './queue.ts';
import type { Snapshots } from './snapshots.ts';

/** What commands work on: one per open store. */
export type Store = {
  engine: Engine;
  catalogue: Catalogue;
  queue: WriteQueue;
  cursors: Cursors;
  snapshots: Snapshots;
  /** The moment at which it is read, where that is not now. */
  moment?: Timestamp;
  started: Date;
  /** Starts the removal of dropped data in the background. */
  sweep(): void;
};

/** One client connection; where clients must authenticate, `hello` adds to that reply and `sasl` answers the login. */
export type Session = {
  id: number;
  authenticated: boolean;
  hello?: (request: Request) => Fields;
  sasl?: (request: Request) => Fields;
};

/** The fields of a reply, without `ok`; what is undefined is left out. */
export type Fields = Record<string, unknown>;

/** What goes back to the client. */
export type Reply = Doc | Buffer;

/** Answers one command with the fields of its reply, or with a finished one. */
export type Handler = (request: Request, store: Store, session: Session) => Fields | Buffer | Promise<Fields | Buffer>;
