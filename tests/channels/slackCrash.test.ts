import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { connectSlack, joinByMail, makeBrowser, makeReady } from '../factories/httpPerson.ts';
import { eventually } from '../factories/person.ts';
import { type ServerProcess, startProcess } from '../factories/process.ts';
import { slackEnvironment } from '../fakes/slack/environment.ts';
import { nextTs, type Workspace } from '../fakes/slack/methods.ts';
import { makeSender } from '../fakes/slack/sender.ts';
import { type FakeSlack, startSlack } from '../fakes/slack/server.ts';
import { startSmtp } from '../fakes/smtp.ts';

const directory = mkdtempSync(join(tmpdir(), 'arc-slack-'));
let slack: FakeSlack;
let smtp: Awaited<ReturnType<typeof startSmtp>> | undefined;
let server: ServerProcess;
let workspace: Workspace;
const browser = makeBrowser(() => server.url);
const sender = makeSender(
  () => server.url,
  () => `${slack.url}/response`,
);
const start = () => startProcess(directory, { ...slackEnvironment(slack.apiUrl), SMTP_URL: smtp?.url ?? '' });
const posted = () => [...workspace.messages.values()];

beforeAll(async () => {
  slack = await startSlack();
  workspace = slack.addWorkspace('T1');
  server = await start();
  await makeReady(browser, 'ada@example.org');
  // Anyone in the workspace may ask, because the e-mail of an account made without mail is not verified.
  await connectSlack(browser, workspace);
}, 120_000);
afterAll(async () => {
  await server.stop();
  await slack.stop();
  await smtp?.stop();
  rmSync(directory, { recursive: true, force: true });
});

describe('kill -9 with Slack', () => {
  test('acknowledged messages are answered, Slack resends the others, and each is answered once', async () => {
    const posts = Array.from({ length: 30 }, (_, index) => ({ channel: `D${index}`, ts: nextTs() }));
    const send = ({ channel, ts }: (typeof posts)[number]) =>
      sender.message(workspace, 'U1', channel, 'help', { ts }).then(
        ({ status }) => status === 200,
        () => false,
      );
    const first = posts.map(send);
    await Promise.race(first);
    await server.kill();
    const acknowledged = await Promise.all(first);
    // From here on there is a mail server, for invited people.
    smtp = await startSmtp();
    server = await start();
    // Like Slack, resends what was not acknowledged, and sometimes what was.
    const again = posts.filter((_, index) => !acknowledged[index] || index % 5 === 0);
    const sendUntilHeard = async (post: (typeof posts)[number]) =>
      (await send(post)) || (await send(post)) || (await send(post));
    expect(await Promise.all(again.map(sendUntilHeard))).not.toContain(false);
    await eventually(
      async () => new Set(posted().map(({ channel }) => channel)).size === posts.length,
      'every reply',
      60_000,
    );
    expect(posted().filter(({ channel }) => channel.startsWith('D'))).toHaveLength(posts.length);
  }, 240_000);

  test('killed between an answer and its consequences, the run ends once and the message is closed', async () => {
    // The person who answers joined with a mailed invitation, which verified their e-mail.
    const ben = { email: 'ben@example.org', roles: ['deputy'], firstName: 'Ben' };
    await joinByMail(browser, () => server.url, smtp as NonNullable<typeof smtp>, ben);
    workspace.users.set('U2', { id: 'U2', email: 'ben@example.org', name: 'Ben in Slack' });
    await sender.message(workspace, 'U1', 'DX', 'Try it with a sample');
    await eventually(
      async () => posted().some(({ channel, text }) => channel === 'DX' && /sample/.test(text)),
      'the sample',
    );
    await sender.message(workspace, 'U1', 'DX', 'Analyse my hazard log');
    const question = await eventually(
      async () =>
        posted().find(({ channel, blocks }) => channel === 'DX' && JSON.stringify(blocks).includes('answer:review')),
      'the question',
      40_000,
    );
    const id = String(/"value":"(\d+):/.exec(JSON.stringify(question.blocks))?.[1]);
    const pressed = await sender.click(workspace, 'U2', 'answer:approve', id, { channel: 'DX', ts: question.ts });
    expect(pressed.status).toBe(200);
    await server.kill();
    server = await start();
    await eventually(
      async () => posted().some(({ channel, text }) => channel === 'DX' && /Review recorded/.test(text)),
      'the record',
      60_000,
    );
    await eventually(
      async () => !JSON.stringify(posted().find(({ ts }) => ts === question.ts)?.blocks).includes('"button"'),
      'the buttons gone',
      60_000,
    );
    expect(posted().filter(({ text }) => /Review recorded/.test(text))).toHaveLength(1);
    expect(posted().find(({ ts }) => ts === question.ts)?.text).toMatch(/^Approved by Ben.* in Slack/);
  }, 150_000);
});
