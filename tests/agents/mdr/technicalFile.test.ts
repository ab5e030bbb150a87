import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ChatMessage } from '../../../models/contracts/chat.ts';
import type { Interrupt } from '../../../models/contracts/interrupts.ts';
import type { Device } from '../../../models/contracts/mdr/devices.ts';
import { hireOnboarded } from '../../factories/hireOnboarded.ts';
import { eventually, type Person, signUp } from '../../factories/person.ts';
import { type Server, startServer } from '../../factories/server.ts';

let server: Server;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

type Owner = Person & { agent: { id: number } };
const newOwner = async (): Promise<Owner> => hireOnboarded(await signUp(server), 'mdr', ['mdrtools']);
const say = ({ browser }: Owner, message: string) => browser.post('/api/arc-chat/send').send({ message }).expect(200);
const messages = async ({ browser }: Owner) =>
  ((await browser.get('/api/arc-chat/history?limit=200').expect(200)).body.messages as ChatMessage[]).reverse();
const heard = (owner: Owner, words: RegExp) =>
  eventually(async () => (await messages(owner)).find(({ message }) => words.test(message)), String(words));
const waiting = (owner: Owner, words: RegExp) =>
  eventually(
    async () =>
      ((await owner.browser.get(`/api/agents/${owner.agent.id}/interrupts`).expect(200)).body as Interrupt[]).find(
        ({ status, prompt }) => status === 'pending' && words.test(prompt),
      ),
    String(words),
  );
const devices = async ({ browser, agent }: Owner) =>
  (await browser.get(`/api/mdr/devices/${agent.id}`).expect(200)).body as Device[];

const FIRST =
  'Name: MoleView\nIntended purpose: Shows suspicious moles.\nMedical purpose: yes\nProcessing: interprets\nIndividual patients: yes\nMarket: both';
const CLASS =
  'Decisions: diagnosis; Significance: informs; Worst consequence: serious; State of the condition: serious; Monitoring: no; Driven device: no';

describe('a technical file', () => {
  /** @shows S1-1.1, GET /api/mdr/devices/:userAgentId, POST /api/mdr/technical-file/:userAgentId */
  test('is drafted from facts in words and choices, with its files, for the price of three steps', async () => {
    const owner = await newOwner();
    expect(await devices(owner)).toEqual([]);
    await owner.browser.post(`/api/mdr/technical-file/${owner.agent.id}`).send({}).expect(200);
    await waiting(owner, /Tell me about the product/);
    await say(owner, FIRST);
    await waiting(owner, /Facts 2 of 3/);
    // Words while a question of choices waits: the facts are kept, and the work goes on with what is still open.
    await say(owner, CLASS);
    const last = await waiting(owner, /Facts 3 of 3/);
    expect(last.view.fields.map(({ label }) => label)).toEqual([
      'What could a failure of the software lead to?',
      'Do lay people use it, for example patients?',
      'Does it work together with other devices or products?',
      'Does it run on phones or tablets?',
      'Does it measure something, in units?',
    ]);
    // One line for each point: its options have nothing to say beyond the fields.
    expect(last.view.sections).toHaveLength(5);
    const choices = {
      choice1: 'option4',
      choice2: 'option2',
      choice3: 'option2',
      choice4: 'option1',
      choice5: 'unknown',
    };
    await owner.browser.patch(`/api/interrupts/${last.id}/resolve`).send({ userResponse: { choices } }).expect(200);
    const done = await heard(owner, /^Draft of the technical file of MoleView: EU IIb, Great Britain I, IEC 62304 C\./);
    expect(done.attachments.map(({ name }) => name)).toEqual([
      'MoleView, GSPR checklist.xlsx',
      'MoleView, technical documentation.docx',
    ]);
    for (const { url } of done.attachments) {
      const file = await owner.browser.get(url).responseType('blob').expect(200);
      expect((file.body as Buffer).subarray(0, 2).toString()).toBe('PK');
    }
    const [device] = await devices(owner);
    expect(device).toMatchObject({ name: 'MoleView', classes: { eu: 'IIb', uk: 'I', software: 'C' }, open: 1 });
    expect(device?.latest?.files).toHaveLength(2);
    const { body } = await owner.browser.get('/api/user/tokens/balance').expect(200);
    expect(body.balance.tokensRemaining).toBe(49_970);

    const stranger = await newOwner();
    await stranger.browser.get(`/api/mdr/devices/${owner.agent.id}`).expect(404);
    await stranger.browser.post(`/api/mdr/technical-file/${owner.agent.id}`).send({}).expect(404);
    await stranger.browser.get(done.attachments[0]?.url ?? '').expect(404);
    expect(await devices(stranger)).toEqual([]);
  });

  test('that is cancelled keeps the facts, asks no more, and costs nothing', async () => {
    const owner = await newOwner();
    await say(owner, `Make the technical file\n${FIRST}`);
    await waiting(owner, /Facts 2 of 3/);
    const { working } = (await owner.browser.get('/api/arc-chat/history').expect(200)).body;
    await owner.browser.post(`/api/arc-chat/runs/${working[0].runId}/cancel`).send({}).expect(200);
    await eventually(
      async () => (await messages(owner)).find(({ kind }) => kind === 'cancelled'),
      'that it was cancelled',
    );
    expect((await devices(owner))[0]).toMatchObject({ name: 'MoleView', latest: null });
    const { body } = await owner.browser.get('/api/user/tokens/balance').expect(200);
    expect(body.balance.tokensRemaining).toBe(50_000);
  });

  test('does not start while its tool is off', async () => {
    const owner = await hireOnboarded(await signUp(server), 'mdr');
    const refused = await owner.browser.post(`/api/mdr/technical-file/${owner.agent.id}`).send({});
    expect(refused.body).toMatchObject({ code: 'tool_off' });
    await say(owner, FIRST);
    await heard(owner, /^Noted for MoleView/);
    await say(owner, 'Which class is it?');
    await heard(owner, /^MDR tools is switched off for Marta\./);
  });
});

describe('questions in words', () => {
  test('are answered from the facts: class, requirements, gaps, dates; facts are noted', async () => {
    const owner = await newOwner();
    await say(owner, 'Which class is it?');
    await heard(owner, /I know no product of yours yet/);
    await say(owner, `${FIRST}\n${CLASS.replace(/; /g, '\n')}\nCertificate date: 2026-01-10`);
    await heard(owner, /^Noted for MoleView:[\s\S]*the EU class is IIb, in Great Britain I\./);
    await say(owner, 'Which class is MoleView?');
    expect((await heard(owner, /European Union: class IIb/)).message).toContain('It is no assessment of conformity');
    await say(owner, 'Show the GSPR on alarms');
    await heard(owner, /Annex I for MoleView[\s\S]*\*\*18\.4\*\*/);
    await say(owner, 'What is missing?');
    await heard(owner, /Gaps of MoleView, by the names and texts of 0 documents/);
    await say(owner, 'When is the PSUR due?');
    await heard(owner, /counted from the certificate on 10 January 2026/);
    await say(owner, 'Which products do you know?');
    await heard(owner, /\*\*MoleView\*\*\n• Name: MoleView/);
    await say(owner, 'What can you do?');
    await heard(owner, /I draft technical files/);
  });
});
