/** @environment store */
import { beforeEach, describe, expect, test } from '@jest/globals';
import { campaignWorkflow } from '../../../bot/agents/marketer/workflows/campaign.ts';
import { noteCampaign } from '../../../bot/agents/marketer/workflows/keepCampaign.ts';
import { routeMessage } from '../../../bot/agents/marketer/workflows/reply.ts';
import { textOf } from '../../../bot/engine/documents/documentText.ts';
import type { StepResult } from '../../../bot/engine/workflows/workflow.ts';
import { StoredFile } from '../../../models/file.ts';
import { keepFile, readFileBytes } from '../../../models/files.ts';
import { Campaign } from '../../../models/marketer/campaign.ts';
import { runInAccount } from '../../../models/store/context.ts';
import { connectTestStore, nextNumber } from '../../factories/account.ts';
import { makeStepContext } from '../../factories/stepContext.ts';
import { p, wordFile } from '../professionaliser/wordFiles.ts';

connectTestStore();
let accountId = 0;
beforeEach(() => {
  accountId = nextNumber();
});

const inAccount = <T>(work: () => Promise<T>) => runInAccount(accountId, work);
const SOURCE = 'Product: Rota\nAudience: managers\n\nRota prints a list. Rota sends a message. Rota is safe.';
const add = (name: string, text: string | Buffer = SOURCE) =>
  inAccount(() =>
    keepFile({
      ...{ accountId, key: `${name}:${text.toString()}`, name, kind: 'document', type: 'text/markdown' },
      bytes: Buffer.from(text),
    }),
  );
const begin = (state: object, answer?: object) =>
  makeStepContext(
    { accountId, agentId: 'marketer', round: 1, state: state as never },
    answer ? { answer: answer as never } : {},
  );
type Ran = StepResult & {
  next?: string;
  ask?: { interruptType: string; prompt: string; context: { description?: string } };
  done?: { output: string };
};
const step = (name: string, made: ReturnType<typeof begin>) =>
  inAccount(() => made.runStep(campaignWorkflow.steps[name]?.run)) as Promise<Ran>;
const answering = (made: ReturnType<typeof begin>, answer: object) => {
  const next = begin(made.context.state, answer);
  Object.assign(next.context.run, made.context.run);
  return next;
};
const typed = (userInput: string) => ({ userResponse: { userInput } });
const exportsOf = () => inAccount(() => StoredFile.find({ kind: 'export' }).sort({ _id: 1 }).lean());
const noted = () => inAccount(() => Campaign.findOne({}).lean());

describe('the documents', () => {
  test('are the one that is named, then those that give evidence, of this account only', async () => {
    await add('Rota brief.md');
    await add('Survey of May.md', 'In a survey of 88 managers, 84% agreed.');
    const request = 'Write copy from Rota brief.md with the Survey of May';
    expect(await step('find', begin({ request }))).toMatchObject({
      next: 'read',
      state: { documents: [{ name: 'Rota brief.md' }, { name: 'Survey of May.md' }] },
    });
    accountId = nextNumber();
    expect((await step('find', begin({ request }))).ask?.context).toEqual({ step: 'source' });
  });

  test('are asked for, and an answer is a text or the name of one', async () => {
    await add('Rota brief.md');
    const made = begin({ request: 'Write copy' });
    expect((await step('find', made)).ask?.context.description).toBe('Your documents: Rota brief.md');
    const wrong = answering(made, typed('the other one'));
    expect(await step('given', wrong)).toMatchObject({ next: 'find' });
    expect((await step('find', wrong)).ask?.prompt).toMatch(/^None of your documents has that name\./);
    expect(await step('given', answering(made, typed('Rota prints. It sends.')))).toMatchObject({
      next: 'read',
      state: { documents: [{ name: 'Pasted text.txt' }] },
    });
  });

  test.each([
    ['Broken text.docx', 'no archive', /^The text can’t be read/],
    [
      'Open changes.docx',
      Buffer.from(
        wordFile(p('<w:r><w:t>Rota.</w:t></w:r>', '<w:ins w:id="1"><w:r><w:t>Rota sings.</w:t></w:r></w:ins>')),
      ),
      /1 tracked change already\..+ Nothing was written\.$/,
    ],
  ])('that can’t be used end the work free of charge: %s', async (name, text, says) => {
    await add(name, text);
    const made = begin({ request: `Write copy from ${name}` });
    await step('find', made);
    expect(await step('read', made)).toMatchObject({ cost: 0, done: { output: expect.stringMatching(says) } });
    expect(made.said[0]?.derived?.reference).not.toContain(name);
    expect(await exportsOf()).toEqual([]);
  });
});

describe('what the text does not say', () => {
  test('is asked once each: the name, then for whom', async () => {
    await add('Loose notes.md', 'Prints a list. Sends a message.');
    const made = begin({ request: 'Write copy from Loose notes.md' });
    await step('find', made);
    expect((await step('read', made)).ask?.prompt).toMatch(/^What is the product called\?/);
    await step('product', answering(made, typed('Rota')));
    Object.assign(made.context.state, { product: 'Rota' });
    expect(await step('read', made)).toMatchObject({ next: 'audience', cost: 10, ask: { interruptType: 'input' } });
    expect(await step('audience', answering(made, typed('managers')))).toMatchObject({
      next: 'write',
      state: { audience: 'managers' },
    });
  });

  test('is never “I don’t know”: the name is asked again, and the audience left to be filled', async () => {
    await add('Loose notes.md', 'Prints a list. Sends a message.');
    const made = begin({ request: 'Write copy from Loose notes.md' });
    await step('find', made);
    await step('read', made);
    const told = answering(made, typed('I don’t know'));
    await step('product', told);
    expect((await step('read', told)).ask?.prompt).toMatch(
      /^I can’t go on without this\. .* What is the product called\?/,
    );
    expect(await step('audience', answering(made, typed('no idea')))).toEqual({ next: 'write', state: {} });
  });

  test('is not asked on a schedule, nor is a text read again that has not changed', async () => {
    const file = await add('Rota brief.md');
    await noteDraft({}, file.digest);
    const find = (request: string) => step('find', begin({ request, isScheduled: true }));
    expect(await find('Rota brief')).toMatchObject({
      done: { output: 'Rota brief.md has not changed since its copy was written.' },
      cost: 0,
    });
    expect(await find('')).toMatchObject({ cost: 0, done: {} });
    await add('Loose notes.md', 'Prints a list.');
    const made = begin({ request: 'Loose notes', isScheduled: true });
    await step('find', made);
    expect((await step('read', made)).done?.output).toMatch(/does not say what the product is called/);
  });
});

/** A draft that waits, and the run that wrote it. */
async function noteDraft(state: object, sourceDigest = 'x') {
  const counts = { written: 2, flagged: 1, medical: 1, toFill: 3 };
  const files: string[] = [];
  const made = begin({ files, described: { title: 'Rota', text: 'Told', counts }, ...state });
  const row = { accountId, runId: made.context.run._id, title: 'Rota', files, counts, sourceName: 'Rota brief.md' };
  await inAccount(() => noteCampaign({ ...row, sourceDigest, state: 'waiting' }));
  return made;
}

describe('the copy', () => {
  test('is a draft that asks for approval, and final with the name of whoever approved it', async () => {
    await add('Rota brief.md');
    const made = begin({ request: 'Write copy from Rota brief.md' });
    const costs = [];
    for (const name of ['find', 'read', 'write', 'write']) costs.push((await step(name, made)).cost ?? 0);
    expect(costs).toEqual([0, 10, 10, 10]);
    const asked = await step('present', made);
    expect((await exportsOf()).map(({ name }) => name)).toEqual(['Rota, copy draft.docx', 'Rota, copy draft.txt']);
    expect(asked).toMatchObject({ next: 'decided', ask: { interruptType: 'approval' } });
    expect(asked.ask?.prompt).toBe('Is this the final copy of “Rota”?');
    expect(await noted()).toMatchObject({ state: 'waiting', counts: { written: 2, flagged: 1, medical: 1 } });
    expect(made.said[0]?.text).toContain('• “Rota is safe.” (safety):');
    expect(`${made.said[0]?.derived?.redacted}`).toMatch(/^Copy is ready: 2 sentences that may be used, 1 claim/);
    for (const { derived } of made.said) expect(`${derived?.redacted} ${derived?.reference}`).not.toMatch(/Rota|safe/);
    expect(campaignWorkflow.reserve).toBe(20);

    const at = new Date('2026-06-05T10:00:00Z');
    const by = { userId: 7, name: 'Ada Okafor' };
    const approved = answering(made, { resolution: { outcome: 'approved', by, at } });
    const output = 'The copy of Rota is final, approved by Ada Okafor. Nothing was published.';
    for (const _again of [1, 2]) expect(await step('decided', approved)).toMatchObject({ done: { output } });
    const files = await exportsOf();
    expect(files.map(({ name }) => name).slice(2)).toEqual(['Rota, copy final.docx', 'Rota, copy final.txt']);
    const [document, text] = await inAccount(() => Promise.all(files.slice(2).map((file) => readFileBytes(file))));
    expect(await textOf('a.docx', document ?? Buffer.alloc(0))).toContain('Final, approved by Ada Okafor, 5 Jun 2026');
    expect(String(text)).not.toContain('safe');
    expect(await noted()).toMatchObject({ state: 'final', files: ['Rota, copy final.docx', 'Rota, copy final.txt'] });
  });

  test('stays a draft where it is rejected, and on a schedule, which asks nobody', async () => {
    const rejected = answering(await noteDraft({}), { resolution: { outcome: 'rejected', reason: 'Too dry' } });
    expect((await step('decided', rejected)).done?.output).toMatch(/^The copy of Rota stays a draft: Too dry\./);
    expect(await noted()).toMatchObject({ state: 'draft' });
    accountId = nextNumber();
    expect((await step('present', await noteDraft({ isScheduled: true }))).done).toBeDefined();
    expect(await noted()).toMatchObject({ state: 'draft' });
  });

  test('of which nothing may be used asks for no approval', async () => {
    const counts = { written: 0, flagged: 1, medical: 1, toFill: 3 };
    const made = await noteDraft({ described: { title: 'Rota', text: 'Told', counts } });
    expect((await step('present', made)).done?.output).toContain('Nothing may be used');
  });
});

test('a short text below a request is the source, and its fields alone are none', async () => {
  const request = 'Write copy\nProduct: Rota\n\nRota prints. Rota sends.';
  expect((await step('find', begin({ request }))).state).toMatchObject({ documents: [{ name: 'Pasted text.txt' }] });
  expect(
    (await step('find', begin({ request: 'Write copy\nProduct: Rota\nAudience: Ward A. Ward B.' }))).ask,
  ).toBeDefined();
});

test('a message starts the work, lists what was written, or gets help', async () => {
  const route = (text: string, intent: Parameters<typeof routeMessage>[0] = null) =>
    inAccount(() => routeMessage(intent, text, accountId));
  expect(await route('Write it', 'campaign')).toMatchObject({ workflow: 'product-copy' });
  expect(await route(`Here it is\n${SOURCE} ${SOURCE}`)).toMatchObject({
    workflow: 'product-copy',
    goal: 'Here it is',
  });
  expect(await route('Which?', 'campaigns')).toMatchObject({ state: { text: expect.stringContaining('no copy yet') } });
  expect(await route('Sing')).toMatchObject({ state: { text: expect.stringContaining('I write positioning') } });
});
