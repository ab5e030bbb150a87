/** @environment connectors */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Types } from 'mongoose';
import { chooseFrame, describeFrames, requestFrom } from '../../../bot/agents/designer/designTool/frames.ts';
import { readDesignFileIntent } from '../../../bot/agents/designer/intents.ts';
import { faultOf, readAddress } from '../../../bot/connectors/figma/address.ts';
import { figma } from '../../../bot/connectors/figma/index.ts';
import { keepProject, previewUrl } from '../../../bot/engine/files/projects.ts';
import type { Interrupt } from '../../../models/contracts/interrupts.ts';
import { runInAccount } from '../../../models/store/context.ts';
import { connectTool, openConnector } from '../../factories/connect.ts';
import { directAccess } from '../../factories/directAccess.ts';
import { hearLines } from '../../factories/hearLines.ts';
import { hireOnboarded } from '../../factories/hireOnboarded.ts';
import { eventually, type Person, signUp } from '../../factories/person.ts';
import { type Server, startServer } from '../../factories/server.ts';
import { consent, returnFromProvider } from '../../factories/thingsPlace.ts';
import { startFigma } from '../../fakes/figma.ts';

const FILE = 'https://www.figma.com/design/KEY1/Ward-app';
type Owner = Person & { agent: { id: number } };
let server: Server;
let fake: Awaited<ReturnType<typeof startFigma>>;
let owner: Owner;
beforeAll(async () => {
  server = await startServer();
  fake = await startFigma({ id: 'arc-app', secret: 'shh-1', redirectUris: [] });
  openConnector(figma, fake);
  owner = await hireOnboarded(await signUp(server), 'designer', ['figma']);
});
afterAll(async () => {
  await server.stop();
  await fake.stop();
});
beforeEach(() => {
  jest.spyOn(Math, 'random').mockReturnValue(0);
});
afterEach(async () => {
  jest.restoreAllMocks();
  fake.recover();
  fake.clear();
  await owner.browser.delete('/api/oauth/figma');
});

const scope = '/api/connectors/figma/scope';
const status = async () => (await owner.browser.get('/api/oauth/status/figma').expect(200)).body;
const failed = (error: string) => `/workspace?oauth=error&service=figma&error=${error}`;
async function begin(address = FILE) {
  expect(await connectTool(owner, 'figma')).toBe('/workspace?oauth=success&service=figma');
  await owner.browser.put(scope).send({ values: { address } }).expect(200);
  fake.asked.length = 0;
}
const design = figma.design as NonNullable<typeof figma.design>;
const access = () => directAccess(figma, fake);

describe('an address', () => {
  test.each([
    ['https://www.figma.com/design/KEY1/Ward-app?node-id=1-1', 'file', 'KEY1'],
    ['https://figma.com/file/KEY1', 'file', 'KEY1'],
    ['https://www.figma.com/files/123/project/71/Wards', 'project', '71'],
    ['https://www.figma.com/files/team/7/project/71', 'project', '71'],
    ['https://www.figma.com/files/team/7/Us', 'team', '7'],
  ])('%s is a %s', (address, kind, id) => expect(readAddress(address)).toEqual({ kind, id }));

  test.each([
    '',
    'KEY1',
    'http://www.figma.com/design/KEY1',
    'https://figma.com.example/design/KEY1',
    'https://www.figma.com/design/',
  ])('“%s” leads nowhere', (address) => expect(readAddress(address)).toBeNull());

  test('of a project is accepted where the app may list its files alone', () => {
    const project = 'https://www.figma.com/files/project/71/Wards';
    expect(faultOf(project, true)).toBeNull();
    expect(faultOf(project, false)).toContain('FIGMA_PRIVATE_APP');
    expect(faultOf(FILE, false)).toBeNull();
    expect(faultOf('elsewhere', true)).toContain('not the address');
  });
});

describe('frames', () => {
  const frame = (id: string, texts: string[] | null) => ({ id, page: 'P', name: `Frame ${id}`, size: null, texts });

  test('the frame that the address names is used, otherwise the first with texts', () => {
    const frames = [frame('1:1', null), frame('1:2', ['Pulse']), frame('1:3', ['Ward'])];
    expect(chooseFrame(frames, `${FILE}?node-id=1-3`)?.id).toBe('1:3');
    expect(chooseFrame(frames, `${FILE}?node-id=9-9`)?.id).toBe('1:2');
    expect(chooseFrame(frames.slice(0, 1), FILE)?.id).toBe('1:1');
    expect(chooseFrame([], FILE)).toBeNull();
  });

  test('become a request with at most twelve short texts as fields', () => {
    const labels = Array.from({ length: 13 }, (_, at) => `Field ${String.fromCharCode(65 + at)}`);
    const request = requestFrom(frame('1:1', ['12:30', 'Name:', 'x'.repeat(41), ...labels]), '');
    expect(request).toBe(`Design a screen for Frame 1 1 with Name, ${labels.slice(0, 11).join(', ')}`);
    expect(requestFrom(frame('1:1', null), 'Wards')).toBe('Design a screen for Wards');
  });

  test('are described with what was not read or listed', () => {
    const many = Array.from({ length: 21 }, (_, at) => frame(`1:${at}`, at === 0 ? null : []));
    const text = describeFrames('Ward app', many);
    expect(text).toContain('Ward app has 21 frames.\n• **Frame 1:0** (page P): its texts were not read');
    expect(text).toMatch(/1 more is not listed\.$/);
  });

  test.each([
    ['Export to Figma', 'link'],
    ['Please put the prototype into Figma', 'link'],
    ['What is in our Figma file?', 'read'],
    ['Don’t export it to Figma', null],
    ['Design a screen for Figma users', null],
  ])('“%s”: %s', (text, intent) => expect(readDesignFileIntent(text)).toBe(intent));
});

describe('the files of Figma', () => {
  test('are those of a project or a team, and a file by its address', async () => {
    const list = (address: string) => design.listFiles(access(), { address });
    expect(await list(FILE)).toEqual([{ key: 'KEY1', name: 'Ward app' }]);
    expect((await list('https://www.figma.com/files/project/71/Wards')).map(({ key }) => key)).toEqual([
      'KEY1',
      'KEY2',
    ]);
    expect((await list('https://www.figma.com/files/team/7/Us')).map(({ name }) => name)).toEqual([
      'Wards: Ward app',
      'Wards: Old app',
    ]);
    await expect(list('https://www.figma.com/design/NONE/x')).rejects.toMatchObject({ kind: 'refused' });
  });

  test('are read frame by frame, with the texts that are shown, each once', async () => {
    expect(await design.readFrames(access(), 'KEY1')).toEqual([
      {
        ...{ id: '1:1', page: 'Observations', name: 'Record', size: { width: 360, height: 640 } },
        texts: ['Pulse', 'Temperature'],
      },
      { id: '1:3', page: 'Observations', name: 'List', size: null, texts: ['Ward'] },
    ]);
    fake.state.hasTooLargeFrames = true;
    expect((await design.readFrames(access(), 'KEY1')).map(({ texts }) => texts)).toEqual([null, null]);
  });

  test('are asked for again after a limit, as often as any tool and no more', async () => {
    fake.state.limits = 2;
    expect(await design.listFiles(access(), { address: FILE })).toHaveLength(1);
    fake.state.limits = 3;
    await expect(design.listFiles(access(), { address: FILE })).rejects.toMatchObject({ kind: 'unavailable' });
  });

  test('get a comment and a link once, and the comment alone where the link is refused', async () => {
    const link = { fileKey: 'KEY1', frameId: '1:1', comment: 'See https://arc/p/1', name: 'P', url: 'https://arc/p/1' };
    fake.state.mayLink = false;
    expect(await design.leaveLink(access(), link)).toEqual({ isLinked: false });
    fake.state.mayLink = true;
    expect(await design.leaveLink(access(), link)).toEqual({ isLinked: true });
    expect(await design.leaveLink(access(), link)).toEqual({ isLinked: true });
    expect(fake.comments).toMatchObject([{ message: 'See https://arc/p/1', client_meta: { node_id: '1:1' } }]);
    expect(fake.links).toMatchObject([{ url: 'https://arc/p/1', file_key: 'KEY1', node_id: '1:1' }]);
  });
});

describe('the connection', () => {
  test('takes the address of a file, and refuses others', async () => {
    await begin();
    expect((await owner.browser.get(scope).expect(200)).body).toMatchObject({ text: `the file ${FILE}` });
    for (const address of ['https://example.com/design/KEY1', 'https://www.figma.com/files/project/71/Wards'])
      await owner.browser.put(scope).send({ values: { address } }).expect(400);
  });

  test('says a consent that is denied, a state that is not ours, an expired code and a provider that is down', async () => {
    fake.behaviour.denies = true;
    expect(await connectTool(owner, 'figma')).toBe(failed('access_denied'));
    fake.recover();
    const back = await consent(owner, 'figma');
    back.searchParams.set('state', 'x'.repeat(32));
    expect(await returnFromProvider(owner, back)).toContain('error=not_begun_here');
    fake.behaviour.codeLifetime = 0;
    expect(await connectTool(owner, 'figma')).toBe(failed('connection_refused'));
    fake.recover();
    fake.fail(503, 'down', 3);
    expect(await connectTool(owner, 'figma')).toBe(failed('temporarily_unavailable'));
  });

  test('is renewed at its own address, ends when that is refused, and no token is in an answer or the log', async () => {
    const lines = hearLines();
    const answers: string[] = [];
    fake.behaviour.lifetime = 1;
    await begin();
    expect(fake.asked.filter(({ path }) => path === '/v1/oauth/refresh')).toEqual([]);
    fake.recover();
    answers.push((await owner.browser.get(scope).expect(200)).text);
    expect(fake.asked.filter(({ path }) => path === '/v1/oauth/refresh')).toHaveLength(1);
    fake.behaviour.lifetime = 1;
    await connectTool(owner, 'figma');
    fake.revokeAll();
    answers.push((await owner.browser.get(scope)).text, JSON.stringify(await status()));
    expect(await status()).toMatchObject({ authenticated: false, error: expect.stringContaining('Connect it again') });
    for (const said of [...lines, ...answers]) expect(said).not.toMatch(/access-|refresh-|code-|shh-1/);
  });

  test('ends when Figma answers 403 to its token, and not when it answers so to a file', async () => {
    const generate = () => owner.browser.post('/api/design/generate').send({ figmaUrl: FILE, projectTitle: '' });
    await begin();
    fake.state.forbids = 'files';
    expect((await generate().expect(422)).body.error).toContain('Figma refused that.');
    expect(await status()).toMatchObject({ authenticated: true, error: null });
    fake.state.forbids = 'all';
    fake.revokeAll();
    await generate().expect(422);
    expect(await status()).toMatchObject({ authenticated: false });
  });

  test('is ended in Arc; Figma has no call for that, and the page says so', async () => {
    await begin();
    expect((await owner.browser.delete('/api/oauth/figma').expect(200)).body).toEqual({
      success: true,
      revoked: false,
    });
  });
});

describe('the designer with Figma', () => {
  const questions = async () =>
    (await owner.browser.get(`/api/agents/${owner.agent.id}/interrupts`).expect(200)).body as Interrupt[];
  const waiting = (step: string) =>
    eventually(
      async () => (await questions()).find((one) => one.status === 'pending' && one.context.step === step),
      `the question about the ${step}`,
    );
  const answer = ({ id }: Interrupt, body: object) =>
    owner.browser.patch(`/api/interrupts/${id}/resolve`).send(body).expect(200);
  /** A finished design, as the designer keeps it. */
  const keepDesign = () =>
    runInAccount(owner.user.accountId, () =>
      keepProject({
        ...{
          accountId: owner.user.accountId,
          userAgentId: owner.agent.id,
          agentId: 'designer',
          runId: new Types.ObjectId(),
        },
        ...{
          key: 'k',
          name: 'Observations',
          objective: '',
          status: 'created',
          previewFileId: new Types.ObjectId(),
          files: [],
        },
      }),
    );
  const said = async () => JSON.stringify((await owner.browser.get('/api/arc-chat/history?limit=50')).body.messages);
  const say = (message: string) => owner.browser.post('/api/arc-chat/send').send({ message }).expect(200);

  test('designs from the texts of a frame, and asks before it leaves a comment and a link; it says that it drew nothing', async () => {
    await begin();
    await owner.browser.post('/api/ux-agent/figma-export').expect(422);
    const { body } = await owner.browser
      .post('/api/design/generate')
      .send({ figmaUrl: `${FILE}?node-id=1-1`, projectTitle: 'Observations' })
      .expect(200);
    expect(body.success).toBe(true);
    const layout = await waiting('layout');
    expect(layout.context.objective).toBe('Design a screen for Observations with Pulse, Temperature');
    const project = await keepDesign();

    await owner.browser.post('/api/ux-agent/figma-export').expect(200);
    const frame = await waiting('frameChosen');
    expect(frame.options).toEqual(['1. Observations: Record', '2. Observations: List']);
    await answer(frame, { selectedOption: '2. Observations: List' });
    const asked = await waiting('link');
    expect(asked.prompt).toContain('Figma lets no other program draw frames');
    const link = previewUrl(project);
    const shown = JSON.stringify(asked.view.sections);
    for (const exact of ['Ward app', 'Observations: List', link, 'Prototype in Arc: Observations'])
      expect(shown).toContain(exact);
    expect([fake.comments, fake.links]).toEqual([[], []]);
    await answer(asked, { approved: true });
    await eventually(async () => (await said()).includes('I left a comment on'), 'what was left');
    expect(fake.comments).toMatchObject([{ file: 'KEY1', message: expect.stringContaining(link) }]);
    expect(fake.links).toMatchObject([{ node_id: '1:3', url: expect.stringContaining(link) }]);

    await say('Export to Figma');
    await answer(await waiting('frameChosen'), { selectedOption: '1. Observations: Record' });
    await answer(await waiting('link'), { approved: false });
    await eventually(async () => (await said()).includes('Nothing was written.'), 'the end of the export');
    expect(fake.comments).toHaveLength(1);
  });

  test('reads frames into the chat, and no file that was not chosen', async () => {
    await begin();
    await say('What is in our Figma file?');
    await eventually(
      async () => (await said()).includes('**Record** (page Observations, 360 × 640): “Pulse”, “Temperature”'),
      'the frames',
    );
    const { body } = await owner.browser
      .post('/api/design/generate')
      .send({ figmaUrl: 'https://www.figma.com/design/KEY2/Old-app', projectTitle: 'Old' })
      .expect(422);
    expect(body.error).toContain('not the address of a file that Arc may read in Figma');
  });
});
