import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { connectSlack, makeBrowser, makeReady } from '../factories/httpPerson.ts';
import { eventually } from '../factories/person.ts';
import { type ServerProcess, startProcess } from '../factories/process.ts';
import type { Asked, Behaviour } from '../fakes/model/behaviour.ts';
import { startModelServer } from '../fakes/model/server.ts';
import { slackEnvironment } from '../fakes/slack/environment.ts';
import type { Posted, Workspace } from '../fakes/slack/methods.ts';
import { makeSender } from '../fakes/slack/sender.ts';
import { type FakeSlack, startSlack } from '../fakes/slack/server.ts';

const directory = mkdtempSync(join(tmpdir(), 'arc-slack-streaming-'));
let slack: FakeSlack;
let model: Awaited<ReturnType<typeof startModelServer>>;
let server: ServerProcess;
let workspace: Workspace;
const browser = makeBrowser(() => server.url);
const sender = makeSender(
  () => server.url,
  () => `${slack.url}/response`,
);

const SENTENCES = ['MED-02 fits your words [1].', 'It is MED-02 that fits [1].', 'So I name MED-02 here [1].'];
/** Set where the model writes other words when it is asked again. */
let other: string | null = null;

/** What an answer waits for, by the number of its chunks that are sent: the second ends the first sentence. */
const waitsAfter = new Map<number, Promise<unknown>>();
const NEVER = new Promise<never>(() => undefined);

/** Lets answers stop after their first sentence. @returns what lets them go on */
function holdAfterFirstSentence(): () => void {
  let goOn = () => {};
  const held = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  waitsAfter.set(2, held);
  return goOn;
}

/** One tool, then an answer whose sentences come about a second apart, or later. */
function behave({ messages }: Asked): Behaviour {
  const results = messages.filter(({ role }) => role === 'tool').length;
  if (results === 0) return { calls: [{ name: 'describe_item', input: { id: 'MED-02' } }] };
  return { text: other ?? SENTENCES.join(' '), pause: 500, before: (sent) => waitsAfter.get(sent) };
}

const start = () =>
  startProcess(directory, {
    ...slackEnvironment(slack.apiUrl),
    ...model.environment,
  });

beforeAll(async () => {
  slack = await startSlack();
  model = await startModelServer(behave);
  workspace = slack.addWorkspace('T1');
  server = await start();
  await makeReady(browser, 'ada@example.org', ['clinicalsafety']);
  await connectSlack(browser, workspace);
}, 120_000);
afterEach(() => {
  slack.recover();
  waitsAfter.clear();
});
afterAll(async () => {
  await server.stop();
  await slack.stop();
  await model.stop();
  rmSync(directory, { recursive: true, force: true });
});

const postsIn = (channel: string) => [...workspace.messages.values()].filter((post) => post.channel === channel);
const QUESTION = 'zebra every monday quux';
const ask = async (channel: string) => (await sender.message(workspace, 'U1', channel, QUESTION)).ts;
const ended = (channel: string): Promise<Posted> =>
  eventually(async () => postsIn(channel).find(({ streamed }) => streamed === 'done'), 'the end of the stream', 40_000);
const streamingIn = (channel: string, words: string): Promise<Posted> =>
  eventually(
    async () => postsIn(channel).find(({ streamed, text }) => streamed === 'open' && text.includes(words)),
    `a stream with “${words}”`,
    40_000,
  );

describe('an answer that a model writes', () => {
  test('streams in a direct chat as it is written, with a card for each step and a title for its thread', async () => {
    const goOn = holdAfterFirstSentence();
    const thread = await ask('D1');
    const begun = await streamingIn('D1', String(SENTENCES[0]));
    goOn();
    expect(begun).toMatchObject({ thread, username: 'Clara, Clinical safety officer' });
    expect(begun.text).not.toContain(SENTENCES[2]);
    const done = await ended('D1');
    expect(postsIn('D1')).toHaveLength(1);
    expect(done.text).toBe(SENTENCES.join(' '));
    expect(done.tasks?.map(({ title }) => title)).toEqual(['Thinking', 'Opening one item', 'Thinking', 'Writing']);
    expect(new Set(done.tasks?.map(({ status }) => status))).toEqual(new Set(['complete']));
    expect(JSON.stringify(done.blocks)).toMatch(/"good:[0-9a-f]{24}".*"bad:[0-9a-f]{24}"/);
    expect(slack.callsOf('chat.startStream', workspace)).toHaveLength(1);
    expect(slack.callsOf('chat.update', workspace)).toEqual([]);
    await eventually(async () => workspace.titles.get(`D1:${thread}`) === QUESTION, 'the title');
  }, 60_000);

  test('waits as long as Slack says when it is too fast, and is complete', async () => {
    const goOn = holdAfterFirstSentence();
    await ask('D2');
    await streamingIn('D2', String(SENTENCES[0]));
    slack.fail('chat.appendStream', 429, 1, 1);
    goOn();
    const done = await ended('D2');
    for (const sentence of SENTENCES) expect(done.text.split(sentence)).toHaveLength(2);
    expect(postsIn('D2')).toHaveLength(1);
  }, 60_000);

  test('is one complete message in a channel, where nothing is streamed', async () => {
    const calls = slack.callsOf('chat.startStream', workspace).length;
    await sender.mention(workspace, 'U1', 'C1', QUESTION);
    const post = await eventually(async () => postsIn('C1')[0], 'the post', 40_000);
    for (const sentence of SENTENCES) expect(JSON.stringify(post.blocks)).toContain(sentence);
    expect(slack.callsOf('chat.startStream', workspace)).toHaveLength(calls);
    expect(postsIn('C1')).toHaveLength(1);
  }, 60_000);

  test.each([
    ['stops at its first sentence', 1],
    ['stops before any text', 0],
  ])(
    'whose process %s is completed by the next one, as one whole message',
    async (_when, sentences) => {
      const channel = `D3${sentences}`;
      waitsAfter.set(sentences > 0 ? 2 : 0, NEVER);
      await ask(channel);
      if (sentences > 0) await streamingIn(channel, String(SENTENCES[0]));
      // Its second step follows once the stream is known to the run.
      else await eventually(async () => (postsIn(channel)[0]?.tasks?.length ?? 0) > 1, 'the stream');
      await server.kill();
      waitsAfter.clear();
      other = 'Only MED-02 fits [1].';
      server = await start();
      const done = await ended(channel);
      await eventually(async () => JSON.stringify([done.text, done.blocks]).includes(String(other)), 'the answer');
      expect(postsIn(channel)).toHaveLength(1);
      if (sentences > 0) expect(JSON.stringify([done.text, done.blocks])).not.toContain(SENTENCES[0]);
      other = null;
    },
    120_000,
  );
});
