/** @environment store */
import { beforeEach, describe, expect, test } from '@jest/globals';
import { briefWorkflow } from '../../../bot/agents/researcher/workflows/brief.ts';
import { routeMessage } from '../../../bot/agents/researcher/workflows/reply.ts';
import { textOf } from '../../../bot/engine/documents/documentText.ts';
import type { StepResult } from '../../../bot/engine/workflows/workflow.ts';
import { StoredFile } from '../../../models/file.ts';
import { keepFile, readFileBytes } from '../../../models/files.ts';
import { Brief } from '../../../models/researcher/brief.ts';
import { runInAccount } from '../../../models/store/context.ts';
import { connectTestStore, nextNumber } from '../../factories/account.ts';
import { addConversation, makeStepContext } from '../../factories/stepContext.ts';

connectTestStore();
let accountId = 0;
beforeEach(() => {
  accountId = nextNumber();
});

const inAccount = <T>(work: () => Promise<T>) => runInAccount(accountId, work);
const add = (name: string, text: string, key = `document:${name}`, kind = 'document') =>
  inAccount(() => keepFile({ accountId, key, name, kind, type: 'text/markdown', bytes: Buffer.from(text) }));
const begin = (
  state: object,
  more: { answer?: object; conversation?: Awaited<ReturnType<typeof addConversation>> } = {},
) => makeStepContext({ accountId, agentId: 'researcher', round: 1, state: state as never }, more as never);
type Ran = StepResult & { next?: string; ask?: { interruptType: string }; done?: { output: string } };
const step = (name: string, made: ReturnType<typeof begin>) =>
  inAccount(() => made.runStep(briefWorkflow.steps[name]?.run)) as Promise<Ran>;

describe('a brief', () => {
  test('is asked for its subject where the request names none, but not on a schedule', async () => {
    expect((await step('subject', begin({ question: 'it' }))).ask?.interruptType).toBe('input');
    expect(await step('subject', begin({ question: '', isScheduled: true }))).toMatchObject({ cost: 0, done: {} });
    const given = begin({}, { answer: { userResponse: { userInput: 'What do our documents say about leavers?' } } });
    expect(await step('given', given)).toEqual({ next: 'subject', state: { question: 'leavers' } });
    expect(await step('subject', given)).toMatchObject({ next: 'write' });
  });

  test('is never about “I don’t know”: its subject is asked again', async () => {
    const given = begin({}, { answer: { userResponse: { userInput: 'not sure' } } });
    expect(await step('given', given)).toEqual({ next: 'subject', state: { isAgain: true } });
    expect(await step('subject', given)).toMatchObject({
      ask: { prompt: expect.stringMatching(/^I can’t go on without this\./) },
    });
  });

  test('cites each quote of a connected tool with its link, and says that the whole company may read it', async () => {
    const source = { service: 'drive', name: 'Drive', query: 'the folder', syncedAt: new Date(), count: 1 };
    const url = 'https://drive.example/d1';
    await inAccount(() =>
      keepFile({
        ...{ accountId, key: 'document:drive:d1', name: 'Rounds.md', kind: 'document', type: 'text/markdown' },
        ...{ bytes: Buffer.from('The guard walks at 22:00.'), source: { ...source, url } },
      }),
    );
    await add('Doors.md', 'The guard closes the door.');
    const made = begin({ question: 'guard' });
    for (const name of ['subject', 'write', 'finish']) await step(name, made);
    const told = made.said[0]?.text ?? '';
    expect(told).toMatch(/\[\d\] Rounds\.md, line 1, https:\/\/drive\.example\/d1\n/);
    expect(told).toMatch(/\[\d\] Doors\.md, line 1\n/);
    expect(told).toContain(
      'Drive is connected for the whole company: everybody who uses Arc there may read these quotes',
    );
    const [file] = await inAccount(() => StoredFile.find({ kind: 'export' }).lean());
    const text = (await textOf('a.docx', await inAccount(() => readFileBytes(file as never)))) ?? '';
    expect(text).toContain(`Rounds.md, in Drive: ${url}`);
    expect(text).toContain('connected for the whole company');
  });

  test('quotes the documents of this account only, is stored once, and costs a step', async () => {
    await add('Fire drill.md', 'The fire drill is on Monday.');
    accountId = nextNumber();
    await add('Night round.md', 'The guard walks at 22:00. The door is red.');
    await add('Scan.pdf', '%PDF');
    const made = begin({ question: 'guard drill' });
    const costs = [];
    for (const name of ['subject', 'write', 'write', 'finish', 'finish'])
      costs.push((await step(name, made)).cost ?? 0);
    expect(costs).toEqual([0, 10, 10, 0, 0]);
    const files = await inAccount(() => StoredFile.find({ kind: 'export' }).lean());
    expect(files.map(({ name }) => name)).toEqual(['guard drill, brief.docx']);
    const text = (await textOf('a.docx', await inAccount(() => readFileBytes(files[0] as never)))) ?? '';
    expect(text).toContain('“The guard walks at 22:00.” [1]');
    expect(text).not.toContain('Monday');
    expect(made.said[0]?.text).toContain('In none of them: “drill”.');
    expect(made.said[0]?.text).toContain('Not read: Scan.pdf.');
    expect(made.said[0]?.text).not.toContain('whole company');
    expect(await inAccount(() => Brief.countDocuments({}))).toBe(1);
    for (const { derived } of made.said)
      expect(`${derived?.redacted} ${derived?.reference}`).not.toMatch(/guard|Night/);
  });

  test('reads uploads of its own conversation, and no other', async () => {
    const [here, there] = await inAccount(() => Promise.all([addConversation(accountId), addConversation(accountId)]));
    const kind = 'research-document';
    await add('Here.md', 'The lamp is green today.', `upload:${here?._id}:${kind}:Here.md:x`, kind);
    await add('There.md', 'The lamp is blue today.', `upload:${there?._id}:${kind}:There.md:x`, kind);
    const gone = await add('Gone.md', 'The lamp is black today.', `upload:${here?._id}:${kind}:Gone.md:x`, kind);
    await inAccount(() => StoredFile.updateOne({ _id: gone._id }, { $set: { removed: true } }));
    const made = begin({ question: 'lamp' }, { conversation: here });
    for (const name of ['subject', 'write', 'finish']) await step(name, made);
    expect(made.said[0]?.text).toContain('green');
    expect(made.said[0]?.text).not.toMatch(/blue|black|Gone/);
    expect(made.said[0]?.card?.figures).toEqual([
      { label: 'quote', value: '1' },
      { label: 'document quoted', value: '1' },
      { label: 'read', value: '1' },
    ]);
  });

  test('without a document that can be read ends free of charge', async () => {
    const made = begin({ question: 'lamp' });
    await step('subject', made);
    expect(await step('write', made)).toMatchObject({
      cost: 0,
      done: { output: expect.stringMatching(/no document that I can read/) },
    });
    await add('Scan.pdf', '%PDF');
    expect(await step('write', made)).toMatchObject({ cost: 0 });
  });
});

test('a message starts a brief, lists them, or gets help', async () => {
  const route = (text: string, intent: Parameters<typeof routeMessage>[0] = null) =>
    inAccount(() => routeMessage(intent, text, accountId));
  expect(await route('Write a brief on lamps', 'brief')).toMatchObject({
    workflow: 'research-brief',
    state: { question: 'lamps' },
  });
  expect(await route('How bright are the lamps?')).toMatchObject({ workflow: 'research-brief' });
  expect(await route('The lamps are bright')).toMatchObject({
    state: { text: expect.stringContaining('I write briefs') },
  });
  expect(await route('Which briefs?', 'briefs')).toMatchObject({
    state: { text: expect.stringContaining('no brief yet') },
  });
  await add('Lamp.md', 'The lamp is green today.');
  const made = begin({ question: 'lamp' });
  for (const name of ['subject', 'write']) await step(name, made);
  expect(await route('Which briefs?', 'briefs')).toMatchObject({
    state: { text: '• lamp: 1 quote from 1 document; 1 read' },
  });
});
