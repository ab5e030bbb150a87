import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import session, { type SessionData } from 'express-session';
import { rememberSessions } from '../../../api/middleware/rememberSessions.ts';
import { announce } from '../../../models/store/revisions.ts';

/** A store as other processes see it, and this process's cached view of it. */
function makeStore() {
  const store = new session.MemoryStore();
  const elsewhere = { set: store.set.bind(store), destroy: store.destroy.bind(store) };
  return { elsewhere, here: rememberSessions(store) };
}
let { elsewhere, here } = makeStore();
const dataOf = (userId: number, accountId = 1) =>
  ({ userId, accountId, cookie: { originalMaxAge: null } }) as unknown as SessionData;
const userOf = (id: string) =>
  new Promise<number | undefined>((resolve, reject) =>
    here.get(id, (error, data) => (error ? reject(error) : resolve(data?.userId))),
  );
const done = (work: (finish: () => void) => unknown) => new Promise<void>((resolve) => work(resolve));

beforeEach(async () => {
  ({ elsewhere, here } = makeStore());
  await done((finish) => elsewhere.set('s', dataOf(7), finish));
  expect(await userOf('s')).toBe(7);
});
afterEach(() => {
  jest.restoreAllMocks();
});

test('a session is cached for ten seconds at most', async () => {
  await done((finish) => elsewhere.destroy('s', finish));
  const begun = Date.now();
  const clock = jest.spyOn(Date, 'now').mockReturnValue(begun + 9000);
  expect(await userOf('s')).toBe(7);
  clock.mockReturnValue(begun + 11_000);
  expect(await userOf('s')).toBeUndefined();
});

test('a session that ends here is gone at once', async () => {
  await done((finish) => here.destroy('s', finish));
  expect(await userOf('s')).toBeUndefined();
});

test('a session that is saved here is read as saved', async () => {
  await done((finish) => here.set('s', dataOf(8), finish));
  expect(await userOf('s')).toBe(8);
});

test.each([
  ['ended', (finish: () => void) => here.destroy('n', finish), undefined],
  ['saved', (finish: () => void) => here.set('n', dataOf(9), finish), 9],
] as const)('a session read while it was %s is not cached', async (_what, write, after) => {
  await done((finish) => elsewhere.set('n', dataOf(8), finish));
  const [before] = await Promise.all([userOf('n'), done(write)]);
  expect(before).toBe(8);
  expect(await userOf('n')).toBe(after);
});

test('a session that another process ends is gone once that process announces a change of people in its account', async () => {
  await done((finish) => elsewhere.set('other', dataOf(8, 2), finish));
  expect(await userOf('other')).toBe(8);
  for (const id of ['s', 'other']) await done((finish) => elsewhere.destroy(id, finish));
  announce(1, ['chat'], false);
  expect([await userOf('s'), await userOf('other')]).toEqual([7, 8]);
  announce(1, ['account'], false);
  expect([await userOf('s'), await userOf('other')]).toEqual([undefined, 8]);
});

test('a caller’s changes to the session data affect no other caller', async () => {
  await done((finish) => elsewhere.set('n', dataOf(7), finish));
  const read = () =>
    new Promise<SessionData>((resolve) => here.get('n', (_error, data) => resolve(data as SessionData)));
  for (let time = 0; time < 3; time += 1) {
    const data = await read();
    expect({ userId: data.userId, age: data.cookie.originalMaxAge }).toEqual({ userId: 7, age: null });
    Object.assign(data, { userId: 99 });
    Object.assign(data.cookie, { originalMaxAge: 1 });
  }
});
