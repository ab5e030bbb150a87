/** @environment slack */
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { slackConnector, testSlack } from '../../../bot/channels/slack/install.ts';
import { toggleIntegration } from '../../../bot/engine/accounts/integrations.ts';
import { BOT_SCOPES } from '../../../manifests/slackScopes.ts';
import { ChannelInstallation } from '../../../models/channelInstallation.ts';
import { baseUrl } from '../../../models/env.ts';
import { runInAccount } from '../../../models/store/context.ts';
import { slack } from '../../environments/slack.ts';
import { type Server, startServer } from '../../factories/server.ts';
import { connectWorkspace, readInstalled, readTokens, slackTokens } from '../../factories/slackPlace.ts';
import { makeWho, nextNumber } from '../../factories/who.ts';

let server: Server;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());
afterEach(() => {
  jest.restoreAllMocks();
});

describe('connecting Slack', () => {
  const connect = (code: string, who = makeWho()) =>
    slackConnector.connect(who, { code, state: 'the state', kept: null });
  const text = 'Slack did not accept the connection. Please try again.';

  test('starts on Slack’s page, with every scope that the app needs', async () => {
    const begun = await slackConnector.begin(makeWho(), { service: 'slack', state: 'the state' });
    const address = new URL(begun.address);
    expect(address.origin + address.pathname).toBe(`${slack.url}/oauth/v2/authorize`);
    expect(Object.fromEntries(address.searchParams)).toEqual({
      client_id: '1.2',
      scope: BOT_SCOPES.join(','),
      redirect_uri: `${baseUrl()}/api/oauth/slack/callback`,
      state: 'the state',
    });
  });

  test('installs a workspace, or the whole organisation', async () => {
    const [who, team] = [makeWho(), `T${nextNumber()}`];
    slack.addWorkspace(team, 'Quillmere');
    await connect(`code-${team}`, who);
    const { accountId, userId } = who;
    expect(await readInstalled(team)).toMatchObject({ accountId, installedBy: userId, name: 'Quillmere' });
    expect(await readTokens(team)).toEqual(slackTokens(team));
    const [other, organisation] = [`T${nextNumber()}`, `E${nextNumber()}`];
    Object.assign(slack.addWorkspace(other, 'The Trust'), { enterprise: organisation });
    await connect(`code-${other}`);
    expect(await readInstalled(organisation)).toMatchObject({ name: 'The Trust' });
    expect(await readTokens(organisation)).toMatchObject({ teamId: null, enterpriseId: organisation, expiresAt: null });
    const unnamed = `T${nextNumber()}`;
    Object.assign(slack.addWorkspace(unnamed), { name: undefined });
    await connect(`code-${unnamed}`);
    expect(await readInstalled(unnamed)).toMatchObject({ name: 'Slack' });
  });

  test('stores no bot if Slack names none', async () => {
    const team = `T${nextNumber()}`;
    slack.addWorkspace(team).grant = { bot_id: undefined };
    await connect(`code-${team}`);
    expect((await readTokens(team)).botId).toBe('');
  });

  test('stores when the token expires, and how it is refreshed', async () => {
    const team = `T${nextNumber()}`;
    Object.assign(slack.addWorkspace(team), { expiresIn: 43_200 });
    jest.spyOn(Date, 'now').mockReturnValue(Date.UTC(2026, 10, 1, 12, 0, 0, 900));
    await connect(`code-${team}`);
    expect(await readTokens(team)).toMatchObject({
      refreshToken: `xoxe-${team}`,
      expiresAt: Date.UTC(2026, 10, 1, 12) / 1000 + 43_200,
    });
  });

  test('reports what Slack failed to do', async () => {
    await expect(connect('code-nothing')).rejects.toMatchObject({ code: 'not_available', message: text });
    const team = `T${nextNumber()}`;
    slack.addWorkspace(team).tokens.clear();
    await expect(connect(`code-${team}`)).rejects.toThrow('Slack sent a token, but a test call with it failed.');
    expect(await ChannelInstallation.exists({ key: team })).toBeNull();
  });

  test.each(['access_token', 'bot_user_id'])('needs the %s from Slack', async (missing) => {
    const team = `T${nextNumber()}`;
    slack.addWorkspace(team).grant = { [missing]: undefined };
    await expect(connect(`code-${team}`)).rejects.toMatchObject({
      code: 'not_available',
      message: 'Slack sent no token for the app. Please try again.',
    });
    expect(await ChannelInstallation.exists({ key: team })).toBeNull();
  });

  test('checks every workspace of the account', async () => {
    const { accountId, key, workspace } = await connectWorkspace(slack);
    expect(await testSlack(accountId)).toBeNull();
    expect(await testSlack(nextNumber())).toBe('Slack is not connected. Connect it under Integrations.');
    slack.refuse('auth.test', 'team_access_not_granted');
    expect(await testSlack(accountId)).toBe(`Slack does not answer for ${workspace.name}: team_access_not_granted.`);
    slack.fail('auth.test', 429, 1, 1);
    expect(await testSlack(accountId)).toBe(`Slack does not answer for ${workspace.name}: no answer.`);
    const owner = makeWho({ accountId });
    await runInAccount(accountId, () => toggleIntegration(owner, 'slack', false));
    expect(await testSlack(accountId)).toBe(`Slack does not answer for ${workspace.name}: not installed.`);
    expect(key).toBe(workspace.team);
  });
});
