import type { SessionData, Store } from 'express-session';
import { forgetWhere, makeCache } from '../../models/store/cache.ts';
import { changes } from '../../models/store/revisions.ts';

/** Upper bound on the age of a cached session, in case a change is missed. */
const MAX_AGE_MS = 10_000;

/** express-session modifies the cookie object it gets, so callers get a copy. */
const copyOf = (data: SessionData): SessionData => ({ ...data, cookie: { ...data.cookie } });

/**
 * Adds a short-lived cache to a session store, so that polls cost no read each. Saving or ending a session here
 * invalidates it at once; other processes' changes do as soon as they announce that the account changed.
 */
export function rememberSessions<S extends Store>(store: S): S {
  const kept = makeCache<string, SessionData>(MAX_AGE_MS);
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
      // Saved or ended while it was read: valid for this caller, but not cached.
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
