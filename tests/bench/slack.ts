import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { makeBrowser, makeReady } from '../factories/httpPerson.ts';
import { eventually } from '../factories/person.ts';
import { startProcess } from '../factories/process.ts';
import { slackEnvironment } from '../fakes/slack/environment.ts';
import { makeSender } from '../fakes/slack/sender.ts';
import { startSlack } from '../fakes/slack/server.ts';
import { type BenchRow, percentile } from './row.ts';

const RATE = 100;
const SECONDS = 5;

/** Events to the real server in a process of its own, with the fake Slack answering at once. */
export async function benchSlack(): Promise<BenchRow[]> {
  const directory = mkdtempSync(join(tmpdir(), 'arc-bench-'));
  const slack = await startSlack();
  const workspace = slack.addWorkspace('T1');
  const server = await startProcess(directory, slackEnvironment(slack.apiUrl));
  try {
    const browser = makeBrowser(() => server.url);
    await makeReady(browser, 'bench@example.org');
    const vendor = await fetch(String(await browser.get('/api/oauth/slack/authorize')), { redirect: 'manual' });
    const back = new URL(String(vendor.headers.get('location')));
    await browser.get(`${back.pathname}${back.search}`);
    const [installation] = await browser.get('/api/channels/slack/installations');
    await browser.put(`/api/channels/slack/installations/${installation.id}`, { admits: 'workspace' });
    workspace.users.set('U1', { id: 'U1', email: 'someone@example.org', name: 'Someone' });
    const sender = makeSender(
      () => server.url,
      () => `${slack.url}/response`,
    );
    const repliesIn = (channel: string) =>
      [...workspace.messages.values()].some((message) => message.channel === channel);
    await sender.message(workspace, 'U1', 'D0', 'help');
    await eventually(async () => repliesIn('D0'), 'the first reply');

    const replies: number[] = [];
    for (let index = 0; index < 40; index += 1) {
      const channel = `C${index}`;
      const begun = performance.now();
      await sender.mention(workspace, 'U1', channel, 'What is the risk matrix?');
      while (!repliesIn(channel)) await wait(1);
      replies.push(performance.now() - begun);
    }
    const sent: Promise<{ milliseconds: number; status: number }>[] = [];
    for (let index = 0; index < RATE * SECONDS; index += 1) {
      // Half of what a workspace says is not meant for the agent.
      const channel = index % 2 === 0 ? `D${index}` : 'C-talk';
      sent.push(sender.message(workspace, 'U1', channel, 'help'));
      await wait(1000 / RATE);
    }
    const acknowledged = (await Promise.all(sent)).map(({ milliseconds }) => milliseconds);
    // What was acknowledged is answered before the server ends.
    await eventually(async () => repliesIn(`D${RATE * SECONDS - 2}`), 'the last reply', 60_000);
    const p99 = percentile(acknowledged, 0.99);
    const p95 = percentile(replies, 0.95);
    return [
      {
        name: `acknowledged at ${RATE} events/s, p99`,
        value: `${p99.toFixed(1)} ms`,
        limit: '< 100 ms',
        ok: p99 < 100,
      },
      {
        name: 'the slowest of them',
        value: `${Math.max(...acknowledged).toFixed(1)} ms`,
        limit: '< 1,000 ms',
        ok: Math.max(...acknowledged) < 1000,
      },
      { name: 'mention to reply, p95', value: `${p95.toFixed(1)} ms`, limit: '< 300 ms', ok: p95 < 300 },
    ];
  } finally {
    await server.stop();
    await slack.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}
