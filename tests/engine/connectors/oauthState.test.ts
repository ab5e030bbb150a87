/** @environment store */
import { createHash } from 'node:crypto';
import { describe, expect, jest, test } from '@jest/globals';
import { consumeState, keepState, newState } from '../../../bot/engine/connectors/oauthState.ts';
import { OauthState } from '../../../models/oauthState.ts';
import type { Who } from '../../../models/policies/who.ts';
import { connectTestStore, makeWho } from '../../factories/account.ts';

connectTestStore();

const GIVEN = { service: 'slack', from: '/integrations', agent: 'clinical_safety', kept: { verifier: 'the verifier' } };
/** Starts a connection. @returns its state */
async function beginState(who: Who, session: string, it: Parameters<typeof keepState>[3]) {
  const state = newState();
  await keepState(who, session, state, it);
  return state;
}
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

describe('the state of a connection', () => {
  test('is stored only as a hash, and returns its data once', async () => {
    const who = makeWho();
    const before = Date.now();
    const state = await beginState(who, 'session', GIVEN);
    // 24 bytes in base64.
    expect(state).toMatch(/^[\w-]{32}$/);
    expect(await beginState(who, 'session', GIVEN)).not.toBe(state);
    const kept = await OauthState.findById(sha256(state)).lean();
    const { accountId, userId } = who;
    const { kept: secret, ...begun } = GIVEN;
    expect(kept).toMatchObject({ ...begun, accountId, userId, session: sha256('session') });
    expect(JSON.stringify(kept)).not.toContain(secret.verifier);
    expect(Math.round(((kept?.expiresAt.getTime() ?? 0) - before) / 1000)).toBe(600);
    expect(await consumeState(who, 'session', ['slack', 'huddle'], state)).toEqual(GIVEN);
    expect(await consumeState(who, 'session', ['slack', 'huddle'], state)).toBeNull();
  });

  test('of one service does not work for another, which does not use it up', async () => {
    const who = makeWho();
    const state = await beginState(who, 'session', { ...GIVEN, agent: null });
    expect(await consumeState(who, 'session', ['notion'], state)).toBeNull();
    expect(await consumeState(who, 'session', ['slack'], `${state}x`)).toBeNull();
    expect(await consumeState(who, 'session', ['slack', 'huddle'], state)).toMatchObject({
      service: 'slack',
      agent: null,
    });
  });

  test.each([
    ['another session', 'other', {}],
    ['another account', 'session', { accountId: 1 }],
    ['another user', 'session', { userId: 1 }],
  ])('is used up by %s, which gets nothing', async (_what, session, change) => {
    const who = makeWho();
    const state = await beginState(who, 'session', GIVEN);
    expect(await consumeState({ ...who, ...change }, session, ['slack', 'huddle'], state)).toBeNull();
    expect(await consumeState(who, 'session', ['slack', 'huddle'], state)).toBeNull();
  });

  test('works until it expires', async () => {
    const who = makeWho();
    const states = [await beginState(who, 'session', GIVEN), await beginState(who, 'session', GIVEN)];
    const [early = '', late = ''] = states;
    const expiresAt = new Date(Date.now() + 10_000);
    await OauthState.updateMany({ _id: { $in: states.map(sha256) } }, { $set: { expiresAt } });
    const at = jest.spyOn(Date, 'now').mockReturnValue(expiresAt.getTime() - 1);
    expect(await consumeState(who, 'session', ['slack'], early)).not.toBeNull();
    at.mockReturnValue(expiresAt.getTime());
    expect(await consumeState(who, 'session', ['slack'], late)).toBeNull();
    at.mockRestore();
  });
});
