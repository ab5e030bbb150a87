import { hostname } from 'node:os';
import { type Doc, Double, doc, truthy } from '../bson/value.ts';
import { MAX_DOCUMENT } from '../bson/write.ts';
import { fail } from '../errors.ts';
import { docFilter } from '../filter/compile.ts';
import { expireDocuments } from '../ttl.ts';
import { MAX_MESSAGE } from '../wire/message.ts';
import { docArgument } from './arguments.ts';
import type { Handler } from './context.ts';
import { ok } from './reply.ts';

const VERSION = '8.0.0';

const hello: Handler = (request, _store, session) =>
  doc({
    helloOk: true,
    ismaster: true,
    isWritablePrimary: true,
    maxBsonObjectSize: MAX_DOCUMENT,
    maxMessageSizeBytes: MAX_MESSAGE,
    maxWriteBatchSize: 100_000,
    localTime: new Date(),
    logicalSessionTimeoutMinutes: 30,
    connectionId: session.id,
    minWireVersion: 0,
    maxWireVersion: 25,
    readOnly: false,
    ...(session.hello?.(request) ?? {}),
    ok: 1,
  });

const buildInfo: Handler = () =>
  doc({
    version: VERSION,
    gitVersion: 'embedded',
    modules: [],
    sysInfo: '',
    versionArray: [8, 0, 0, 0],
    bits: 64,
    debug: false,
    maxBsonObjectSize: MAX_DOCUMENT,
    storageEngines: ['lmdb'],
    ok: 1,
  });

const serverStatus: Handler = (_request, store) =>
  doc({
    host: hostname(),
    version: VERSION,
    process: 'embedded store',
    pid: BigInt(process.pid),
    uptime: Math.floor((Date.now() - store.started.getTime()) / 1000),
    localTime: new Date(),
    startedAt: store.started,
    metrics: doc({ cursor: doc({ open: doc({ total: store.cursors.count }) }) }),
    transactions: doc({ write: new Double(store.engine.transactions()) }),
    storageEngine: doc({ name: 'lmdb', persistent: true }),
    ok: 1,
  });

const listDatabases: Handler = (request, store) => {
  const test = docFilter(docArgument(request.body, 'filter', 'listDatabases'));
  const nameOnly = truthy(request.body.get('nameOnly'));
  const databases = store.catalogue
    .databases()
    .map(
      (name): Doc =>
        doc(
          nameOnly
            ? { name }
            : { name, sizeOnDisk: new Double(0), empty: store.catalogue.list(name).every((item) => item.count === 0) },
        ),
    )
    .filter((item) => test(item));
  return doc({
    databases,
    totalSize: nameOnly ? undefined : new Double(0),
    totalSizeMb: nameOnly ? undefined : new Double(0),
    ok: 1,
  });
};

const collStats: Handler = (request, store) => {
  const name = request.body.get(request.name);
  const ns = `${request.db}.${String(name)}`;
  const collection = store.catalogue.find(ns);
  return doc({
    ns,
    count: collection?.count ?? 0,
    size: 0,
    storageSize: 0,
    nindexes: collection?.indexes.length ?? 0,
    ok: 1,
  });
};

const dbStats: Handler = (request, store) => {
  const collections = store.catalogue.list(request.db);
  return doc({
    db: request.db,
    collections: collections.length,
    views: 0,
    objects: collections.reduce((sum, item) => sum + item.count, 0),
    indexes: collections.reduce((sum, item) => sum + item.indexes.length, 0),
    ok: 1,
  });
};

/** The store's own commands for copies: {backup: 1, file} and {restore: 1, file}. */
const copying =
  (name: 'backup' | 'restore'): Handler =>
  async (request, store) => {
    const file = request.body.get('file');
    if (typeof file !== 'string' || file === '') fail('TypeMismatch', `${name} needs a file`);
    await store[name](file);
    return ok();
  };

/** Looks after TTL indexes now instead of within the minute: {expireNow: 1}. */
const expireNow: Handler = async (_request, store) => doc({ n: await expireDocuments(store), ok: 1 });

const done: Handler = () => ok();

export const ADMIN: Record<string, Handler> = {
  hello,
  isMaster: hello,
  ismaster: hello,
  ping: done,
  buildInfo,
  buildinfo: buildInfo,
  hostInfo: () =>
    doc({
      system: doc({ hostname: hostname(), currentTime: new Date() }),
      os: doc({ type: process.platform }),
      extra: new Map(),
      ok: 1,
    }),
  serverStatus,
  connectionStatus: () => doc({ authInfo: doc({ authenticatedUsers: [], authenticatedUserRoles: [] }), ok: 1 }),
  getParameter: () => ok({ featureCompatibilityVersion: doc({ version: '8.0' }) }),
  getCmdLineOpts: () => doc({ argv: [], parsed: new Map(), ok: 1 }),
  getLog: () => doc({ totalLinesWritten: 0, log: [], ok: 1 }),
  whatsmyuri: () => doc({ you: '127.0.0.1:0', ok: 1 }),
  startSession: () => ok(),
  endSessions: done,
  killSessions: done,
  killAllSessions: done,
  refreshSessions: done,
  backup: copying('backup'),
  restore: copying('restore'),
  expireNow,
  listDatabases,
  collStats,
  dbStats,
  validate: (request, store) => {
    const collection = store.catalogue.find(`${request.db}.${String(request.body.get('validate'))}`);
    return doc({ ns: collection?.ns, valid: true, nrecords: collection?.count ?? 0, ok: 1 });
  },
};
