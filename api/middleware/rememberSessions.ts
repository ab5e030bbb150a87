import type { SessionData, Store } from 'express-session';
import { forgetWhere, makeCache } from '../../models/store/cache.ts';
import { changes } from '../../models/store/revisions.ts';

/** However sure we are of hearing that a session has ended, nothing is believed for longer than this. */
const KEPT_MILLISECONDS = 10_000;

/** The middleware makes a cookie of its own out of what it is given, and must not change what is kept. */
const copyOf = (data: SessionData): SessionData => ({ ...data, cookie: { ...data.cookie } });

/**
 * Lets a session store remember what it has just read, so that a page's polls cost no read each. What is saved or ended
 * here is forgotten at once; what another process ends, as soon as it tells that the account has changed.
 */
export function rememberSessions<S extends Store>(store: S): S {
  const kept = makeCache<string, SessionData>(KEPT_MILLISECONDS);
  let writes = 0;
  const read = store.get.bind(store);
  const save = store.set.bind(store);
  const end = store.destroy.bind(store);
  changes.on('changed', (accountId, topics) => {
    if (!topics.includes('account')) return;
    forgetWhere(kept, (data) => data.accountId === accountId);
  });
  store.get = (id, done) => {
    const known = kept.get(id);
    if (known) return done(null, copyOf(known));
    const before = writes;
    read(id, (error, data) => {
      // Read while it was saved or ended: good for this caller, and for nobody after.
      if (data && before === writes) kept.set(id, copyOf(data));
      done(error, data);
    });
  };
  store.set = (id, data, done) => {
    writes += 1;
    kept.delete(id);
    save(id, data, done);
  };
  store.destroy = (id, done) => {
    writes += 1;
    kept.delete(id);
    end(id, done);
  };
  return store;
}
