import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type Browser, connectSlack, makeBrowser, makeReady, uploadSample } from '../factories/httpPerson.ts';
import { eventually } from '../factories/person.ts';
import { type ServerProcess, startProcess } from '../factories/process.ts';
import { withoutMatches } from '../factories/withoutMatches.ts';
import { slackEnvironment } from '../fakes/slack/environment.ts';
import { makeSender as makeSlackSender } from '../fakes/slack/sender.ts';
import { startSlack } from '../fakes/slack/server.ts';
import { teamsEnvironment } from '../fakes/teams/environment.ts';
import { postsOf } from '../fakes/teams/organisation.ts';
import { makeSender as makeTeamsSender, type Place } from '../fakes/teams/sender.ts';
import { addConversation, addUser, startTeams } from '../fakes/teams/server.ts';
import { nextId } from '../fakes/teams/tenant.ts';

type Question = { id: number; status: string; interruptType: string };
type Message = { messageType: string; message: string; kind: string; clientId?: string | null };
type AuditVerdict = { whole: boolean; reason: string | null };

/** Messages that must be acknowledged before each kill. */
const MIN_MESSAGES_PER_KILL = 6;

/**
 * Counts of what the server acknowledged while it was killed again and again, and of what was still there afterwards.
 */
export type Storm = {
  kills: number;
  /** Messages acknowledged over HTTP, and how many of them are in the history exactly once. */
  messages: { acknowledged: number; once: number };
  uploads: { acknowledged: number };
  answers: { acknowledged: number; standing: number; audited: number };
  slack: { acknowledged: number; answered: number; twice: number };
  teams: { acknowledged: number; answered: number; twice: number };
  ledger: { accounts: number; agreeing: number };
  chains: { accounts: number; whole: number };
  /** Runs that are neither being worked on nor waiting for a person. */
  leftOver: number;
  faults: string[];
};

/** Repeats a call until it is acknowledged: the server may be down, or may have restarted before it stored the call. */
async function untilAcknowledged<T>(call: () => Promise<T>, over: () => boolean): Promise<T | null> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      // A refusal (4xx) is an answer. Without an answer the call is repeated.
      if (/: 4\d\d /.test(String(error))) throw error;
      if (over()) return null;
      await wait(30);
    }
  }
}

/**
 * Kills the built server with SIGKILL at random moments while everything runs in it: chat, uploads, analyses, reviews,
 * a schedule, Slack and Teams. After the last kill, everything that was acknowledged must be there exactly once.
 * @param kills number of kills
 * @param random returns numbers from 0 to 1
 */
export async function runStorm(kills: number, random: () => number, note: (line: string) => void): Promise<Storm> {
  const directory = mkdtempSync(join(tmpdir(), 'arc-storm-'));
  const [slack, teams] = await Promise.all([startSlack(), startTeams()]);
  const workspace = slack.addWorkspace('T1');
  const tenant = teams.addTenant();
  const start = () =>
    startProcess(directory, {
      ...slackEnvironment(slack.apiUrl),
      ...teamsEnvironment(teams, tenant),
      LOG_LEVEL: 'silent',
    });
  let server: ServerProcess = await start();
  const people = Array.from({ length: 4 }, () => makeBrowser(() => server.url));
  const owner = people[0] as Browser;
  for (const [index, browser] of people.entries()) await makeReady(browser, `person-${index}@example.org`);
  await connectSlack(owner, workspace);
  await owner.post('/api/teams/connect', { appId: tenant.appId, tenantId: tenant.id, appPassword: tenant.secret });
  const [installation] = await owner.get('/api/channels/teams/installations');
  await owner.put(`/api/channels/teams/installations/${installation.id}`, { admits: 'workspace' });
  const asker = addUser(tenant, 'Someone', 'someone@example.org');
  const slackSender = makeSlackSender(
    () => server.url,
    () => `${slack.url}/response`,
  );
  const teamsSender = () => makeTeamsSender(teams, () => server.url);

  const storm: Storm = {
    kills: 0,
    messages: { acknowledged: 0, once: 0 },
    uploads: { acknowledged: 0 },
    answers: { acknowledged: 0, standing: 0, audited: 0 },
    slack: { acknowledged: 0, answered: 0, twice: 0 },
    teams: { acknowledged: 0, answered: 0, twice: 0 },
    ledger: { accounts: 0, agreeing: 0 },
    chains: { accounts: 0, whole: 0 },
    leftOver: 0,
    faults: [],
  };
  const said = people.map(() => new Set<string>());
  const answered = people.map(() => new Map<number, boolean>());
  const slackThreads: string[] = [];
  const teamsPlaces: Place[] = [];
  let over = false;
  const isOver = () => over;
  const fault = (what: string) => (error: unknown) => {
    storm.faults.push(`${what}: ${String(error).slice(0, 300)}`);
  };

  async function chat(index: number): Promise<void> {
    while (!over) {
      const browser = people[index] as Browser;
      const message = `help ${randomUUID()}`;
      const body = { message, clientId: randomUUID() };
      const sent = await untilAcknowledged(() => browser.post('/api/arc-chat/send', body), isOver);
      if (sent) said[index]?.add(message);
      await wait(random() * 120);
    }
  }

  async function review(index: number): Promise<void> {
    const browser = people[index] as Browser;
    const [agent] = await eventually(
      () => browser.get('/api/user-agents').catch(() => null) as Promise<{ id: number }[] | null>,
      'the agent',
    );
    const read = async () =>
      withoutMatches((await browser.get(`/api/agents/${agent?.id}/interrupts`).catch(() => [])) as Question[]);
    while (!over) {
      // A file that was not acknowledged is uploaded again.
      if ((await untilAcknowledged(() => uploadSample(browser).then(() => true), isOver)) && !over)
        storm.uploads.acknowledged += 2;
      const body = { message: 'Analyse my hazard log', clientId: randomUUID() };
      await untilAcknowledged(() => browser.post('/api/arc-chat/send', body), isOver);
      let question: Question | undefined;
      for (let asked = 0; asked < 400 && !over && !question; asked += 1) {
        question = (await read()).find(({ status, id }) => status === 'pending' && !answered[index]?.has(id));
        if (!question) await wait(30);
      }
      if (!question) continue;
      const approved = random() < 0.5;
      const { id } = question;
      const resolved = await untilAcknowledged(
        () => browser.patch(`/api/interrupts/${id}/resolve`, { approved }),
        isOver,
      ).catch((error: unknown) => (/: 409 /.test(String(error)) ? null : Promise.reject(error)));
      if (resolved) answered[index]?.set(id, approved);
    }
  }

  async function talkInSlack(): Promise<void> {
    while (!over) {
      const channel = `D${randomUUID().slice(0, 8)}`;
      const sent = await slackSender.message(workspace, 'U1', channel, 'help').catch(() => null);
      if (sent?.status === 200) slackThreads.push(channel);
      await wait(random() * 200);
    }
  }

  async function talkInTeams(): Promise<void> {
    while (!over) {
      const place: Place = { tenant, user: asker, conversation: addConversation(tenant, 'personal', [asker]) };
      const sent = await teamsSender()
        .message(place, 'help', { id: nextId() })
        .catch(() => null);
      if (sent?.status === 200) teamsPlaces.push(place);
      await wait(random() * 200);
    }
  }

  const work = Promise.all([
    ...people.map((_, index) => chat(index).catch(fault('chat'))),
    ...[1, 2].map((index) => review(index).catch(fault('review'))),
    talkInSlack().catch(fault('Slack')),
    talkInTeams().catch(fault('Teams')),
  ]);
  for (let kill = 0; kill < kills; kill += 1) {
    await wait(100 + random() * 2500);
    // On a slow machine little may have happened yet, and a kill with nothing in progress would show nothing.
    await eventually(
      async () => said.reduce((sum, some) => sum + some.size, 0) >= (kill + 1) * MIN_MESSAGES_PER_KILL,
      'messages to lose',
    );
    await server.kill();
    storm.kills += 1;
    server = await start();
    if ((kill + 1) % 10 === 0) note(`${kill + 1} of ${kills} kills`);
  }
  over = true;
  await work;

  // No more kills: the sweepers finish the remaining work.
  const slackAnswers = (channel: string) => [...workspace.messages.values()].filter((it) => it.channel === channel);
  const teamsAnswers = (place: Place) =>
    postsOf(tenant).filter(({ conversationId }) => conversationId.split(';')[0] === place.conversation.id);
  await eventually(
    async () =>
      slackThreads.every((channel) => slackAnswers(channel).length > 0) &&
      teamsPlaces.every((place) => teamsAnswers(place).length > 0),
    'every answer in Slack and Teams',
    150_000,
  ).catch(fault('answers'));
  for (const [index, browser] of people.entries()) {
    const history = async () =>
      (await browser.get('/api/arc-chat/history?limit=200')) as { messages: Message[]; working?: { status: string }[] };
    await eventually(
      async () => ((await history()).working ?? []).every(({ status }) => status === 'waiting'),
      'runs that end or wait',
      150_000,
    ).catch(fault('runs'));
    storm.leftOver += ((await history()).working ?? []).filter(({ status }) => status !== 'waiting').length;
    const counted = await countMessages(browser);
    for (const text of said[index] ?? []) {
      storm.messages.acknowledged += 1;
      if (counted.get(text) === 1) storm.messages.once += 1;
      else storm.faults.push(`“${text}” is in the history ${counted.get(text) ?? 0} times`);
    }
    const [agent] = await browser.get('/api/user-agents');
    const questions = (await browser.get(`/api/agents/${agent.id}/interrupts`)) as (Question & {
      userResponse: { rows: { outcome: string }[] } | null;
    })[];
    for (const [id, approved] of answered[index] ?? []) {
      storm.answers.acknowledged += 1;
      const standing = questions.find((one) => one.id === id);
      const outcome = approved ? 'accepted' : 'rejected';
      if (standing?.status === 'resolved' && standing.userResponse?.rows.every((row) => row.outcome === outcome))
        storm.answers.standing += 1;
      else storm.faults.push(`the answer to question ${id} was lost`);
    }
    const { events } = (await browser.get('/api/audit?limit=200')) as { events: { event: string; subject: string }[] };
    for (const id of answered[index]?.keys() ?? [])
      if (events.filter((it) => it.event === 'interrupt.answered' && it.subject === `interrupt:${id}`).length === 1)
        storm.answers.audited += 1;
    const verdict = (await browser.get('/api/audit/verify')) as AuditVerdict;
    storm.chains.accounts += 1;
    if (verdict.whole) storm.chains.whole += 1;
    else storm.faults.push(`a chain: ${verdict.reason}`);
    const { balance } = await browser.get('/api/user/tokens/balance');
    storm.ledger.accounts += 1;
    if (balance.tokensRemaining + balance.tokensUsed === 50_000 && balance.tokensRemaining >= 0)
      storm.ledger.agreeing += 1;
    else storm.faults.push(`a ledger: ${JSON.stringify(balance)}`);
  }
  storm.slack.acknowledged = slackThreads.length;
  storm.teams.acknowledged = teamsPlaces.length;
  for (const channel of slackThreads) {
    if (slackAnswers(channel).length > 0) storm.slack.answered += 1;
    if (slackAnswers(channel).length > 1) storm.slack.twice += 1;
  }
  for (const place of teamsPlaces) {
    if (teamsAnswers(place).length > 0) storm.teams.answered += 1;
    if (teamsAnswers(place).length > 1) storm.teams.twice += 1;
  }
  await server.stop();
  await Promise.all([slack.stop(), teams.stop()]);
  rmSync(directory, { recursive: true, force: true });
  return storm;

  async function countMessages(browser: Browser): Promise<Map<string, number>> {
    const counted = new Map<string, number>();
    for (let before = ''; ; ) {
      const page = (await browser.get(`/api/arc-chat/history?limit=200${before}`)) as {
        messages: (Message & { id: string })[];
        hasMore: boolean;
      };
      for (const { messageType, message } of page.messages)
        if (messageType === 'user') counted.set(message, (counted.get(message) ?? 0) + 1);
      if (!page.hasMore) break;
      before = `&before=${page.messages.at(-1)?.id}`;
    }
    return counted;
  }
}
