/** @environment slack */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { actionsIn, openSlackTeams } from './slackTeams.ts';

const slackTeams = openSlackTeams();
const { postWith } = actionsIn(slackTeams);

/** Another server, which tries to obtain a token. */
let elsewhere: string;
const asked: string[] = [];
const other = createServer((request, response) => {
  asked.push(`${request.url} ${request.headers.authorization ?? 'without a token'}`);
  response.end('id,name');
});
beforeAll(async () => {
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  elsewhere = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => other.close(resolve)));
beforeEach(() => {
  asked.length = 0;
});

test.each([
  ['stored with another host', () => ({ address: `${elsewhere}/log.csv` })],
  ['that leads on to another', () => ({ leadsTo: `${elsewhere}/log.csv` })],
  // Slack's own sign-in page, which is shown to those who may not have a file.
  ['that leads on to Slack itself', () => ({ leadsTo: `${slackTeams.slack.url}/files/F2` })],
])('a file %s is not downloaded from there, which is reported at once', async (_what, more) => {
  const { workspace } = await slackTeams.connect();
  const bytes = Buffer.from('x');
  workspace.files.set('F1', { id: 'F1', name: 'log.csv', bytes, ...more() });
  workspace.files.set('F2', { id: 'F2', name: 'log.csv', bytes });
  await slackTeams.sender.message(workspace, 'U1', 'D1', '', {
    subtype: 'file_share',
    files: [{ id: 'F1', name: 'log.csv' }],
  });
  await postWith(workspace, /could not fetch the file/);
  expect(asked).toEqual([]);
});

test.each([
  ['https://files.slack.com/files-pri/T1-F1/download/log.xlsx', true],
  ['https://arc-team.enterprise.slack.com/files/log.xlsx', true],
  ['http://files.slack.com/files-pri/T1-F1/download/log.xlsx', false],
  ['https://evilslack.com/log.xlsx', false],
  ['https://slack.com.evil.org/log.xlsx', false],
  ['https://files.slack.com@evil.org/log.xlsx', false],
  ['https://evil.org/files.slack.com/log.xlsx', false],
  ['https://evil.org?.slack.com', false],
  ['https://evil.org#.slack.com', false],
  ['ftp://files.slack.com/log.xlsx', false],
  ['files.slack.com/log.xlsx', false],
])('%s is sent the token: %s', async (address, shown) => {
  const { isSlackAddress } = await import('../../bot/channels/slack/files.ts');
  expect(isSlackAddress(address)).toBe(shown);
});
