import { type Doc, doc, toNumber, truthy } from '../bson/value.ts';
import { CommandError, fail, refuse, refused } from '../errors.ts';
import type { Request } from '../wire/message.ts';
import { ADMIN } from './admin.ts';
import { aggregate } from './aggregate.ts';
import { ALIASES, checkFields, docOf, words } from './arguments.ts';
import { COLLECTIONS } from './collections.ts';
import { Call, type Fields, type Handler, type Reply, type Session, type Store } from './context.ts';
import { explain } from './explain.ts';
import { FIND } from './find.ts';
import { validate } from './validate.ts';
import { WRITE } from './write.ts';

/** Every command by the name it is sent with. */
const COMMANDS: Record<string, Handler> = {
  ...ADMIN,
  ...FIND,
  ...WRITE,
  ...COLLECTIONS,
  aggregate,
  explain,
  validate,
  ...refused('bulkWrite', 'collMod', 'renameCollection', 'mapReduce', 'compact', 'createUser', 'killOp'),
};

/** What a client may send before it has authenticated. */
const BEFORE_LOGIN = words('hello saslStart saslContinue ping buildInfo endSessions');

const READ_LEVELS = words('local available majority linearizable snapshot');

/** Whether a write concern asks for the disk: j, fsync, or a majority, which is journaled by default. */
const onDisk = (concern: Doc): boolean =>
  truthy(concern.get('j')) ||
  truthy(concern.get('fsync')) ||
  (concern.get('w') === 'majority' && concern.get('j') !== false);

function run(request: Request, store: Store, session: Session): ReturnType<Handler> {
  const { name, body } = request;
  const command = ALIASES[name] ?? name;
  if (session.sasl && (name === 'saslStart' || name === 'saslContinue')) return session.sasl(request);
  if (!session.authenticated && !BEFORE_LOGIN.includes(command))
    fail('Unauthorized', `Command ${name} requires authentication`);
  if (body.get('autocommit') === false || body.get('startTransaction') === true || body.has('txnNumber'))
    fail('IllegalOperation', 'Transaction numbers are only allowed on a replica set member or mongos');
  if (!Object.hasOwn(COMMANDS, command)) fail('CommandNotFound', `no such command: '${name}'`);
  checkFields(name, body);
  const [concern, reading] = ['writeConcern', 'readConcern'].map((field) => {
    checkFields(field, docOf(body.get(field)));
    return docOf(body.get(field));
  }) as [Doc, Doc];
  const w = concern.get('w');
  if (toNumber(w) > 1 || (typeof w === 'string' && w !== 'majority'))
    refuse(`cannot use 'w' ${String(w)} when a host is not a member of a replica set`);
  const level = reading.get('level') ?? 'local';
  if (!READ_LEVELS.includes(String(level))) fail('FailedToParse', `readConcern level '${String(level)}' is not known`);
  const begun = store.engine.transactions();
  const reply = COMMANDS[command]!(new Call(request, store.snapshots.viewOf(request, store), session));
  if (!(reply instanceof Promise) || !onDisk(concern)) return reply;
  // A command without writes has nothing to synchronise.
  return reply.then((done) => (store.engine.transactions() === begun ? done : store.engine.flushed().then(() => done)));
}

const finished = (reply: Fields | Buffer): Reply => (Buffer.isBuffer(reply) ? reply : doc({ ...reply, ok: 1 }));

/** An error as the reply to a command. */
export function errorReply(error: unknown): Doc {
  const unknown = () => {
    const message = (error as Error)?.message ?? 'internal error';
    // lmdb passes on the system's own words for ENOSPC and EDQUOT, and EIO where pages were to be spilled to a full disk.
    const isFull = /No space left on device|Disk quota exceeded|MDB_MAP_FULL|Input\/output error/.test(message);
    return new CommandError(isFull ? 'OutOfDiskSpace' : 'InternalError', message);
  };
  const { message: errmsg, code, codeName, extra } = error instanceof CommandError ? error : unknown();
  return doc({ ok: 0, errmsg, code, codeName, ...extra });
}

/** Answers a command; errors become MongoDB's error documents. A promise only where the answer has to wait. */
export function answer(request: Request, store: Store, session: Session): Reply | Promise<Reply> {
  try {
    const reply = run(request, store, session);
    return reply instanceof Promise ? reply.then(finished).catch(errorReply) : finished(reply);
  } catch (error) {
    return errorReply(error);
  }
}
