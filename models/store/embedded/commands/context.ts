import type { Doc } from '../bson/value.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Engine } from '../storage/engine.ts';
import type { Request } from '../wire/message.ts';
import type { Cursors } from './cursors.ts';
import type { WriteQueue } from './queue.ts';

/** What commands work on: one per open store. */
export type Store = {
  engine: Engine;
  catalogue: Catalogue;
  queue: WriteQueue;
  cursors: Cursors;
  started: Date;
  /** Starts the removal of dropped data in the background. */
  sweep(): void;
  /** Writes a copy of the data file while the store is in use. */
  backup(file: string): Promise<void>;
  /** Replaces everything by what such a copy holds, in one transaction. */
  restore(file: string): Promise<void>;
};

/** One client connection. */
export type Session = {
  id: number;
  authenticated: boolean;
  /** Adds to the reply to hello, for authentication. */
  hello?: (request: Request) => Record<string, unknown>;
  /** Answers saslStart and saslContinue, where clients must authenticate. */
  sasl?: (request: Request) => Doc;
};

/** Answers one command with a document, or with a finished reply. */
export type Handler = (request: Request, store: Store, session: Session) => Doc | Buffer | Promise<Doc | Buffer>;
