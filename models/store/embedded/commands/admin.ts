import { hostname } from 'node:os';
import { Double } from '../bson/value.ts';
import { MAX_DOCUMENT } from '../bson/write.ts';
import { expireDocuments } from '../ttl.ts';
import { MAX_MESSAGE } from '../wire/message.ts';
import type { Fields, Handler } from './context.ts';

const VERSION = '8.0.0';

const hello: Handler = (request, _store, session) => ({
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
  ...session.hello?.(request),
});

const buildInfo: Handler = () => ({
  version: VERSION,
  gitVersion: 'embedded',
  modules: [],
  versionArray: [8, 0, 0, 0],
  bits: 64,
  debug: false,
  maxBsonObjectSize: MAX_DOCUMENT,
  storageEngines: ['lmdb'],
});

const serverStatus: Handler = (_request, { started, cursors, engine }) => ({
  host: hostname(),
  version: VERSION,
  process: 'embedded store',
  pid: BigInt(process.pid),
  uptime: Math.floor((Date.now() - started.getTime()) / 1000),
  localTime: new Date(),
  startedAt: started,
  metrics: { cursor: { open: { total: cursors.count } } },
  transactions: { write: new Double(engine.transactions()) },
  storageEngine: { name: 'lmdb', persistent: true },
});

const collStats: Handler = ({ body, name, db }, store) => {
  const ns = `${db}.${String(body.get(name))}`;
  const { count = 0, indexes = [] } = store.catalogue.find(ns) ?? {};
  return { ns, count, size: 0, storageSize: 0, nindexes: indexes.length };
};

const validate: Handler = (request, store, session) => {
  const stats = collStats(request, store, session) as Fields;
  return { ns: stats.ns, valid: true, nrecords: stats.count };
};

const dbStats: Handler = ({ db }, store) => {
  const collections = store.catalogue.list(db);
  return {
    db,
    collections: collections.length,
    views: 0,
    objects: collections.reduce((sum, item) => sum + item.count, 0),
    indexes: collections.reduce((sum, item) => sum + item.indexes.length, 0),
  };
};

/** Looks after TTL indexes now instead of within the minute: {expireNow: 1}. */
const expireNow: Handler = async (_request, store) => ({ n: await expireDocuments(store) });

const done: Handler = () => ({});

const endSessions: Handler = ({ body, name }, { snapshots }) => {
  const lsids = body.get(name);
  snapshots.endSessions(Array.isArray(lsids) && lsids.length === 0 && name !== 'endSessions' ? undefined : lsids);
  return {};
};

export const ADMIN: Record<string, Handler> = {
  hello,
  isMaster: hello,
  ismaster: hello,
  ping: done,
  buildInfo,
  buildinfo: buildInfo,
  hostInfo: () => ({ system: { hostname: hostname(), currentTime: new Date() }, os: { type: process.platform } }),
  serverStatus,
  connectionStatus: () => ({ authInfo: { authenticatedUsers: [], authenticatedUserRoles: [] } }),
  getParameter: () => ({ featureCompatibilityVersion: { version: '8.0' } }),
  getCmdLineOpts: () => ({ argv: [], parsed: {} }),
  getLog: () => ({ totalLinesWritten: 0, log: [] }),
  whatsmyuri: () => ({ you: '127.0.0.1:0' }),
  startSession: done,
  endSessions,
  killSessions: endSessions,
  killAllSessions: endSessions,
  refreshSessions: done,
  expireNow,
  collStats,
  dbStats,
  validate,
};
