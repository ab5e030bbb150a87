import { hostname } from 'node:os';
import { Double } from '../bson/value.ts';
import { MAX_DOCUMENT } from '../bson/write.ts';
import { expireDocuments } from '../ttl.ts';
import { MAX_MESSAGE } from '../wire/message.ts';
import type { Fields, Handler } from './context.ts';

const VERSION = { version: '8.0.0', versionArray: [8, 0, 0, 0] };
const NAMES = { helloOk: true, ismaster: true, isWritablePrimary: true, readOnly: false };
const LIMITS = { maxBsonObjectSize: MAX_DOCUMENT, maxMessageSizeBytes: MAX_MESSAGE, maxWriteBatchSize: 100_000 };
const PROTOCOL = { minWireVersion: 0, maxWireVersion: 25, logicalSessionTimeoutMinutes: 30 };
const BUILD = { gitVersion: 'embedded', modules: [], bits: 64, debug: false, storageEngines: ['lmdb'] };

/** Commands that always get the same answer. */
const FIXED: Record<string, Fields> = {
  ping: {},
  startSession: {},
  refreshSessions: {},
  buildInfo: { ...VERSION, ...BUILD, maxBsonObjectSize: MAX_DOCUMENT },
  connectionStatus: { authInfo: { authenticatedUsers: [], authenticatedUserRoles: [] } },
  getParameter: { featureCompatibilityVersion: { version: '8.0' } },
};

/** Ends the sessions that are named, or all. */
const endSessions: Handler = ({ body, name, store }) => {
  const lsids = body.get(name);
  const all = Array.isArray(lsids) && lsids.length === 0 && name !== 'endSessions';
  store.snapshots.endSessions(all ? undefined : lsids);
  return {};
};

export const ADMIN: Record<string, Handler> = {
  ...Object.fromEntries(Object.entries(FIXED).map(([name, reply]): [string, Handler] => [name, () => reply])),
  hello: (call) => {
    const now = { localTime: new Date(), connectionId: call.session.id };
    return { ...NAMES, ...LIMITS, ...PROTOCOL, ...now, ...call.session.hello?.(call.request) };
  },
  serverStatus: ({ store: { started, cursors, engine } }) => ({
    host: hostname(),
    version: VERSION.version,
    process: 'embedded store',
    pid: BigInt(process.pid),
    uptime: Math.floor((Date.now() - started.getTime()) / 1000),
    localTime: new Date(),
    startedAt: started,
    metrics: { cursor: { open: { total: cursors.open.size } } },
    transactions: { write: new Double(engine.transactions()) },
    storageEngine: { name: 'lmdb', persistent: true },
  }),
  endSessions,
  killSessions: endSessions,
  killAllSessions: endSessions,
  /** Runs the TTL expiry now instead of within the minute: {expireNow: 1}. */
  expireNow: async ({ store }) => ({ n: await expireDocuments(store) }),
};
