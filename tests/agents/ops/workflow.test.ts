/** @environment store */
import { beforeEach, describe, expect, test } from '@jest/globals';
import ExcelJS from 'exceljs';
import { checkProcedure } from '../../../bot/agents/ops/files/checkProcedure.ts';
import { readProcess } from '../../../bot/agents/ops/process/readProcess.ts';
import { findRisks } from '../../../bot/agents/ops/risks/findRisks.ts';
import { procedureWorkflow } from '../../../bot/agents/ops/workflows/procedure.ts';
import { routeMessage } from '../../../bot/agents/ops/workflows/reply.ts';
import { textOf } from '../../../bot/engine/documents/documentText.ts';
import type { StepResult } from '../../../bot/engine/workflows/workflow.ts';
import { StoredFile } from '../../../models/file.ts';
import { keepFile, readFileBytes } from '../../../models/files.ts';
import { Procedure } from '../../../models/ops/procedure.ts';
import { runInAccount } from '../../../models/store/context.ts';
import { connectTestStore, nextNumber } from '../../factories/account.ts';
import { addConversation, makeStepContext } from '../../factories/stepContext.ts';
import { p, wordFile } from '../professionaliser/wordFiles.ts';

connectTestStore();
let accountId = 0;
beforeEach(() => {
  accountId = nextNumber();
});

const inAccount = <T>(work: () => Promise<T>) => runInAccount(accountId, work);
const SOURCE =
  '# Night round\n\n1. The guard tries each door at 22:00.\n2. Switch off the lights.\n3. If a door is open, the guard calls the owner within 5 minutes.';
const add = (name: string, text: string | Buffer = SOURCE, kind = 'document') =>
  inAccount(() =>
    keepFile({
      accountId,
      key: `${kind}:${name}:${text.toString()}`,
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
    { accountId, agentId: 'ops', round: 1, state: state as never },
    { conversation, ...(answer ? { answer: answer as never } : {}) },
  );
type Ran = StepResult & {
  next?: string;
  ask?: { interruptType: string; prompt: string; context: { description?: string } };
  done?: { output: string };
};
const step = (name: string, made: ReturnType<typeof begin>) =>
  inAccount(() => made.runStep(procedureWorkflow.steps[name]?.run)) as Promise<Ran>;
const answering = (made: ReturnType<typeof begin>, userInput: string) => {
  const next = begin(made.context.state, { userResponse: { userInput } });
  Object.assign(next.context.run, made.context.run);
  return next;
};
async function written(request = 'Write an SOP from Night round.md') {
  const made = begin({ request });
  for (const name of ['find', 'read', 'write', 'finish']) await step(name, made);
  return made;
}
const exportsOf = () => inAccount(() => StoredFile.find({ kind: 'export' }).sort({ _id: 1 }).lean());
const bytesOf = (at: number) => inAccount(async () => readFileBytes((await exportsOf())[at] as never));

describe('the description', () => {
  test('with changes that somebody may still reject is refused; settled, it is read', async () => {
    for (const [xml, next] of [
      [
        p(
          '<w:r><w:t>The guard tries the door. </w:t></w:r>',
          '<w:ins w:id="1"><w:r><w:t>The guard sings.</w:t></w:r></w:ins>',
        ),
        undefined,
      ],
      [p('<w:r><w:t>The guard tries the door. The guard sings.</w:t></w:r>'), 'write'],
    ] as const) {
      await add(next ? 'Settled.docx' : 'Night.docx', Buffer.from(wordFile(xml)));
      const made = begin({ request: `Write an SOP from ${next ? 'Settled.docx' : 'Night.docx'}` });
      await step('find', made);
      expect((await step('read', made)).next).toBe(next);
      if (next === undefined)
        expect(made.said.at(-1)?.text).toMatch(
          /^This document holds 1 tracked change already\..+ Nothing was written\.$/,
        );
    }
  });

  test.each([
    [500, 'write'],
    [501, undefined],
  ])('of %i steps leads to %s: longer ones are refused with what to do', async (steps, next) => {
    await add('Long.md', 'The guard tries the door. '.repeat(steps));
    const made = begin({ request: 'Write an SOP from Long.md' });
    await step('find', made);
    const read = await step('read', made);
    expect(read.next).toBe(next);
    if (!next)
      expect(read.done?.output).toBe(
        'The description has 501 steps, and a procedure can have 500. Nothing was written: split the description and send the parts.',
      );
  });

  test('is the document that the request names, of this account only; else it is asked for', async () => {
    await add('Night round.md');
    expect(await step('find', begin({ request: 'Write an SOP from the night round' }))).toMatchObject({
      next: 'read',
      state: { source: { name: 'Night round.md' } },
    });
    const asked = begin({ request: 'Write an SOP' });
    expect((await step('find', asked)).ask?.context.description).toBe('Your documents: Night round.md');
    accountId = nextNumber();
    expect((await step('find', begin({ request: 'Write an SOP from the night round' }))).ask?.context).toEqual({
      step: 'description',
    });
  });

  test('may be the answer: two sentences are one, a name is looked for', async () => {
    const made = begin({ request: 'Write an SOP' });
    await step('find', made);
    const wrong = answering(made, 'the other one');
    expect(await step('given', wrong)).toMatchObject({ next: 'find' });
    expect((await step('find', wrong)).ask?.prompt).toMatch(/^None of your documents has that name\./);
    expect(await step('given', answering(made, 'The guard walks. Then he sleeps.'))).toMatchObject({
      next: 'read',
      state: { source: { name: 'Pasted text.txt' } },
    });
  });

  test('is the newest upload where nothing is named, or the message itself', async () => {
    const file = await add('Upload.md', SOURCE, 'process-description');
    const conversation = await inAccount(() =>
      addConversation(accountId, { files: { 'process-description': file._id } }),
    );
    expect(await step('find', begin({ request: 'Write an SOP from it' }, undefined, conversation))).toMatchObject({
      state: { source: { name: 'Upload.md' } },
    });
    const own = begin(
      { request: 'The guard walks. The guard locks up.', isDescription: true },
      undefined,
      conversation,
    );
    expect(await step('find', own)).toMatchObject({ state: { source: { name: 'Pasted text.txt' } } });
  });

  test.each([
    ['Small talk here.md', 'The office is in York.', /^I found no step/],
    ['Broken note.docx', 'no archive', /^The description can’t be read/],
  ])('that gives no procedure ends the work free of charge: %s', async (name, text, says) => {
    await add(name, text);
    const made = begin({ request: `Write an SOP from ${name}` });
    await step('find', made);
    expect(await step('read', made)).toMatchObject({ cost: 0, done: { output: expect.stringMatching(says) } });
    expect(made.said[0]?.derived?.reference).not.toContain(name);
    expect(await exportsOf()).toEqual([]);
  });

  test('is not read again on a schedule while it has not changed, and nobody is asked', async () => {
    await add('Night round.md');
    await written();
    expect(await step('find', begin({ request: 'Night round', isScheduled: true }))).toEqual({
      done: { output: 'Night round.md has not changed since its procedure was written.' },
      cost: 0,
    });
    expect(await step('find', begin({ request: '', isScheduled: true }))).toMatchObject({ cost: 0, done: {} });
    await add('Night round of May.md', `${SOURCE}\n4. The guard sleeps.`);
    expect(await step('find', begin({ request: 'Night round of May', isScheduled: true }))).toMatchObject({
      next: 'read',
    });
  });
});

describe('the files', () => {
  beforeEach(() => add('Night round.md'));

  test('are stored once, also when steps run again after a crash, at the price of two steps', async () => {
    const made = begin({ request: 'Write an SOP from Night round.md' });
    const costs = [];
    for (const name of ['find', 'read', 'write', 'write', 'finish', 'finish'])
      costs.push((await step(name, made)).cost ?? 0);
    expect(costs).toEqual([0, 10, 10, 10, 0, 0]);
    expect((await exportsOf()).map(({ name }) => name)).toEqual([
      'Night round, SOP draft.docx',
      'Night round, checklist and risks.xlsx',
    ]);
    expect(await inAccount(() => Procedure.countDocuments({}))).toBe(1);
    expect(new Set(made.said.map(({ key }) => key))).toEqual(new Set(['finished']));
    expect(procedureWorkflow.reserve).toBe(20);
  });

  test('hold the words of the description, and mark what it does not say', async () => {
    await written();
    const document = (await textOf('a.docx', await bytesOf(0))) ?? '';
    for (const words of ['The guard tries each door at 22:00.', 'Switch off the lights.'])
      expect(document).toContain(words);
    for (const what of ['purpose', 'who does this', 'document number', 'owner'])
      expect(document).toContain(`[To be filled: ${what}`);
  });

  test('have a checklist and a register without a rating', async () => {
    await written();
    const book = new ExcelJS.Workbook();
    await book.xlsx.load((await bytesOf(1)) as never);
    expect(book.worksheets.map(({ name }) => name)).toEqual(['About', 'Checklist', 'Risk register']);
    const rows = (name: string) => {
      const found: string[][] = [];
      book.getWorksheet(name)?.eachRow((row) => void found.push((row.values as unknown[]).slice(1).map(String)));
      return found;
    };
    expect(
      rows('Checklist')
        .slice(1)
        .map((row) => row.slice(0, 4)),
    ).toEqual([
      ['1', 'The guard tries each door at 22:00.', 'guard', 'at 22:00'],
      ['2', 'Switch off the lights.', 'not said: who does this', 'not said'],
      ['3', 'If a door is open, the guard calls the owner within 5 minutes.', 'guard', 'within 5 minutes'],
    ]);
    const register = rows('Risk register');
    expect(register[0]?.slice(6)).toEqual(
      ['Likelihood', 'Severity', 'Rating', 'Control', 'Owner', 'Due'].map((name) => `${name} (yours)`),
    );
    expect(register.slice(1).map((row) => [row[1], row[4]])).toEqual([
      ['2', 'what the step does not say'],
      ['3', 'calls'],
      ['3', 'within 5 minutes'],
    ]);
    for (const row of register.slice(1)) expect(row.slice(6).join('')).toBe('');
  });

  test('say everything in its place: the procedure line by line', async () => {
    await written();
    const lines = ((await textOf('a.docx', await bytesOf(0))) ?? '').split('\n').map((line) => line.trim());
    const body = lines.slice(lines.indexOf('# 1. Purpose')).filter((line) => line !== '');
    const fill = (what: string) => `[To be filled: ${what}]`;
    expect(body).toEqual([
      ...['# 1. Purpose', fill('purpose'), '# 2. Scope'],
      ...[fill('scope: for whom and what it holds, and for what it does not'), '# 3. Roles', 'Who does what'],
      ...['Role, as named\tSteps', 'Guard\t1, 3', `${fill('role')}\t2`, '# 4. Steps'],
      ...['Steps, in the words of the description', 'Step\tWho\tWhat is done\tWhen'],
      '1\tguard\tThe guard tries each door at 22:00.\tat 22:00',
      `2\t${fill('who does this')}\tSwitch off the lights.\t–`,
      '3\tguard\tIf a door is open, the guard calls the owner within 5 minutes.\twithin 5 minutes',
      ...['# 5. Records', fill('which records are kept, where and for how long'), '# 6. Exceptions'],
      '• Step 3: If a door is open, the guard calls the owner within 5 minutes.',
    ]);
  });

  test('are told with roles, what nobody does, what is missing, and the first risks', async () => {
    const made = await written();
    expect(made.said[0]?.text.split('\n')).toEqual([
      '**Night round**: a procedure, a checklist and a risk register, as drafts: 3 steps, 3 risks, 10 places to be filled by a person.',
      'Roles, with their steps: Guard (1, 3).',
      'Nobody is named for step 2.',
      'The description says nothing about: purpose, scope, records. It is marked for a person.',
      'Each risk names its step and the words that it comes from. None is rated: that is for people. The first:',
      '• R1, step 2: Nobody is named for it: it is left out, or done twice.',
      '• R2, step 3: What is handed over does not arrive, arrives late, or is not read. (“calls”)',
      '• R3, step 3: The time passes and nobody notices. (“within 5 minutes”)',
      'Every sentence of the description stands word for word in the procedure; the files were compared with it after writing.',
    ]);
    expect(made.said[0]?.card).toMatchObject({
      headline: 'Night round, a draft',
      figures: [
        { label: 'steps', value: '3' },
        { label: 'risks', value: '3' },
        { label: 'to be filled', value: '10' },
      ],
      actions: [
        { label: 'Download the procedure', action: 'download', value: 'Night round, SOP draft.docx' },
        { label: 'Download checklist and risks', value: 'Night round, checklist and risks.xlsx' },
      ],
    });
    expect(made.progress).toEqual([
      'Writing the procedure 0 of 3',
      'Writing the checklist and the register 1 of 3',
      'Comparing them with the description 2 of 3',
    ]);
  });

  test('show cells for people in a colour, and wrap every text', async () => {
    await written();
    const book = new ExcelJS.Workbook();
    await book.xlsx.load((await bytesOf(1)) as never);
    const sheet = book.getWorksheet('Risk register');
    expect(sheet?.getCell('A1').font).toMatchObject({ bold: true });
    for (const cell of ['A2', 'F2', 'G2', 'L2'])
      expect(sheet?.getCell(cell).alignment).toMatchObject({ wrapText: true, vertical: 'top' });
    const colours = ['F2', 'G2', 'L2'].map((cell) =>
      JSON.stringify(sheet?.getCell(cell).fill ?? null).includes('FFFFF2CC'),
    );
    expect(colours).toEqual([false, true, true]);
  });

  test('are compared with the description: a word that is missing is found', async () => {
    await written();
    const files = { document: await bytesOf(0), workbook: await bytesOf(1) };
    const check = (text: string) => checkProcedure(readProcess(text), findRisks(readProcess(text)), files);
    expect(await check(SOURCE)).toEqual([]);
    expect(await check(SOURCE.replace('22:00', '23:00'))).toEqual([
      '“The guard tries each door at 23:00.” is not in the procedure.',
      '“The guard tries each door at 23:00.” is not in the workbook.',
    ]);
    const [risk] = findRisks(readProcess(SOURCE));
    expect(await checkProcedure(readProcess(SOURCE), [{ ...risk, words: 'made up' } as never], files)).toEqual([
      'The words of R1 are not in its step.',
    ]);
  });

  test('are told to other platforms by counts only, unless the company allows more', async () => {
    const { said } = await written();
    expect(said[0]?.text).toContain('**Night round**');
    for (const { derived } of said)
      expect(`${derived?.redacted} ${derived?.reference}`).not.toMatch(/Night|guard|22:00/);
  });
});

test('a message starts the work, lists what was written, or gets help', async () => {
  const route = (text: string, intent: Parameters<typeof routeMessage>[0] = null) =>
    inAccount(() => routeMessage(intent, text, accountId));
  expect(await route('Write it', 'procedure')).toMatchObject({ workflow: 'operating-procedure' });
  expect(await route('The guard walks. The guard locks up.')).toMatchObject({
    workflow: 'operating-procedure',
    state: { isDescription: true },
  });
  expect(await route('The guard walks.')).toMatchObject({
    state: { text: expect.stringContaining('I turn the description') },
  });
  expect(await route('Which?', 'procedures')).toMatchObject({
    state: { text: expect.stringContaining('no procedure yet') },
  });
  await add('Night round.md');
  await written();
  expect(await route('Which?', 'procedures')).toMatchObject({
    state: { text: expect.stringMatching(/^• Night round: 3 steps, 3 risks, \d+ places/) },
  });
});
