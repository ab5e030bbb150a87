/** @environment store */
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Draft } from '../../../bot/agents/outreach/drafts/composeDrafts.ts';
import { readCsv } from '../../../bot/agents/outreach/list/readCsv.ts';
import { keepOptOuts, readOptOuts } from '../../../bot/agents/outreach/optOuts/keepOptOuts.ts';
import { draftReview } from '../../../bot/agents/outreach/questions/draftReview.ts';
import { noteDrafts } from '../../../bot/agents/outreach/workflows/keepLists.ts';
import { outreachWorkflow } from '../../../bot/agents/outreach/workflows/outreach.ts';
import { optOutWorkflow, routeMessage } from '../../../bot/agents/outreach/workflows/reply.ts';
import type { StepResult, Workflow } from '../../../bot/engine/workflows/workflow.ts';
import { StoredFile } from '../../../models/file.ts';
import { keepFile, readFileBytes } from '../../../models/files.ts';
import { ProspectList } from '../../../models/outreach/prospectList.ts';
import { runInAccount } from '../../../models/store/context.ts';
import { codeOf, connectTestStore, nextNumber } from '../../factories/account.ts';
import { addConversation, makeStepContext } from '../../factories/stepContext.ts';

connectTestStore();
let accountId = 0;
beforeEach(() => {
  accountId = nextNumber();
});

const inAccount = <T>(work: () => Promise<T>) => runInAccount(accountId, work);
const LIST = 'Name,Email\nJo Lind,jo@a.example\nBo Ek,bo@b.example\n,al@c.example';
const TEXTS = 'Offer: We make a rota planner.\nAsk: May I show it?\nFrom: Ada Okafor';
const add = (name: string, text = LIST, kind = 'document') =>
  inAccount(() =>
    keepFile({ accountId, key: `${kind}:${name}:${text}`, name, kind, type: 'text/csv', bytes: Buffer.from(text) }),
  );
const begin = (
  state: object,
  answer?: object,
  conversation: Awaited<ReturnType<typeof addConversation>> | null = null,
) =>
  makeStepContext(
    { accountId, agentId: 'outreach', round: 1, state: state as never },
    { conversation, ...(answer ? { answer: answer as never } : {}) },
  );
type Ran = StepResult & {
  next?: string;
  ask?: {
    interruptType: string;
    prompt: string;
    options?: string[];
    context: { description?: string; rows?: Draft[] };
  };
  done?: { output: string };
};
const step = (name: string, made: ReturnType<typeof begin>, workflow: Workflow<never> = outreachWorkflow as never) =>
  inAccount(() => made.runStep(workflow.steps[name]?.run)) as Promise<Ran>;
const answering = (made: ReturnType<typeof begin>, answer: object) => {
  const next = begin(made.context.state, answer);
  Object.assign(next.context.run, made.context.run);
  return next;
};
const typed = (userInput: string) => ({ userResponse: { userInput } });
const exportsOf = () => inAccount(() => StoredFile.find({ kind: 'export' }).sort({ _id: 1 }).lean());
const noted = () => inAccount(() => ProspectList.findOne({}).lean());

describe('the list and the opt-outs', () => {
  test('are what the request names, and every document of the company whose name says so; of this account only', async () => {
    await add('Leads.csv');
    await add('Unsubscribed.csv', 'jo@a.example');
    await add('Left in May.csv', 'bo@b.example');
    const request = 'Draft outreach from Leads.csv without Left in May';
    expect((await step('find', begin({ request }))).state).toMatchObject({
      list: { name: 'Leads.csv' },
      optOutFiles: [{ name: 'Left in May.csv' }, { name: 'Unsubscribed.csv' }],
    });
    accountId = nextNumber();
    expect((await step('find', begin({ request }))).ask?.context).toEqual({ step: 'list' });
  });

  test('are asked for; an answer is a list or the name of one', async () => {
    await add('Leads.csv');
    const made = begin({ request: 'Draft outreach' });
    expect((await step('find', made)).ask?.context.description).toBe('Your lists: Leads.csv');
    const wrong = answering(made, typed('Other people'));
    expect(await step('given', wrong)).toMatchObject({ next: 'find' });
    expect((await step('find', wrong)).ask?.prompt).toMatch(/^None of your lists has that name\./);
    expect((await step('given', answering(made, typed(LIST)))).state).toMatchObject({
      list: { name: 'Pasted list.csv' },
    });
  });

  test('may be an upload of the conversation, or below the request', async () => {
    const file = await add('Dropped.csv', LIST, 'prospect-list');
    const conversation = await inAccount(() => addConversation(accountId, { files: { 'prospect-list': file._id } }));
    expect(
      (await step('find', begin({ request: 'Draft outreach from it' }, undefined, conversation))).state,
    ).toMatchObject({ list: { name: 'Dropped.csv' } });
    expect(
      (await step('find', begin({ request: `Draft outreach\n${LIST}` }, undefined, conversation))).state,
    ).toMatchObject({ list: { name: 'Pasted list.csv' } });
  });
});

test('what the mails say is asked one by one, and not on a schedule', async () => {
  const made = begin({ request: 'Draft outreach\nOffer: We make a rota planner.' });
  expect((await step('texts', made)).ask?.prompt).toMatch(/^What do you ask for\?/);
  const told = answering(made, typed('May I show it?'));
  await step('told', told);
  expect((await step('texts', told)).ask?.prompt).toMatch(/^Who sends it\?/);
  const all = answering(told, typed('Ada'));
  await step('told', all);
  expect(await step('texts', all)).toEqual({ next: 'read' });
  expect(await step('texts', begin({ request: 'Draft outreach', isScheduled: true }))).toMatchObject({
    cost: 0,
    done: {},
  });
});

test('what a mail says is never “I don’t know”: it is asked again, once more each time', async () => {
  const made = begin({ request: 'Draft outreach\nOffer: We make a rota planner.' });
  await step('texts', made);
  const told = answering(made, typed('I don’t know'));
  await step('told', told);
  expect((await step('texts', told)).ask?.prompt).toMatch(/^I can’t go on without this\. .* What do you ask for\?/);
  const asked = answering(told, typed('May I show it?'));
  await step('told', asked);
  expect((await step('texts', asked)).ask?.prompt).toMatch(/^Who sends it\?/);
});

describe('the drafts', () => {
  async function drafted(optOut = '@a.example') {
    await add('Leads.csv');
    await add('Unsubscribed.csv', optOut);
    const made = begin({ request: `Draft outreach from Leads.csv\n${TEXTS}` });
    for (const name of ['find', 'texts']) await step(name, made);
    const read = await step('read', made);
    return { made, read };
  }

  test('ask for missing names, leave out who opted out for good, and are approved one by one', async () => {
    const { made, read } = await drafted();
    expect(read).toMatchObject({ next: 'names', cost: 10, ask: { interruptType: 'input' } });
    expect(read.ask?.prompt).toMatch(/^1 of 2 people has no name to greet by\./);
    expect(await inAccount(() => readOptOuts(accountId))).toEqual([{ kind: 'domain', value: 'a.example' }]);
    const named = answering(made, typed('al@c.example: Al'));
    await step('names', named);
    const asked = await step('draft', named);
    expect(asked).toMatchObject({ next: 'decided', cost: 10, ask: { interruptType: 'draft_review' } });
    expect(asked.ask?.context.rows?.map(({ row, first }) => [row, first.split('\n')[0]])).toEqual([
      [3, 'Dear Bo,'],
      [4, 'Dear Al,'],
    ]);
    expect(JSON.stringify(asked)).not.toContain('jo@a.example');
    expect(await noted()).toMatchObject({
      state: 'waiting',
      counts: { drafts: 2, optedOut: 1, leftOut: 0, approved: 0, rejected: 0 },
    });
    expect(outreachWorkflow.reserve).toBe(20);

    // Al opts out while the review is open.
    await inAccount(() => keepOptOuts(accountId, [{ kind: 'person', value: 'al@c.example' }]));
    const rows = [
      { id: '3', outcome: 'edited', values: { subject: 'Rotas', first: 'Dear Bo, shorter.', to: 'jo@a.example' } },
      { id: '4', outcome: 'accepted' },
    ];
    const decided = answering(named, { userResponse: { rows }, context: asked.ask?.context });
    for (const _again of [1, 2])
      expect((await step('decided', decided)).done?.output).toMatch(
        /^1 draft approved, 0 rejected\. 1 opted out during the review and is not in the files\. Nothing was sent\./,
      );
    const files = await exportsOf();
    expect(files.map(({ name }) => name)).toEqual([
      'We make a rota planner, approved drafts.xlsx',
      'We make a rota planner, approved drafts.csv',
    ]);
    const csv = String(await inAccount(() => readFileBytes(files[1] as never)));
    expect(readCsv(csv)[1]).toEqual(['bo@b.example', 'Bo Ek', '', '1', '0', 'Rotas', 'Dear Bo, shorter.']);
    expect(csv).not.toMatch(/al@|jo@/);
    expect(await noted()).toMatchObject({ state: 'decided', counts: { approved: 1, rejected: 0 } });
    for (const { derived } of decided.said) expect(`${derived?.redacted} ${derived?.reference}`).not.toMatch(/Bo|@/);
  });

  test('greet with Hello whom nobody named, or leave them out as decided', async () => {
    const { made } = await drafted('x@y.example');
    const hello = answering(made, typed('go on'));
    await step('names', hello);
    expect((await step('draft', hello)).ask?.context.rows?.at(-1)?.first).toMatch(/^Hello,/);
    accountId = nextNumber();
    const { made: other } = await drafted('x@y.example');
    const left = answering(other, typed('leave them out'));
    await step('names', left);
    expect((await step('draft', left)).ask?.context.rows?.map(({ row }) => row)).toEqual([2, 3]);
    expect(left.context.state).toMatchObject({ leftOut: [{ row: 4 }] });
  });

  test.each([
    ['Name,Email\nJo,jo@a.example', 'jo@a.example', /^Nobody of the list can be written to/],
    [
      `Name,Email\n${Array.from({ length: 101 }, (_, at) => `Jo,jo${at}@a.example`).join('\n')}`,
      '',
      /^The list has 101 people, and 100/,
    ],
  ])('of nobody, or of too many, end the work: %#', async (list, optOut, says) => {
    await add('People.csv', list);
    if (optOut) await inAccount(() => keepOptOuts(accountId, [{ kind: 'person', value: optOut }]));
    const made = begin({ request: `Draft outreach from People.csv\n${TEXTS}` });
    for (const name of ['find', 'texts', 'read']) await step(name, made);
    expect((await step('draft', made)).done?.output).toMatch(says);
    expect(await noted()).toBeNull();
  });

  test('of a list without a column of addresses ask which one it is', async () => {
    await add('Odd people.csv', 'Who,Where\nJo,York\nBo,bo@b.example\nAl,Hull');
    const made = begin({ request: `Draft outreach from Odd people.csv\n${TEXTS}` });
    for (const name of ['find', 'texts']) await step(name, made);
    expect((await step('read', made)).ask).toMatchObject({ interruptType: 'decision', options: ['Who', 'Where'] });
    const chosen = answering(made, { userResponse: { selectedOption: 'Where' } });
    await step('column', chosen);
    expect(await step('read', chosen)).toMatchObject({ next: 'names' });
  });

  test('are not written while an opt-out list can’t be read, free of charge', async () => {
    await add('Leads.csv');
    await add('Opt-outs.pdf', '%PDF');
    const made = begin({ request: `Draft outreach from Leads.csv\n${TEXTS}` });
    for (const name of ['find', 'texts']) await step(name, made);
    expect(await step('read', made)).toMatchObject({
      cost: 0,
      done: { output: expect.stringMatching(/^The opt-outs in Opt-outs\.pdf can’t be read.+ Nothing was drafted\.$/) },
    });
  });

  test('that are all rejected make no file; a schedule does not repeat a list', async () => {
    const file = await add('Leads.csv');
    const counts = { drafts: 1, optedOut: 0, leftOut: 0, approved: 0, rejected: 0 };
    const made = begin({ counts, list: { fileId: 'x', name: 'Leads.csv', digest: 'x' } });
    const row = { accountId, runId: made.context.run._id, title: 'Rotas', sourceName: 'Leads.csv', files: [] };
    await inAccount(() => noteDrafts({ ...row, sourceDigest: file.digest, counts, state: 'waiting' }));
    const rows = [{ id: '2', outcome: 'rejected' }];
    const decided = answering(made, {
      userResponse: { rows },
      context: { rows: [{ row: 2, address: 'jo@a.example' }] },
    });
    expect((await step('decided', decided)).done?.output).toMatch(/^0 drafts approved, 1 rejected\./);
    expect([await exportsOf(), (await noted())?.state]).toEqual([[], 'decided']);
    expect(await step('find', begin({ request: 'Leads.csv', isScheduled: true }))).toEqual({
      done: { output: 'Leads.csv has not changed since its drafts were written.' },
      cost: 0,
    });
    expect(await step('find', begin({ request: '', isScheduled: true }))).toMatchObject({ cost: 0, done: {} });
  });
});

describe('the review', () => {
  const rows = [
    {
      row: 2,
      address: 'jo@a.example',
      name: 'Jo',
      company: 'Ward A',
      subject: 'S',
      first: '1',
      second: '2',
      third: '3',
    },
  ];
  const asked = {
    context: { rows },
    options: [],
    draft: null,
    status: 'pending',
    interruptType: 'draft_review',
  } as never;

  test('shows a draft whole only where the company allows it', () => {
    expect(draftReview.rows?.(asked, 'full').rows[0]).toMatchObject({
      ...{ id: '2', name: 'Row 2', title: 'Jo, Ward A' },
      values: { subject: 'S', to: 'Jo, Ward A, jo@a.example', first: '1', second: '2', third: '3' },
    });
    for (const mode of ['redacted', 'reference-only'] as const)
      expect(JSON.stringify(draftReview.rows?.(asked, mode).rows)).not.toMatch(/jo@|Ward|Jo/);
  });

  test('can’t be answered for all drafts at once', async () => {
    for (const approved of [true, false])
      expect(await codeOf(Promise.resolve().then(() => draftReview.check(asked, { approved })))).toBe('bad_request');
    const one = { rows: [{ id: '2', outcome: 'accepted' }] };
    expect(draftReview.check(asked, { userResponse: one })).toMatchObject({ outcome: 'approved' });
  });
});

test('a message starts the work, keeps an opt-out for good, lists what was written, or gets help', async () => {
  const route = (text: string, intent: Parameters<typeof routeMessage>[0] = null) =>
    inAccount(() => routeMessage(intent, text, accountId));
  expect(await route('Draft it', 'outreach')).toMatchObject({ workflow: 'outreach-drafts' });
  expect(await route(`Here\n${LIST}`)).toMatchObject({ workflow: 'outreach-drafts', goal: 'Here' });
  expect(await route('Opt out JO@a.example', 'opt-out')).toMatchObject({ workflow: 'outreach-opt-out' });
  const made = begin({ text: 'Opt out JO+x@a.example and @b.example' });
  for (const _again of [1, 2]) await step('keep', made, optOutWorkflow as never);
  expect(made.said[0]?.text).toContain('jo@a.example; everybody at b.example. Your company keeps 2 in all.');
  expect(made.said[0]?.derived).toEqual({ redacted: 'The opt-out is kept.', reference: 'The opt-out is kept.' });
  expect((await step('keep', begin({ text: 'Opt out of it' }), optOutWorkflow as never)).cost).toBe(0);
  expect(await inAccount(() => readOptOuts(accountId))).toHaveLength(2);
  expect(await route('Which?', 'lists')).toMatchObject({
    state: { text: expect.stringMatching(/no drafts yet.+kept: 2\.$/) },
  });
  expect(await route('Sing')).toMatchObject({ state: { text: expect.stringContaining('I write drafts') } });
});
