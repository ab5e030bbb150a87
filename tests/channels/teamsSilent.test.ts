/** @environment teams */
import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import { eventually } from '../factories/person.ts';
import { sweepNow } from '../factories/sweepNow.ts';
import { postWith, startTeamsServer, type TeamsServer } from '../factories/teamsServer.ts';
import { postsOf } from '../fakes/teams/organisation.ts';

let it: TeamsServer;
beforeAll(async () => {
  it = await startTeamsServer();
});
afterEach(() => {
  jest.restoreAllMocks();
  it.teams.recover();
});
afterAll(() => it.stop());

/** Shortens the timeout of every call to the platform to this. */
function shortenCalls(): void {
  const timeout = AbortSignal.timeout.bind(AbortSignal);
  jest.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => timeout(Math.min(milliseconds, 300)));
}

test.each([
  ['the words themselves', /POST .*\/activities/],
  ['the roster', /GET .*members/],
  ['the login', /POST .*\/oauth2\/v2.0\/token/],
])('a call that is accepted and never answered does not block the conversation: %s', async (_what, match) => {
  const organisation = await it.connect();
  const { sweepTurns } = await import('../../bot/engine/turns/sweepTurns.ts');
  shortenCalls();
  it.teams.revokeTokens();
  it.teams.silence(match, 1);
  await organisation.sender.message(organisation.personal, 'help');
  await organisation.sender.message(organisation.personal, 'What is the risk matrix?');
  await eventually(async () => {
    await sweepTurns();
    await sweepNow();
    return postsOf(organisation.tenant).length >= 2;
  }, 'both answers');
  expect((await postWith(organisation, /I never set a severity/)).text).toBeTruthy();
});

test('keys that Microsoft does not deliver in time do not count as a forged token: the activity is sent again', async () => {
  const { makeAdapter } = await import('../../bot/channels/teams/platform/adapter.ts');
  const { env } = await import('../../models/env.ts');
  const organisation = await it.connect();
  const apps = { isKnown: async () => true, tokenOf: async () => 'token' };
  // Keys are cached by address, so another address makes Arc fetch them.
  const adapter = makeAdapter(apps, { ...env, BOT_OPENID_METADATA: `${it.teams.url}/openid?later` });
  const { personal, sender, tenant } = organisation;
  const activity = { ...sender.envelope(personal, 'message'), text: 'help' };
  const { claimsFor } = await import('../fakes/teams/sender.ts');
  const token = await it.teams.keys.sign(claimsFor(tenant, it.teams.serviceUrl));
  shortenCalls();
  it.teams.silence(/\/openid/, 1);
  const call = () => adapter.authenticate(`Bearer ${token}`, activity as never);
  await expect(call()).rejects.toMatchObject({ code: 'teams_unavailable' });
  expect(await call()).toBe(tenant.appId);
});
