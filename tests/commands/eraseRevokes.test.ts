import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { connectSlack, makeBrowser, makeReady } from '../factories/httpPerson.ts';
import { startSlackProcess } from '../factories/slackProcess.ts';
import { slackEnvironment } from '../fakes/slack/environment.ts';
import type { Workspace } from '../fakes/slack/methods.ts';
import { runCommand } from './runCommand.ts';

let place: Awaited<ReturnType<typeof startSlackProcess>>;
beforeAll(async () => {
  place = await startSlackProcess();
});
afterAll(() => place.stop());
beforeEach(() => place.slack.recover());

/** A company of one person, with a workspace of Slack connected. */
async function connectCompany(team: string) {
  const email = `${team.toLowerCase()}@example.org`;
  const browser = makeBrowser(() => place.server.url);
  await makeReady(browser, email);
  const workspace = place.slack.addWorkspace(team, `Company ${team}`);
  await connectSlack(browser, workspace);
  return { email, workspace };
}

const erase = (email: string) =>
  runCommand(place.directory, ['account', 'erase', email, '--confirm', email], slackEnvironment(place.slack.apiUrl));
const revocations = (workspace: Workspace) => place.slack.callsOf('auth.revoke', workspace).length;

test('erasing a company revokes its own access to Slack first, once, and no other company’s', async () => {
  const { email, workspace } = await connectCompany('TA');
  const { code, said } = await erase(email);
  expect({ code, said }).toMatchObject({ code: 0, said: expect.stringMatching(/Erased: \d+ documents\.\n$/) });
  expect(revocations(workspace)).toBe(1);
  expect(workspace.tokens.size).toBe(0);
  expect(revocations(place.workspace)).toBe(0);
  expect(place.workspace.tokens.size).toBe(1);
});

test('a company is erased even if Slack does not confirm, and the command says what is left, without the token', async () => {
  const { email, workspace } = await connectCompany('TB');
  place.slack.refuse('auth.revoke', 'invalid_auth', 9);
  const { code, said } = await erase(email);
  expect(code).toBe(0);
  expect(said).toMatch(/Erased: \d+ documents\./);
  expect(said).toContain('Not confirmed as revoked: Slack (Company TB).');
  expect(said).toContain('a provider did not revoke the access');
  expect(said).not.toContain([...workspace.tokens][0]);
  expect((await erase(email)).said).toContain('No user has the e-mail');
});

test('a wrong confirmation revokes nothing', async () => {
  const { email, workspace } = await connectCompany('TC');
  expect(await runCommand(place.directory, ['account', 'erase', email, '--confirm', 'x@example.org'])).toMatchObject({
    code: 1,
  });
  expect(revocations(workspace)).toBe(0);
});
