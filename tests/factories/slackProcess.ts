import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { slackEnvironment } from '../fakes/slack/environment.ts';
import { makeSender } from '../fakes/slack/sender.ts';
import { startSlack } from '../fakes/slack/server.ts';
import { connectSlack, makeBrowser, makeReady } from './httpPerson.ts';
import { startProcess } from './process.ts';

/**
 * The built server in its own process with a fake Slack, so that the sender of events does not compete with the server
 * for its thread. The workspace admits everybody; U1 is linked to the person.
 */
export async function startSlackProcess() {
  const directory = mkdtempSync(join(tmpdir(), 'arc-slack-process-'));
  const slack = await startSlack();
  const workspace = slack.addWorkspace('T1');
  const server = await startProcess(directory, slackEnvironment(slack.apiUrl));
  const browser = makeBrowser(() => server.url);
  await makeReady(browser, 'owner@example.org');
  await connectSlack(browser, workspace);
  return {
    directory,
    server,
    slack,
    workspace,
    browser,
    sender: makeSender(
      () => server.url,
      () => `${slack.url}/response`,
    ),
    async stop() {
      await server.stop();
      await slack.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
