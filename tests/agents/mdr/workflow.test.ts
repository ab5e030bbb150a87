/** @environment store */
import { beforeEach, describe, expect, test } from '@jest/globals';
import { keepFacts, readDevices } from '../../../bot/agents/mdr/facts/devices.ts';
import { readFacts } from '../../../bot/agents/mdr/facts/readFacts.ts';
import { technicalFileWorkflow } from '../../../bot/agents/mdr/workflows/technicalFile.ts';
import type { StepResult } from '../../../bot/engine/workflows/workflow.ts';
import { StoredFile } from '../../../models/file.ts';
import { keepFile } from '../../../models/files.ts';
import { Device } from '../../../models/mdr/device.ts';
import { runInAccount } from '../../../models/store/context.ts';
import { connectTestStore, nextNumber } from '../../factories/account.ts';
import { makeStepContext } from '../../factories/stepContext.ts';

connectTestStore();
let accountId = 0;
beforeEach(() => {
  accountId = nextNumber();
});

const inAccount = <T>(work: () => Promise<T>) => runInAccount(accountId, work);
const begin = (state: object = {}, answered?: object) =>
  makeStepContext(
    { accountId, agentId: 'mdr', round: 1, state: state as never },
    answered ? { answer: { userResponse: answered } as never } : {},
  );
const step = (name: string, made: ReturnType<typeof begin>) =>
  inAccount(() => made.runStep(technicalFileWorkflow.steps[name]?.run)) as Promise<
    StepResult & {
      next?: string;
      ask?: { interruptType: string; prompt: string; context: { description?: string; points?: { id: string }[] } };
    }
  >;
const keep = (words: string) => {
  const { facts } = readFacts(words);
  return inAccount(() => keepFacts(accountId, facts.name?.value ?? '', facts));
};
const WHOLE = [
  'Name: MoleView\nIntended purpose: Shows moles.\nMedical purpose: yes\nProcessing: interprets\nIndividual patients: yes',
  'Market: both\nDecisions: diagnosis\nSignificance: informs\nWorst consequence: serious\nState of the condition: serious',
  'Monitoring: no\nDriven device: no\nSoftware failure: serious\nLay users: no\nUsed together: no\nMobile platform: no',
  'Measuring function: no\nCertificate date: 2026-01-10',
].join('\n');

describe('the facts', () => {
  test('are asked once, and only what is open after them', async () => {
    const first = begin({ request: 'Make the technical file' });
    const asked = await step('product', first);
    expect(asked.ask).toMatchObject({ interruptType: 'input' });
    expect(String(asked.ask?.context.description)).toContain('Version: the software version (optional)');
    const told = begin(first.context.state, {
      userInput: 'Name: MoleView\nIntended purpose: Shows moles.\nMarket: UK\nLay users: perhaps',
    });
    expect(await step('productGiven', told)).toMatchObject({ next: 'points' });
    const points = await step('points', told);
    expect(points.ask?.interruptType).toBe('choices');
    expect(points.ask?.prompt).toContain('I couldn’t read: “Lay users: perhaps”.');
    const ids = points.ask?.context.points?.map(({ id }) => id);
    expect(ids).toEqual(['medical', 'processing', 'individual']);
  });

  test('that are chosen are kept with the product; “I don’t know” keeps nothing and goes on to the next group', async () => {
    await keep('Name: MoleView\nIntended purpose: Shows moles.');
    const made = begin(
      { facts: readFacts('Name: MoleView\nIntended purpose: Shows moles.').facts, group: 0 },
      {
        choices: [
          { point: 'medical', choice: 'yes' },
          { point: 'processing', choice: null },
        ],
      },
    );
    expect(await step('pointsGiven', made)).toMatchObject({ next: 'points', state: { group: 1 } });
    const [device] = await inAccount(() => readDevices(accountId));
    expect(device?.facts.medical?.value).toBe('yes');
    expect(device?.facts.processing).toBeUndefined();
    expect((await step('points', made)).ask?.prompt).toContain('Facts 2 of 3: its class');
  });

  test('of class are not asked for a product that is no device', async () => {
    const facts = readFacts(`${WHOLE}\nMedical purpose: no`).facts;
    for (const fact of ['decisions', 'monitoring', 'lay'] as const) delete facts[fact];
    const { ask } = await step('points', begin({ facts }));
    expect(ask?.context.points?.map(({ id }) => id)).toEqual(['lay']);
    // One point alone can be answered by the words of its options.
    expect(ask).toMatchObject({
      options: [
        { id: 'yes', label: 'Yes' },
        { id: 'no', label: 'No' },
      ],
    });
  });

  test('of a known product are not asked again: only what changed, and “nothing” goes on', async () => {
    await keep(WHOLE);
    const made = begin({ request: 'Make the technical file' });
    const { ask } = await step('product', made);
    expect(ask?.prompt).toContain('What has changed about MoleView?');
    expect(String(ask?.context.description)).toContain('Lay users: No');
    expect(await step('productGiven', begin(made.context.state, { userInput: 'Nothing.' }))).toEqual({
      next: 'points',
    });
    const changed = begin(made.context.state, { userInput: 'Version: 2.2' });
    await step('productGiven', changed);
    expect(await step('points', changed)).toEqual({ next: 'reason' });
    expect((await inAccount(() => readDevices(accountId)))[0]?.facts.version?.value).toBe('2.2');
  });

  test('of one product never follow another that an answer names', async () => {
    await keep(WHOLE);
    const made = begin({ request: 'Make the technical file' });
    await step('product', made);
    const other = begin(made.context.state, { userInput: 'Name: LungRead\nIntended purpose: Reads spirometry.' });
    const { state } = await step('productGiven', other);
    expect(Object.keys(state?.facts as object)).toEqual(['name', 'purpose']);
    expect(await inAccount(() => Device.countDocuments({}))).toBe(2);
  });

  test('that come with the request begin the work without a question about changes', async () => {
    await keep(WHOLE);
    expect(await step('product', begin({ request: 'Make the technical file\nVersion: 3.0' }))).toMatchObject({
      next: 'points',
    });
  });

  test('that are needed are asked until they are given, a name without its label too', async () => {
    const made = begin({ asked: 'product', facts: {} }, { userInput: 'it helps nurses with wounds' });
    expect(await step('productGiven', made)).toMatchObject({ next: 'missing', state: { asked: 'name' } });
    expect((await step('missing', made)).ask?.prompt).toBe('What is the product called?');
    const named = begin(made.context.state, { userInput: 'WoundAid' });
    expect(await step('productGiven', named)).toMatchObject({ next: 'points' });
    const [device] = await inAccount(() => readDevices(accountId));
    expect(device).toMatchObject({ name: 'WoundAid', facts: { purpose: { value: 'it helps nurses with wounds' } } });
  });

  test.each(['I don’t know', 'i do not know yet', 'not sure', '?'])(
    'that are needed are never “%s”: they are asked again, with what to do',
    async (words) => {
      const again = async (asked: string, facts = {}) => {
        const made = begin({ asked, facts }, { userInput: words });
        expect(await step('productGiven', made)).toMatchObject({ next: 'missing' });
        expect(made.context.state.facts).toEqual(facts);
        return (await step('missing', made)).ask?.prompt;
      };
      const called = 'What is the product called?';
      expect(await again('product')).toBe(called);
      expect(await again('name')).toBe(
        `I can’t go on without this. If nobody knows it yet, withdraw the question in the inbox. ${called}`,
      );
      expect(await inAccount(() => readDevices(accountId))).toEqual([]);
      const name = { name: { value: 'WoundAid', words: 'WoundAid' } };
      expect(await again('purpose', name)).toMatch(/^I can’t go on without this\. .* What is WoundAid for\?/);
    },
  );

  test('of another account are never seen', async () => {
    await keep(WHOLE);
    accountId = nextNumber();
    expect((await step('product', begin({ request: 'Make the technical file' }))).ask?.prompt).toContain(
      'Tell me about the product',
    );
  });
});

describe('on a schedule', () => {
  test('nobody is asked: kept facts are used as they are', async () => {
    await keep('Name: MoleView\nIntended purpose: Shows moles.');
    const made = begin({ request: 'Check the MDR technical file', isScheduled: true });
    expect(await step('product', made)).toMatchObject({ next: 'points' });
    expect(await step('points', made)).toEqual({ next: 'reason' });
  });

  test('without a product the run ends free of charge, and says what to do', async () => {
    const ended = await step('product', begin({ request: '', isScheduled: true }));
    expect(ended).toMatchObject({ cost: 0, done: { output: expect.stringContaining('Ask me for one in the chat') } });
  });
});

describe('the results', () => {
  const state = () => ({ facts: readFacts(WHOLE).facts, files: [] as string[] });
  const files = () => inAccount(() => StoredFile.find({ kind: 'export' }).sort({ _id: 1 }).lean());

  test('are stored once, also when a step runs again after a crash', async () => {
    await keep(WHOLE);
    const made = begin(state());
    for (const name of ['reason', 'checklist', 'checklist', 'document', 'document', 'finish', 'finish'])
      await step(name, made);
    expect((await files()).map(({ name }) => name)).toEqual([
      'MoleView, GSPR checklist.xlsx',
      'MoleView, technical documentation.docx',
    ]);
    expect(made.said.map(({ key }) => key)).toEqual(['reasoning', 'finished', 'finished']);
    expect(made.said[2]).toEqual(made.said[1]);
    expect(made.said[1]?.attachments?.map(({ name }) => name)).toEqual((await files()).map(({ name }) => name));
    const [device] = await inAccount(() => readDevices(accountId));
    expect(device?.latest).toMatchObject({
      eu: 'IIb',
      uk: 'I',
      software: 'C',
      files: (await files()).map(({ name }) => name),
    });
  });

  test('cost a step each for the reasoning, the checklist and the documentation, and nothing else', async () => {
    const made = begin(state());
    const costs = [];
    for (const name of ['reason', 'checklist', 'document', 'finish']) costs.push((await step(name, made)).cost ?? 0);
    expect(costs).toEqual([10, 10, 10, 0]);
    expect(technicalFileWorkflow.reserve).toBe(30);
  });

  test('of a second run stand beside those of the first', async () => {
    for (const _ of [1, 2]) {
      const made = begin(state());
      for (const name of ['checklist', 'document']) await step(name, made);
    }
    expect((await files()).map(({ name }) => name)).toEqual([
      'MoleView, GSPR checklist.xlsx',
      'MoleView, technical documentation.docx',
      'MoleView, GSPR checklist (2).xlsx',
      'MoleView, technical documentation (2).docx',
    ]);
  });

  test('count the documents of the company by name and text, those of another account never', async () => {
    const add = (name: string, text: string) =>
      inAccount(() =>
        keepFile({
          accountId,
          key: `document:${name}`,
          name,
          kind: 'document',
          type: 'text/plain',
          bytes: Buffer.from(text),
        }),
      );
    await add('Notes.txt', 'Threat model by IEC 81001-5-1');
    accountId = nextNumber();
    await add('Usability report.pdf', '%PDF-1.4');
    await add('Broken.docx', 'PK\u0003\u0004 not a package');
    const made = begin(state());
    await step('checklist', made);
    expect(made.context.state.documents).toMatchObject({
      found: [['usability', [{ document: 'Usability report.pdf', by: 'name' }]]],
    });
    expect((made.context.state.documents as { unread: string[] }).unread.sort()).toEqual([
      'Broken.docx',
      'Usability report.pdf',
    ]);
  });

  test('leave for other platforms without customer content, unless the company allows it', async () => {
    await keep(WHOLE);
    const made = begin(state());
    for (const name of ['reason', 'checklist', 'document', 'finish']) await step(name, made);
    for (const { derived } of made.said)
      expect(`${derived?.redacted} ${derived?.reference}`).not.toMatch(/MoleView|moles/);
  });
});
