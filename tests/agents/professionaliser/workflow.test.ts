/** @environment store */
import { beforeEach, describe, expect, test } from '@jest/globals';
import { controlWorkflow } from '../../../bot/agents/professionaliser/workflows/control.ts';
import { routeMessage } from '../../../bot/agents/professionaliser/workflows/reply.ts';
import { noteConnection } from '../../../bot/engine/accounts/integrations.ts';
import type { StepResult } from '../../../bot/engine/workflows/workflow.ts';
import { StoredFile } from '../../../models/file.ts';
import { keepFile, readFileBytes } from '../../../models/files.ts';
import { IntegrationSetting } from '../../../models/integrationSetting.ts';
import { ControlledDocument } from '../../../models/professionaliser/controlledDocument.ts';
import { runInAccount } from '../../../models/store/context.ts';
import { changing } from '../../../models/store/revisions.ts';
import { connectTestStore, nextNumber } from '../../factories/account.ts';
import { addConversation, makeStepContext } from '../../factories/stepContext.ts';
import { linesOf } from './wordFiles.ts';

connectTestStore();
const closeSandbox = (account: number) =>
  changing(account, ['integrations'], () =>
    IntegrationSetting.updateOne({ accountId: account, integrationId: 'sandbox' }, { $set: { enabled: false } }),
  );
let accountId = 0;
beforeEach(async () => {
  accountId = nextNumber();
  await inAccount(() => noteConnection(accountId, 'sandbox', true));
});

const inAccount = <T>(work: () => Promise<T>) => runInAccount(accountId, work);
const SOURCE =
  '# Drug round\n\nOwner: Jo Lind\n\n## Rule\n\nGive 2.5 mg by e-mail at 08:00. The email is kept as needed.';
const add = (name: string, text = SOURCE, kind = 'document') =>
  inAccount(() =>
    keepFile({
      accountId,
      key: `${kind}:${name}:${text}`,
      name,
      kind,
      type: 'text/markdown',
      bytes: Buffer.from(text),
    }),
  );
const begin = (
  state: object,
  answer?: object,
  conversation: Awaited<ReturnType<typeof addConversation>> | null = null,
) =>
  makeStepContext(
    { accountId, agentId: 'professionaliser', round: 1, state: state as never },
    { conversation, ...(answer ? { answer: answer as never } : {}) },
  );
type Ran = StepResult & {
  next?: string;
  ask?: { interruptType: string; prompt: string; context: { description?: string; points?: { id: string }[] } };
  done?: { output: string };
};
const step = (name: string, made: ReturnType<typeof begin>) =>
  inAccount(() => made.runStep(controlWorkflow.steps[name]?.run)) as Promise<Ran>;
const answering = (made: ReturnType<typeof begin>, answer: object) => {
  const next = begin(made.context.state, answer);
  Object.assign(next.context.run, made.context.run);
  return next;
};
/** Runs a document up to the question whether to save it. */
async function written(request = 'Make a controlled document of Drug round.md') {
  const made = begin({ request });
  await step('find', made);
  await step('read', made);
  const chosen = answering(made, { userResponse: { choices: [{ point: 'email', choice: 'email' }] } });
  for (const name of ['chosen', 'write']) await step(name, chosen);
  return { made: chosen, asked: await step('present', chosen) };
}
const documents = () => inAccount(() => StoredFile.find({ kind: 'document' }).sort({ _id: 1 }).lean());

describe('the document', () => {
  test('is the one that the request names, of this account only', async () => {
    await add('Drug round.md');
    expect(await step('find', begin({ request: 'Make a controlled document of the drug round' }))).toMatchObject({
      next: 'read',
      state: { source: { name: 'Drug round.md' } },
    });
    accountId = nextNumber();
    const { ask } = await step('find', begin({ request: 'Make a controlled document of the drug round' }));
    expect(ask).toMatchObject({ interruptType: 'input', context: {} });
  });

  test('is asked for where the request names none, with the documents that can be read, until one is named', async () => {
    await add('Drug round.md');
    await add('Scan of the ward.pdf');
    const made = begin({ request: 'Make a controlled document' });
    expect((await step('find', made)).ask?.context.description).toBe('Your documents: Drug round.md');
    const wrong = answering(made, { userResponse: { userInput: 'the other one' } });
    expect(await step('given', wrong)).toMatchObject({ next: 'find' });
    expect((await step('find', wrong)).ask?.prompt).toMatch(/^None of your documents has that name\./);
    const right = answering(made, { userResponse: { userInput: 'drug round' } });
    await step('given', right);
    expect(await step('find', right)).toMatchObject({ next: 'read' });
    // A whole text is the document itself.
    const pasted = answering(made, { userResponse: { userInput: 'The ward\nis clean.' } });
    expect(await step('given', pasted)).toMatchObject({ next: 'read', state: { source: { name: 'Pasted text.txt' } } });
  });

  test('is the newest upload of the conversation where the request names none', async () => {
    const file = await add('Upload.md', SOURCE, 'rough-document');
    const conversation = await inAccount(() => addConversation(accountId, { files: { 'rough-document': file._id } }));
    const made = begin({ request: 'Make it a controlled document' }, undefined, conversation);
    expect(await step('find', made)).toMatchObject({ state: { source: { name: 'Upload.md' } } });
  });

  test('that can’t be used ends the work free of charge, with the reason', async () => {
    await add('Broken note.docx', 'no archive');
    const made = begin({ request: 'Make a controlled document of Broken note.docx' });
    await step('find', made);
    const ended = await step('read', made);
    expect(ended).toMatchObject({
      cost: 0,
      done: { output: expect.stringMatching(/damaged.*Nothing was written\.$/) },
    });
    expect(made.said[0]).toMatchObject({ kind: 'refused' });
    expect(made.said[0]?.derived?.reference).not.toContain('Broken');
    await inAccount(() => StoredFile.deleteMany({ accountId }));
    expect((await step('write', made)).done?.output).toBe(
      'Broken note.docx is no longer here. Add it again and ask once more. Nothing was written.',
    );
  });
});

describe('the work', () => {
  beforeEach(() => add('Drug round.md'));

  test('asks which spelling stands, changes only what was chosen, and carries every fact over', async () => {
    const made = begin({ request: 'Make a controlled document of Drug round.md\nVersion: 3' });
    await step('find', made);
    const { ask, cost } = await step('read', made);
    expect(cost).toBe(10);
    expect(ask?.interruptType).toBe('choices');
    expect(ask?.context.points?.map(({ id }) => id)).toEqual(['email']);
    const chosen = answering(made, { userResponse: { choices: [{ point: 'email', choice: 'email' }] } });
    await step('chosen', chosen);
    expect((await step('write', chosen)).cost).toBe(10);
    const [file] = await inAccount(() => StoredFile.find({ kind: 'export' }).lean());
    expect(file?.name).toBe('Drug round, controlled draft.docx');
    const lines = linesOf(await inAccount(() => readFileBytes(file as never)), 'accepted');
    expect(lines).toEqual(
      expect.arrayContaining(['Jo Lind', '3', 'Give 2.5 mg by email at 08:00. The email is kept as needed.']),
    );
    expect(lines).toContain('[To be filled: document number]');
  });

  test('leaves spellings as they are where the person does not know, and nobody is asked on a schedule', async () => {
    const made = begin({ request: 'Drug round', isScheduled: true });
    await step('find', made);
    expect(await step('read', made)).toMatchObject({ next: 'write' });
    await step('write', made);
    const [file] = await inAccount(() => StoredFile.find({ kind: 'export' }).lean());
    expect(linesOf(await inAccount(() => readFileBytes(file as never)), 'accepted')).toContain(
      'Give 2.5 mg by e-mail at 08:00. The email is kept as needed.',
    );
    // A schedule does not repeat what has not changed, and costs nothing then.
    expect(await step('find', begin({ request: 'Drug round', isScheduled: true }))).toEqual({
      done: { output: 'Drug round.md has not changed since it was controlled.' },
      cost: 0,
    });
    const unnamed = await step('find', begin({ request: '', isScheduled: true }));
    expect(unnamed).toMatchObject({ cost: 0, done: { output: expect.stringContaining('names no document') } });
  });

  test('writes once, also when steps run again after a crash', async () => {
    const { made } = await written();
    for (const name of ['write', 'present', 'write', 'present']) await step(name, made);
    expect(await inAccount(() => StoredFile.countDocuments({ kind: 'export' }))).toBe(1);
    expect(await inAccount(() => ControlledDocument.countDocuments({}))).toBe(1);
    expect(new Set(made.said.map(({ key }) => key))).toEqual(new Set(['written']));
  });

  test('saves the draft only after approval, once', async () => {
    const { made, asked } = await written();
    expect(asked.ask).toMatchObject({
      interruptType: 'approval',
      prompt: 'Save “Drug round” as a draft in your company’s documents?',
    });
    expect((await documents()).map(({ name }) => name)).toEqual(['Drug round.md']);
    const approved = answering(made, { resolution: { outcome: 'approved' } });
    for (const _ of [1, 2])
      expect((await step('decided', approved)).done?.output).toBe(
        'Saved as a draft in your company’s documents: Drug round, controlled draft.docx.',
      );
    expect((await documents()).map(({ addedBy }) => addedBy?.name)).toEqual([undefined, 'Petra']);
    expect(await inAccount(() => ControlledDocument.findOne({}).lean())).toMatchObject({ state: 'saved' });
  });

  test('saves nothing that was rejected, nor where the company keeps no documents here', async () => {
    const { made } = await written();
    const rejected = answering(made, { resolution: { outcome: 'rejected', reason: 'Not yet' } });
    expect((await step('decided', rejected)).done?.output).toMatch(/^Not saved, as decided\./);
    expect(await documents()).toHaveLength(1);
    await inAccount(() => closeSandbox(accountId));
    const off = answering(made, { resolution: { outcome: 'approved' } });
    expect((await step('decided', off)).done?.output).toMatch(/^It could not be saved/);
    const unasked = await step('present', made);
    expect(unasked.done?.output).toMatch(/The sandbox workspace is not in use.*90 days\.$/s);
    expect(await inAccount(() => ControlledDocument.findOne({}).lean())).toMatchObject({ state: 'not-saved' });
  });

  test('tells other platforms counts only, unless the company allows more', async () => {
    const { made } = await written();
    for (const { derived } of made.said)
      expect(`${derived?.redacted} ${derived?.reference}`).not.toMatch(/Drug|Jo Lind|mg/);
  });
});

describe('a message', () => {
  const route = (text: string, intent: Parameters<typeof routeMessage>[0]) =>
    inAccount(async () => routeMessage(intent, text, accountId));
  test('starts the work, lists what was made, or gets help', async () => {
    expect(await route('Make it', 'control')).toMatchObject({
      workflow: 'control-document',
      state: { request: 'Make it' },
    });
    expect(await route('Which?', 'documents')).toMatchObject({
      state: { text: expect.stringContaining('no document') },
    });
    await add('Drug round.md');
    await written();
    expect(await route('Which?', 'documents')).toMatchObject({
      state: { text: expect.stringMatching(/^• Drug round: waits for approval; \d+ kinds of change/) },
    });
    expect(await route('xyzzy', null)).toMatchObject({
      state: { text: expect.stringContaining('I bring a rough document') },
    });
  });
});
