import { type Doc, isDoc, toNumber, truthy } from '../bson/value.ts';
import { fail, refuse } from '../errors.ts';
import type { Request } from '../wire/message.ts';
import { ADMIN } from './admin.ts';
import { AGGREGATE } from './aggregate.ts';
import { BULK_WRITE } from './bulkWrite.ts';
import { COLLECTIONS } from './collections.ts';
import type { Handler, Session, Store } from './context.ts';
import { DISTINCT } from './distinct.ts';
import { EXPLAIN } from './explain.ts';
import { checkFields } from './fields.ts';
import { FIND } from './find.ts';
import { FIND_AND_MODIFY } from './findAndModify.ts';
import { INDEXES } from './indexes.ts';
import { errorReply } from './reply.ts';
import { WRITE } from './write.ts';

/** Every command by the name it is sent with. */
const COMMANDS: Record<string, Handler> = {
  ...ADMIN,
  ...FIND,
  ...WRITE,
  ...FIND_AND_MODIFY,
  ...DISTINCT,
  ...AGGREGATE,
  ...COLLECTIONS,
  ...INDEXES,
  ...BULK_WRITE,
  ...EXPLAIN,
};

/** What a client may send before it has authenticated. */
const BEFORE_LOGIN = new Set([
  'hello',
  'isMaster',
  'ismaster',
  'saslStart',
  'saslContinue',
  'ping',
  'buildInfo',
  'endSessions',
]);

function run(request: Request, store: Store, session: Session): Doc | Buffer | Promise<Doc | Buffer> {
  if (session.sasl && (request.name === 'saslStart' || request.name === 'saslContinue')) return session.sasl(request);
  if (!session.authenticated && !BEFORE_LOGIN.has(request.name)) {
    fail('Unauthorized', `Command ${request.name} requires authentication`);
  }
  if (request.body.get('autocommit') === false || request.body.get('startTransaction') === true)
    fail('IllegalOperation', 'Transaction numbers are only allowed on a replica set member or mongos');
  const handler = Object.hasOwn(COMMANDS, request.name) ? COMMANDS[request.name] : undefined;
  if (!handler) fail('CommandNotFound', `no such command: '${request.name}'`);
  checkFields(request.name, request.body);
  const concern = request.body.get('writeConcern');
  if (isDoc(concern) && toNumber(concern.get('w')) > 1) refuse("cannot use 'w' > 1 when a host is not replicated");
  const reply = handler(request, store, session);
  return isDoc(concern) && reply instanceof Promise && onDisk(concern)
    ? reply.then((done) => store.engine.flushed().then(() => done))
    : reply;
}

/** Whether a write concern asks for the disk: j, fsync, or a majority, which is journaled by default. */
const onDisk = (concern: Doc): boolean =>
  truthy(concern.get('j')) ||
  truthy(concern.get('fsync')) ||
  (concern.get('w') === 'majority' && concern.get('j') !== false);

/** Answers a command; errors become MongoDB's error documents. */
export function answer(request: Request, store: Store, session: Session): Doc | Buffer | Promise<Doc | Buffer> {
  try {
    const reply = run(request, store, session);
    return reply instanceof Promise ? reply.catch(errorReply) : reply;
  } catch (error) {
    return errorReply(error);
  }
}
