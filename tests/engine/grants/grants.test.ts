/** @environment store */
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { Types } from 'mongoose';
import { type Grant, makeGrants, type Tokens } from '../../../bot/engine/grants/makeGrants.ts';
import { ConnectorGrant, type ConnectorGrantRow } from '../../../models/connectorGrant.ts';
import { runInAccount } from '../../../models/store/context.ts';
import { seal, unseal } from '../../../models/store/encrypted.ts';
import { requireRow } from '../../../models/store/requireRow.ts';
import { connectTestStore, nextNumber } from '../../factories/account.ts';
import { sealWithRetiredKey } from '../../factories/retiredKey.ts';
import { type FakeProvider, startProvider } from '../../fakes/provider.ts';

connectTestStore();

let provider: FakeProvider;
beforeAll(async () => {
  provider = await startProvider();
});
afterAll(() => provider.stop());
afterEach(() => {
  jest.restoreAllMocks();
  provider.recover();
});

type Own = Tokens & { accessToken: string };
type Row = ConnectorGrantRow;
const seconds = () => Date.now() / 1000;
const contextOf = ({ accountId }: { accountId: number }) => `things:${accountId}`;
const ended: Row[] = [];

async function renew(tokens: Own): Promise<Own> {
  const { id, secret } = provider.client;
  const form = { grant_type: 'refresh_token', refresh_token: tokens.refreshToken ?? '' };
  const answer = await fetch(`${provider.url}/token`, {
    method: 'POST',
    body: new URLSearchParams({ ...form, client_id: id, client_secret: secret }),
  });
  const body = (await answer.json()) as { error?: string; access_token: string; refresh_token: string };
  if (!answer.ok) throw new Error(body.error);
  return { accessToken: body.access_token, refreshToken: body.refresh_token, expiresAt: seconds() + 3600 };
}

/** The grants of one process: two of them share only the store. */
const makeRoom = () =>
  makeGrants<Own, Row>({
    entity: ConnectorGrant,
    contextOf,
    renew,
    isRefusal: (error) => (error as Error).message === 'invalid_grant',
    refusedText: 'Things renews the access no more.',
    onEnded: async (row) => void ended.push(row),
  });
const [here, there] = [makeRoom(), makeRoom()];

/** A grant whose token expires in this many seconds. */
async function granting(inSeconds: number | null, { renewable = true, sealing = seal } = {}) {
  const accountId = nextNumber();
  const given = provider.give();
  const tokens: Own = {
    accessToken: given.access_token,
    refreshToken: renewable ? given.refresh_token : null,
    expiresAt: inSeconds === null ? null : seconds() + inSeconds,
  };
  const row = {
    _id: new Types.ObjectId(),
    accountId,
    connector: 'things',
    sealed: sealing(tokens, contextOf({ accountId })),
  };
  const inAccount = <T>(work: () => Promise<T>) => runInAccount(accountId, work);
  await inAccount(() => ConnectorGrant.create(row as never));
  const read = () => inAccount(async () => requireRow(await ConnectorGrant.findById(row._id).lean()));
  const stored = async () => unseal<Own | null>((await read()).sealed, contextOf({ accountId }));
  const change = ($set: object) => inAccount(() => ConnectorGrant.updateOne({ _id: row._id }, { $set }));
  /** The token as a process uses it that has just read the grant. */
  const use = async (room = here) => inAccount(async () => room.freshen(room.open(await read())));
  const renewals = () => provider.asked.filter((form) => form.refresh_token === given.refresh_token).length;
  return { accountId, tokens, inAccount, read, stored, change, use, renewals };
}
const reach = async () => {
  while (provider.waiting() === 0) await new Promise((resolve) => setImmediate(resolve));
};
const tokenOf = (grant: Grant<Own, Row> | null) => grant?.tokens.accessToken ?? null;

describe('a token', () => {
  describe('with a stopped clock', () => {
    const NOW = Date.UTC(2026, 10, 1, 12);

    test.each([
      [300, true],
      [301, false],
    ])('that expires in %i seconds is refreshed: %s', async (inSeconds, renewed) => {
      jest.spyOn(Date, 'now').mockReturnValue(NOW);
      const { use, tokens, stored } = await granting(inSeconds);
      const token = tokenOf(await use());
      expect(token !== tokens.accessToken).toBe(renewed);
      expect(provider.isValid(token)).toBe(true);
      expect((await stored())?.accessToken).toBe(token);
    });

    test.each([
      [6, true],
      [5, false],
    ])('that can’t be refreshed is valid with %i seconds left: %s', async (inSeconds, good) => {
      jest.spyOn(Date, 'now').mockReturnValue(NOW);
      const { use, tokens, read } = await granting(inSeconds);
      provider.revokeAll();
      expect(tokenOf(await use())).toBe(good ? tokens.accessToken : null);
      expect((await read()).revokedAt === null).toBe(good);
    });

    test('is reserved for one process to refresh for half a minute, to the millisecond', async () => {
      jest.spyOn(Date, 'now').mockReturnValue(NOW);
      const { use, read, tokens } = await granting(100);
      const release = provider.hold();
      const slow = use(here);
      await reach();
      expect((await read()).renewal?.until).toEqual(new Date(NOW + 30_000));
      jest.spyOn(Date, 'now').mockReturnValue(NOW + 29_999);
      expect(tokenOf(await use(there))).toBe(tokens.accessToken);
      jest.spyOn(Date, 'now').mockReturnValue(NOW + 30_000);
      const second = use(there);
      while (provider.waiting() < 2) await new Promise((resolve) => setImmediate(resolve));
      release();
      // Only one of the two gets new tokens. They are stored, and each has them or the old ones, which are still valid.
      const found = [tokenOf(await slow), tokenOf(await second)];
      expect(found.filter((token) => token !== tokens.accessToken).length).toBeGreaterThan(0);
      expect((await read()).revokedAt).toBeNull();
    });
  });

  test.each([
    ['without an end', null, true],
    ['that can’t be renewed', 10, false],
  ])('%s is never refreshed again', async (_what, inSeconds, renewable) => {
    const { use, tokens, renewals } = await granting(inSeconds, { renewable });
    expect(tokenOf(await use())).toBe(tokens.accessToken);
    expect(renewals()).toBe(0);
  });

  test('is refreshed once, however many callers need it, here and in another process', async () => {
    const { use, renewals, stored, read } = await granting(-10);
    const release = provider.hold();
    const asking = [here, here, there, there].map((room) => use(room));
    await reach();
    expect(await read()).toMatchObject({ renewal: { by: expect.any(String), until: expect.any(Date) } });
    release();
    const found = new Set((await Promise.all(asking)).map(tokenOf));
    expect([...found]).toEqual([(await stored())?.accessToken]);
    expect(renewals()).toBe(1);
    expect((await read()).renewal).toBeNull();
  });

  test('is used until it expires while another process refreshes it', async () => {
    const { use, tokens, renewals } = await granting(60);
    const release = provider.hold();
    const first = use(here);
    await reach();
    expect(tokenOf(await use(there))).toBe(tokens.accessToken);
    release();
    expect(tokenOf(await first)).not.toBe(tokens.accessToken);
    expect(renewals()).toBe(1);
  });

  test('is refreshed by another process if the one that began is gone', async () => {
    const { use, tokens, change } = await granting(-10);
    await change({ renewal: { by: 'a process that was killed', until: new Date(Date.now() - 1) } });
    expect(tokenOf(await use())).not.toBe(tokens.accessToken);
  });

  test('of one account is refreshed without using another’s', async () => {
    const [mine, theirs] = [await granting(-10), await granting(-10)];
    await mine.use();
    expect(await theirs.stored()).toEqual(theirs.tokens);
    expect((await theirs.read()).renewal).toBeNull();
  });

  test('of another account is not refreshed', async () => {
    const [mine, theirs] = [await granting(-10), await granting(-10)];
    const row = await mine.read();
    expect(await theirs.inAccount(() => here.freshen(here.open(row)))).toBeNull();
    expect(mine.renewals()).toBe(0);
  });
});

describe('a provider that can’t be reached', () => {
  test('leaves a valid token in use, and is not called again at once by anybody', async () => {
    const { use, tokens, renewals } = await granting(60);
    provider.fail(503, 'temporarily_unavailable');
    expect(tokenOf(await use())).toBe(tokens.accessToken);
    expect(tokenOf(await use(there))).toBe(tokens.accessToken);
    expect(renewals()).toBe(1);
  });

  test('is called again at once for an expired token, and its failure reaches the caller', async () => {
    const { use, tokens, read } = await granting(-10);
    provider.fail(503, 'temporarily_unavailable');
    await expect(use()).rejects.toThrow('temporarily_unavailable');
    expect(await read()).toMatchObject({ revokedAt: null, renewal: { by: null } });
    expect(tokenOf(await use(there))).not.toBe(tokens.accessToken);
  });
});

describe('a grant ends', () => {
  test('when the provider refuses to refresh it: its tokens are deleted, and those concerned are told once', async () => {
    const { use, read, stored, accountId } = await granting(-10);
    provider.revokeAll();
    expect(await Promise.all([use(here), use(there)])).toEqual([null, null]);
    expect(await read()).toMatchObject({
      revokedAt: expect.any(Date),
      error: 'Things renews the access no more.',
      renewal: null,
    });
    expect(await stored()).toBeNull();
    expect(ended.filter((row) => row.accountId === accountId)).toEqual([await read()]);
  });

  test('when the company disconnects it, once and without a reason', async () => {
    const { inAccount, read, stored, accountId } = await granting(60);
    await inAccount(async () => here.end(await read(), null));
    const first = await read();
    expect(first).toMatchObject({ revokedAt: expect.any(Date), error: null });
    await inAccount(async () => here.end(await read(), 'Again.'));
    expect(await read()).toEqual(first);
    expect(await stored()).toBeNull();
    expect(ended.filter((row) => row.accountId === accountId)).toHaveLength(1);
  });

  test('while it is refreshed: tokens issued then are not stored', async () => {
    const { use, inAccount, read, stored } = await granting(-10);
    const release = provider.hold();
    const asked = use();
    await reach();
    await inAccount(async () => here.end(await read(), null));
    release();
    expect(await asked).toBeNull();
    expect(await stored()).toBeNull();
  });

  test('not with a refusal after a new consent: the newer tokens stay', async () => {
    const { use, accountId, change, read } = await granting(-10);
    const release = provider.hold();
    const asked = use();
    await reach();
    provider.revokeAll();
    const newer: Own = { accessToken: 'newer', refreshToken: 'newer', expiresAt: seconds() + 3600 };
    await change({ sealed: seal(newer, contextOf({ accountId })), renewal: null });
    release();
    expect(tokenOf(await asked)).toBe('newer');
    expect((await read()).revokedAt).toBeNull();
  });
});

describe('tokens that the provider issued and the store did not save', () => {
  const failing = (times: number) => {
    const write = ConnectorGrant.updateOne.bind(ConnectorGrant);
    let left = times;
    return jest.spyOn(ConnectorGrant, 'updateOne').mockImplementation(((filter: object, change: { $set: object }) => {
      if (!('sealed' in change.$set) || left === 0) return write(filter, change);
      left -= 1;
      return Promise.reject(new Error('the store is lost'));
    }) as never);
  };

  test('are saved again, because the old ones no longer work', async () => {
    const { use, stored, renewals } = await granting(-10);
    failing(1);
    expect(tokenOf(await use())).toBe((await stored())?.accessToken);
    expect(renewals()).toBe(1);
  });

  test('are used meanwhile, and saved before the provider is called again', async () => {
    const { use, stored, tokens, renewals } = await granting(-10);
    failing(4);
    const token = tokenOf(await use());
    expect(provider.isValid(token)).toBe(true);
    expect((await stored())?.accessToken).toBe(tokens.accessToken);
    expect(tokenOf(await use())).toBe(token);
    expect((await stored())?.accessToken).toBe(token);
    expect(renewals()).toBe(1);
  });
});

describe('the key that tokens are sealed with', () => {
  test('may be a retired one: it opens them, and refreshed tokens are sealed with the current one', async () => {
    const { use, read, tokens } = await granting(400, { sealing: sealWithRetiredKey });
    expect(tokenOf(await use())).toBe(tokens.accessToken);
    const due = await granting(10, { sealing: sealWithRetiredKey });
    const old = (await due.read()).sealed.keyId;
    expect((await read()).sealed.keyId).toBe(old);
    expect(tokenOf(await due.use())).not.toBe(due.tokens.accessToken);
    expect((await due.read()).sealed.keyId).toBe(seal(0, '').keyId);
  });

  test('if missing, opens nothing and deletes nothing', async () => {
    const { use, read, change } = await granting(10);
    const { sealed } = await read();
    await change({ sealed: { ...sealed, keyId: '00000000' } });
    await expect(use()).rejects.toThrow(/does not have/);
    expect(await read()).toMatchObject({ revokedAt: null, sealed: { text: sealed.text } });
  });

  test('opens them only for the account that they were sealed for', async () => {
    const [mine, theirs] = [await granting(400), await granting(400)];
    await theirs.change({ sealed: (await mine.read()).sealed });
    await expect(theirs.use()).rejects.toThrow();
  });
});
