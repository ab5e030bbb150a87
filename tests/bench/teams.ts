import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { makeBrowser, makeReady } from '../factories/httpPerson.ts';
import { eventually } from '../factories/person.ts';
import { startProcess } from '../factories/process.ts';
import { teamsEnvironment } from '../fakes/teams/environment.ts';
import { makeSender, type Place } from '../fakes/teams/sender.ts';
import { addConversation, addUser, startTeams } from '../fakes/teams/server.ts';
import { type BenchRow, percentile } from './row.ts';

const RATE = 100;
const SECONDS = 5;

/**
 * Sends activities, each with its signed token, to the real server in its own process, with a fake Teams that answers
 * at once.
 */
export async function benchTeams(): Promise<BenchRow[]> {
  const directory = mkdtempSync(join(tmpdir(), 'arc-bench-'));
  const teams = await startTeams();
  const tenant = teams.addTenant();
  const server = await startProcess(directory, teamsEnvironment(teams, tenant));
  try {
    const browser = makeBrowser(() => server.url);
    await makeReady(browser, 'bench@example.org');
    const registration = { appId: tenant.appId, tenantId: tenant.id, appPassword: tenant.secret };
    await browser.post('/api/teams/connect', registration);
    const [installation] = await browser.get('/api/channels/teams/installations');
    await browser.put(`/api/channels/teams/installations/${installation.id}`, { admits: 'workspace' });
    const user = addUser(tenant, 'Someone', 'someone@example.org');
    const sender = makeSender(teams, () => server.url);
    const place = (type: 'personal' | 'channel'): Place => ({
      tenant,
      user,
      conversation: addConversation(tenant, type, [user]),
    });
    const repliesIn = ({ conversation }: Place) =>
      [...tenant.posts.values()].some(({ conversationId }) => conversationId.startsWith(conversation.id));
    const first = place('personal');
    await sender.install(first);
    await sender.message(first, 'help');
    await eventually(async () => repliesIn(first), 'the first reply');

    const replies: number[] = [];
    for (let index = 0; index < 40; index += 1) {
      const channel = place('channel');
      const begun = performance.now();
      await sender.message(channel, 'What is the risk matrix?');
      while (!repliesIn(channel)) await wait(1);
      replies.push(performance.now() - begun);
    }
    const talk = place('channel');
    const sent: Promise<{ milliseconds: number; status: number }>[] = [];
    for (let index = 0; index < RATE * SECONDS; index += 1) {
      // Half of the messages are not addressed to the agent.
      sent.push(
        index % 2 === 0
          ? sender.message(place('personal'), 'help')
          : sender.send({ ...sender.envelope(talk, 'message'), text: 'just talking' }, tenant),
      );
      await wait(1000 / RATE);
    }
    const answers = await Promise.all(sent);
    const taken = answers.every(({ status }) => status === 200);
    const p99 = percentile(
      answers.map(({ milliseconds }) => milliseconds),
      0.99,
    );
    const p95 = percentile(replies, 0.95);
    return [
      {
        name: `acknowledged at ${RATE} activities/s, p99`,
        value: `${p99.toFixed(1)} ms`,
        limit: '< 100 ms',
        ok: taken && p99 < 100,
      },
      { name: 'mention to reply, p95', value: `${p95.toFixed(1)} ms`, limit: '< 300 ms', ok: p95 < 300 },
    ];
  } finally {
    await server.stop();
    await teams.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}
