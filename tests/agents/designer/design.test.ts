import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readZipDirectory } from '../../../bot/engine/files/zipArchive.ts';
import type { ChatMessage } from '../../../models/contracts/chat.ts';
import type { Interrupt } from '../../../models/contracts/interrupts.ts';
import { hireOnboarded } from '../../factories/hireOnboarded.ts';
import { eventually, type Person, signUp } from '../../factories/person.ts';
import { type Server, startServer } from '../../factories/server.ts';

let server: Server;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

type Owner = Person & { agent: { id: number } };
const questions = async ({ browser, agent }: Owner) =>
  (await browser.get(`/api/agents/${agent.id}/interrupts`).expect(200)).body as Interrupt[];
/** The pending question at a step of the design. */
const waiting = (owner: Owner, step: string) =>
  eventually(
    async () => (await questions(owner)).find((one) => one.status === 'pending' && one.context.step === step),
    `the question about the ${step}`,
  );
const answer = ({ browser }: Owner, { id }: Interrupt, body: object) =>
  browser.patch(`/api/interrupts/${id}/resolve`).send(body).expect(200);
const say = ({ browser }: Owner, message: string) => browser.post('/api/arc-chat/send').send({ message }).expect(200);
const messages = async ({ browser }: Owner) =>
  ((await browser.get('/api/arc-chat/history?limit=200').expect(200)).body.messages as ChatMessage[]).reverse();
const newOwner = async (): Promise<Owner> => hireOnboarded(await signUp(server), 'designer');

/** Answers the questions up to the prototype: everything approved, one style chosen. */
async function designUntilPreview(owner: Owner, style = 'Calm teal') {
  await answer(owner, await waiting(owner, 'layout'), { approved: true });
  await answer(owner, await waiting(owner, 'components'), { approved: true });
  await answer(owner, await waiting(owner, 'style'), { selectedOption: style });
  return waiting(owner, 'preview');
}

describe('a design', () => {
  test('leads in words from the layout to a prototype that can be kept, for the price of a step each', async () => {
    const owner = await newOwner();
    await say(owner, 'Design a screen for nurses to record pulse and temperature');
    const layout = await waiting(owner, 'layout');
    expect(layout).toMatchObject({
      interruptType: 'approval',
      prompt: 'Layout for “Record pulse and temperature”: shall I continue with it?',
      context: { layout_spec: { layout: 'one column' } },
    });
    expect(layout.view.sections.find(({ heading }) => heading === 'Layout')?.text).toBe(
      'one column: Patient banner, Fields, Error summary +1 more',
    );
    await answer(owner, layout, { approved: true });
    const components = await waiting(owner, 'components');
    expect(
      components.view.sections.find(({ heading }) => heading === 'Components')?.items.map(({ title }) => title),
    ).toEqual(['Patient banner', 'Pulse', 'Temperature', 'Save']);
    await answer(owner, components, { approved: true });
    const style = await waiting(owner, 'style');
    expect(style.options).toEqual(['Clinic blue', 'Calm teal', 'High contrast', 'Show other styles']);
    expect(style.view.sections.at(-1)?.items[0]).toMatchObject({ title: 'Clinic blue', colours: expect.any(Array) });
    await answer(owner, style, { selectedOption: 'Show other styles' });
    const others = await eventually(
      async () => (await questions(owner)).find((one) => one.status === 'pending' && one.options.includes('Forest')),
      'the other styles',
    );
    await answer(owner, others, { selectedOption: 'Forest' });
    const preview = await waiting(owner, 'preview');
    expect(preview.interruptType).toBe('project_preview');
    await answer(owner, preview, { userResponse: { choice: 'approve' } });
    const kept = await eventually(
      async () => (await messages(owner)).find(({ message }) => /is saved with its prototype/.test(message)),
      'that it is kept',
    );
    expect(kept.message).toContain('“Record pulse and temperature”');
    const { body } = await owner.browser.get(`/api/workspaces/designer`).expect(200);
    expect(body[0]).toMatchObject({ status: 'completed' });
    // Sign-up gives 50,000 credits; layout, components, style and drawing cost 10 each.
    const { body: balance } = await owner.browser.get('/api/user/tokens/balance').expect(200);
    expect(balance.balance.tokensRemaining).toBe(49_960);
  });

  /** @shows POST /api/ux-agent/workflow-demo, GET /api/replit/preview/:projectId, GET /api/ux-agent/designs/:userAgentId */
  test('gives one page, an archive of sixteen frames, each frame, and a preview without outside requests', async () => {
    const owner = await newOwner();
    await owner.browser
      .post('/api/ux-agent/workflow-demo')
      .send({ objective: 'A form with <b>reason</b> and date' })
      .expect(200);
    const preview = await designUntilPreview(owner);
    const drawn = (await messages(owner)).find(({ attachments }) => attachments.length > 0);
    expect(drawn?.attachments.map(({ type }) => type)).toEqual(['text/html', 'application/zip']);
    expect(drawn?.card?.figures).toContainEqual({ label: 'frames', value: '16' });
    const zip = await owner.browser
      .get(drawn?.attachments[1]?.url ?? '')
      .responseType('blob')
      .expect(200);
    expect([...readZipDirectory(new Uint8Array(zip.body)).keys()]).toHaveLength(16);

    const page = await owner.browser.get(String(preview.context.iframeUrl)).expect(200);
    const policy = String(page.headers['content-security-policy']);
    expect(policy).toContain('sandbox allow-scripts allow-forms allow-modals;');
    expect(policy).toContain("connect-src 'none'");
    expect(page.headers['content-type']).toMatch(/^text\/html/);
    expect(page.text).not.toContain('<b>reason');

    const { body: designs } = await owner.browser.get(`/api/ux-agent/designs/${owner.agent.id}`).expect(200);
    expect(designs).toHaveLength(1);
    expect(designs[0]).toMatchObject({ previewUrl: preview.context.iframeUrl });
    expect(designs[0].frames).toHaveLength(16);
    const frame = await owner.browser.get(designs[0].frames[0].url).expect(200);
    expect(frame.headers['content-type']).toMatch(/^image\/svg\+xml/);

    const stranger = await signUp(server);
    await stranger.browser.get(String(preview.context.iframeUrl)).expect(404);
    await stranger.browser.get(`/api/ux-agent/designs/${owner.agent.id}`).expect(404);
    await server.browser().get(String(preview.context.iframeUrl)).expect(401);
  });

  /** @shows POST /api/arc-chat/runs/:runId/cancel */
  test('that is cancelled asks no more questions, says so, and returns unused credits', async () => {
    const owner = await newOwner();
    await say(owner, 'Design a screen for nurses to record pulse and temperature');
    const layout = await waiting(owner, 'layout');
    const { working } = (await owner.browser.get('/api/arc-chat/history').expect(200)).body;
    await owner.browser.post(`/api/arc-chat/runs/${working[0].runId}/cancel`).send({}).expect(200);
    await eventually(
      async () => (await messages(owner)).find(({ kind }) => kind === 'cancelled'),
      'that it was cancelled',
    );
    expect((await questions(owner)).map(({ status }) => status)).toEqual(['cancelled']);
    const late = await owner.browser.patch(`/api/interrupts/${layout.id}/resolve`).send({ approved: true });
    expect(late.status).toBe(409);
    const { body: balance } = await owner.browser.get('/api/user/tokens/balance').expect(200);
    expect(balance.balance.tokensRemaining).toBe(49_990);
  });

  test('asks for its objective if the words have none', async () => {
    const owner = await newOwner();
    await say(owner, 'Design a screen');
    const asked = await waiting(owner, 'objective');
    expect(asked.interruptType).toBe('input');
    await answer(owner, asked, { userInput: 'A sign-in page for patients' });
    expect((await waiting(owner, 'layout')).prompt).toContain('Sign in');
  });

  test('returns to the step with the reason of a rejection as a wish', async () => {
    const owner = await newOwner();
    await say(owner, 'Design a screen for nurses to record pulse and temperature');
    await answer(owner, await waiting(owner, 'layout'), { approved: false, reason: 'Use two columns' });
    const again = await eventually(
      async () =>
        (await questions(owner)).find(({ context }) => /It now has two columns/.test(String(context.description))),
      'the layout again',
    );
    expect(again.context.layout_spec).toMatchObject({ layout: 'two columns' });
    await answer(owner, again, { approved: true });
    await answer(owner, await waiting(owner, 'components'), { approved: false });
    const wish = await eventually(
      async () => (await questions(owner)).find((one) => one.status === 'pending' && one.interruptType === 'input'),
      'what should change',
    );
    await answer(owner, wish, { userInput: 'Add allergies and remove pulse' });
    const components = await waiting(owner, 'components');
    expect(components.context.description).toContain(
      'Added “Allergies”. Removed “Pulse”. Fields: Temperature (°C) and Allergies.',
    );
    await answer(owner, components, { approved: true });
    await answer(owner, await waiting(owner, 'style'), { selectedOption: 'Calm teal' });
    const preview = await waiting(owner, 'preview');
    await answer(owner, preview, { userResponse: { choice: 'edit', text: 'Add notes. Make it blue. Make it pop' } });
    const second = await eventually(
      async () =>
        (await questions(owner)).find(
          (one) => one.status === 'pending' && one.context.step === 'preview' && one.id !== preview.id,
        ),
      'the changed prototype',
    );
    expect(second.context.iframeUrl).not.toBe(preview.context.iframeUrl);
    const changed = (await messages(owner)).findLast(({ attachments }) => attachments.length > 0);
    expect(changed?.message).toContain(
      'Added “Notes”. The style is now “Clinic blue”. I couldn’t apply “Make it pop”.',
    );
  });
});

describe('the design service', () => {
  /** @shows POST /api/ux-agent/layout, POST /api/ux-agent/components */
  test.each(['layout', 'components'])('proposes %s by call, for the price of a step', async (part) => {
    const owner = await newOwner();
    const { body } = await owner.browser
      .post(`/api/ux-agent/${part}`)
      .send({ objective: 'A referral form with reason and urgency' })
      .expect(200);
    expect(body).toMatchObject({ success: true, error: null, layout: { layout: 'one column' } });
    expect(body.components.map(({ name }: { name: string }) => name)).toContain('Urgency');
  });

  /** @shows GET /api/ux-agent/health */
  test('says whether it can design for this account, and why not', async () => {
    const person = await signUp(server);
    const health = async () => (await person.browser.get('/api/ux-agent/health').expect(200)).body;
    expect(await health()).toEqual({
      success: false,
      status: 'not onboarded',
      error: 'Hire the designer and complete its onboarding first.',
    });
    await hireOnboarded(person, 'designer');
    expect(await health()).toEqual({ success: true, status: 'available', error: null });
  });

  /** @shows POST /api/design/generate, POST /api/user-agents/:id/create-figma, POST /api/ux-agent/figma-export */
  test.each([
    ['/api/design/generate', { figmaUrl: 'https://www.figma.com/design/abc', projectTitle: 'Form' }, 'generated'],
    ['/api/user-agents/:id/create-figma', { goal: 'A form' }, 'created'],
    ['/api/ux-agent/figma-export', {}, 'exported'],
  ])('says for %s that Figma is not connected', async (path, body, done) => {
    const owner = await newOwner();
    const refused = await owner.browser
      .post(path.replace(':id', String(owner.agent.id)))
      .send(body)
      .expect(422);
    expect(refused.body.error).toContain(`Figma is not connected, so nothing was ${done}, and it cost no credits.`);
  });

  test('refuses until the designer is onboarded', async () => {
    const person = await signUp(server);
    const { body } = await person.browser.post('/api/ux-agent/workflow-demo').send({ objective: 'A form' }).expect(422);
    expect(body.code).toBe('agent_not_ready');
  });
});

describe('the agent for a message', () => {
  test('is the designer for words that ask for a screen, and otherwise the current agent', async () => {
    const owner = await newOwner();
    await hireOnboarded(owner, 'clinical_safety', ['hazardanalysis']);
    await say(owner, 'help');
    const last = (pattern: RegExp) =>
      eventually(async () => (await messages(owner)).find(({ message }) => pattern.test(message)), String(pattern));
    expect((await last(/I never set a severity/)).agentId).toBe('clinical_safety');
    await say(owner, 'Design a screen for triage');
    await waiting(owner, 'layout');
    await say(owner, 'help');
    expect((await last(/^I design screens/)).agentId).toBe('designer');
    await say(owner, 'Analyse my hazard log');
    expect((await last(/no hazard log/i)).message).toBeTruthy();
    // The sample is the safety agent's, whoever answered last.
    await say(owner, '@Dara help');
    await owner.browser.post('/api/arc-chat/sample').send({}).expect(200);
    expect((await last(/^Here is a sample/)).agentId).toBe('clinical_safety');
  });

  test.each([
    ['that names no agent', 'Something plain'],
    ['whose words suggest another agent', 'Analyse my hazard log'],
    ['whose words suggest both agents', 'Do a sign-in page for our tickets'],
    ['that names another', 'Clara, what is our worst hazard?'],
  ])('is the designer for a task %s that was given to it', async (_what, prompt) => {
    const owner = await newOwner();
    await hireOnboarded(owner, 'clinical_safety');
    await owner.browser
      .post(`/api/agents/${owner.agent.id}/tasks`)
      .send({ type: 'task', prompt, context: {} })
      .expect(200);
    const reply = await eventually(
      async () => (await messages(owner)).find(({ messageType }) => messageType === 'assistant'),
      'the reply',
    );
    expect(reply.agentId).toBe('designer');
  });
});
