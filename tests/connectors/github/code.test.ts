/** @environment connectors */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { asksFor, readIntent, readPath } from '../../../bot/agents/developer/intents.ts';
import { readObjective } from '../../../bot/agents/developer/objective/readObjective.ts';
import { writeProject } from '../../../bot/agents/developer/project/writeProject.ts';
import { describeWayToRepository } from '../../../bot/agents/developer/repository/connected.ts';
import { branchOf, filesOf, slugOf } from '../../../bot/agents/developer/repository/proposal.ts';
import { describeFile, describeFolder } from '../../../bot/agents/developer/repository/readCode.ts';
import { contentsPath, toText } from '../../../bot/connectors/github/code.ts';
import { github } from '../../../bot/connectors/github/index.ts';
import type { Interrupt } from '../../../models/contracts/interrupts.ts';
import { runInAccount } from '../../../models/store/context.ts';
import { requireRow } from '../../../models/store/requireRow.ts';
import { connectTool, openConnector } from '../../factories/connect.ts';
import { directAccess } from '../../factories/directAccess.ts';
import { hearLines } from '../../factories/hearLines.ts';
import { hireOnboarded } from '../../factories/hireOnboarded.ts';
import { eventually, type Person, signUp } from '../../factories/person.ts';
import { type Server, startServer } from '../../factories/server.ts';
import { startGithub } from '../../fakes/github.ts';

let server: Server;
let fake: Awaited<ReturnType<typeof startGithub>>;
let owner: Person & { agent: { id: number } };
beforeAll(async () => {
  server = await startServer();
  fake = await startGithub({ id: 'arc', secret: 'shh', redirectUris: [] });
  openConnector(github, fake);
  owner = await hireOnboarded(await signUp(server), 'developer', ['github', 'bolt']);
});
afterAll(async () => {
  await server.stop();
  await fake.stop();
});
beforeEach(() => {
  jest.spyOn(Math, 'random').mockReturnValue(0);
});
afterEach(() => {
  jest.restoreAllMocks();
  fake.recover();
  fake.limit(false);
  fake.git.clear();
});

const code = requireRow(github.code ?? null);
const access = () => directAccess(github, fake);
const values = { repository: 'acme/nrl', code: 'yes' };
const proposal = {
  ...{ branch: 'arc/keys-1', title: 'Add Keys', text: 'An app.' },
  files: [{ path: 'keys/index.html', content: '<p>é</p>' }],
};
const propose = (change: Partial<typeof proposal> = {}) => code.propose(access(), values, { ...proposal, ...change });

describe('the code of a repository', () => {
  test('is listed by folder, without links to elsewhere, and read as text up to a size', async () => {
    const put = (path: string, content: string | Buffer) => fake.git.files.set(path, Buffer.from(content));
    put('README.md', '# NRL é');
    put('src/app/main.ts', 'export {};');
    put('fits.txt', 'x'.repeat(200_000));
    put('large.txt', 'x'.repeat(200_001));
    put('logo.png', Buffer.from([1, 0, 2]));
    expect((await code.list(access(), values, ''))?.map(({ path, kind }) => `${kind} ${path}`)).toEqual([
      ...['file README.md', 'folder src', 'file fits.txt', 'file large.txt', 'file logo.png'],
    ]);
    expect(await code.list(access(), values, 'src/app')).toEqual([
      { path: 'src/app/main.ts', kind: 'file', bytes: 10 },
    ]);
    expect(await code.list(access(), values, 'README.md')).toBeNull();
    const read = (path: string) => code.read(access(), values, path);
    expect(await read('README.md')).toEqual({ bytes: 8, text: '# NRL é' });
    expect((await read('fits.txt'))?.text).toHaveLength(200_000);
    expect(await read('large.txt')).toEqual({ bytes: 200_001, text: null });
    expect(await read('logo.png')).toEqual({ bytes: 3, text: null });
    expect([await read('src'), await read('none.md'), await read('src/../../../user')]).toEqual([null, null, null]);
  });

  test('is asked for at its own address, however a path is written', () => {
    expect(contentsPath('acme/nrl', '/a b/ü#?.ts')).toBe('/repos/acme/nrl/contents/a%20b/%C3%BC%23%3F.ts');
    for (const path of ['..', 'a/../b', './a']) expect(contentsPath('acme/nrl', path)).toBeNull();
    expect([toText(Buffer.from('é')), toText(Buffer.from([0xff, 0x41]))]).toEqual(['é', null]);
  });

  test('that is limited, down or gone says so', async () => {
    fake.limit(true);
    await expect(code.list(access(), values, '')).rejects.toMatchObject({ kind: 'unavailable' });
    fake.limit(false);
    fake.fail(503, 'down', 3);
    await expect(propose()).rejects.toMatchObject({ kind: 'unavailable' });
    await expect(code.propose(access(), { repository: 'acme/gone' }, proposal)).rejects.toMatchObject({
      kind: 'refused',
    });
    expect([fake.git.branches.size, fake.git.pulls.length]).toEqual([1, 0]);
  });
});

describe('a proposal', () => {
  test('is one commit on a branch of its own and one pull request; the default branch stays as it is', async () => {
    expect(await propose()).toBe('https://github.com/acme/nrl/pull/1');
    const { branches, commits, trees, pulls } = fake.git;
    expect([...branches]).toEqual([
      ['main', 'c0'],
      ['arc/keys-1', 'c1'],
    ]);
    expect(commits.get('c1')).toEqual({ message: 'Add Keys', tree: 't1', parents: ['c0'] });
    expect(trees.get('t1')).toEqual({
      base: 'tree-of-c0',
      entries: [{ path: 'keys/index.html', mode: '100644', type: 'blob', content: '<p>é</p>' }],
    });
    expect(pulls).toMatchObject([{ title: 'Add Keys', head: 'arc/keys-1', base: 'main', body: 'An app.' }]);
    expect(await propose()).toBe('https://github.com/acme/nrl/pull/1');
    expect([branches.size, commits.size, pulls.length]).toEqual([2, 1, 1]);
    expect(await propose({ branch: 'arc/keys-2' })).toBe('https://github.com/acme/nrl/pull/2');
  });

  test.each(['/git/trees', '/git/commits', '/git/refs', '/pulls'])(
    'that ended after the call to %s goes on with the same branch',
    async (path) => {
      fake.failAfter(`/repos/acme/nrl${path}`, 503, 3);
      await propose().catch(() => undefined);
      fake.recover();
      await propose();
      const { branches, pulls } = fake.git;
      expect([[...branches.keys()], pulls.length]).toEqual([['main', 'arc/keys-1'], 1]);
    },
  );

  test('made twice at once is one pull request', async () => {
    const links = await Promise.all([propose(), propose()]);
    expect(new Set(links).size).toBe(1);
    expect([fake.git.branches.size, fake.git.pulls.length]).toEqual([2, 1]);
  });

  test('never goes to the default branch', async () => {
    await expect(propose({ branch: 'main' })).rejects.toMatchObject({ kind: 'refused' });
    expect(fake.git.commits.size).toBe(0);
  });

  test('has the files of the archive in a folder, and a branch by its company and project', () => {
    const { app } = readObjective('A list of keys with holder');
    const { archive } = writeProject(requireRow(app));
    expect(filesOf(archive, 'keys').map(({ path }) => path)).toEqual([
      ...['keys/index.html', 'keys/README.md', 'keys/package.json', 'keys/tests/steps.mjs', 'keys/tests/app.spec.mjs'],
    ]);
    const project = { accountId: 1, key: 'project:a:0', name: 'Schlüssel & Co.' };
    expect(branchOf(project)).toMatch(/^arc\/schlussel-co-[0-9a-f]{10}$/);
    expect(branchOf({ ...project })).toBe(branchOf(project));
    expect(branchOf({ ...project, accountId: 2 })).not.toBe(branchOf(project));
    expect(branchOf({ ...project, key: 'project:a:1' })).not.toBe(branchOf(project));
    expect([slugOf('…'), slugOf('x'.repeat(41))]).toEqual(['app', 'x'.repeat(40)]);
  });
});

describe('words to the developer', () => {
  test.each([
    ['Open a pull request', 'propose', true],
    ['Please raise a PR for it', 'propose', false],
    ['Don’t open a pull request', null, false],
    ['What is in the repository?', 'code', false],
    ['Show `src/app` in the repository', 'code', false],
    ['Build a list of repositories with name', 'build', false],
  ])('“%s”: %s', (text, intent, isAsked) => {
    expect([readIntent(text), asksFor(text)]).toEqual([intent, isAsked]);
  });

  test.each([
    ['What is in the repository?', ''],
    ['Show `src/my app/` in the repository', 'src/my app'],
    ['Read src/app/main.ts in the repository.', 'src/app/main.ts'],
    ['Show README.md from the repository', 'README.md'],
  ])('“%s” names the path “%s”', (text, path) => expect(readPath(text)).toBe(path));

  test('get a folder of at most a hundred entries and a file of at most six thousand characters', () => {
    const entries = (count: number) =>
      Array.from({ length: count }, (_, at) => ({ path: `f${at}`, kind: 'file' as const, bytes: 1025 }));
    expect(describeFolder('acme/nrl', entries(100))).not.toContain('not listed');
    expect(describeFolder('acme/nrl', entries(101))).toMatch(/• f99 \(2 KB\)\n1 more is not listed\.$/);
    expect(describeFolder('acme/nrl', [])).toBe('acme/nrl holds nothing that I read.');
    expect(describeFile('a', { bytes: 1, text: 'x'.repeat(6000) })).toBe(`a (1 KB):\n${'x'.repeat(6000)}`);
    expect(describeFile('a', { bytes: 1, text: 'x'.repeat(6001) })).toContain('its first 6,000 characters:\n');
    expect(describeFile('a', { bytes: 1, text: null })).toContain('too large, or no text');
  });
});

describe('the developer with a repository', () => {
  const scope = '/api/connectors/github/scope';
  const choose = (given: object) => owner.browser.put(scope).send({ values: given }).expect(200);
  const waiting = (step: string) =>
    eventually(async () => {
      const { body } = await owner.browser.get(`/api/agents/${owner.agent.id}/interrupts`).expect(200);
      return (body as Interrupt[]).find((one) => one.status === 'pending' && one.context.step === step);
    }, `the question about the ${step}`);
  const answer = ({ id }: Interrupt, body: object) =>
    owner.browser.patch(`/api/interrupts/${id}/resolve`).send(body).expect(200);
  const say = (message: string) => owner.browser.post('/api/arc-chat/send').send({ message }).expect(200);
  const hears = (words: string) =>
    eventually(
      async () => JSON.stringify((await owner.browser.get('/api/arc-chat/history?limit=50')).body).includes(words),
      `a message with “${words}”`,
    );
  const way = () => runInAccount(owner.user.accountId, () => describeWayToRepository(owner.user.accountId));

  test('asks with the exact files before it opens a pull request, and only where code was chosen', async () => {
    const lines = hearLines();
    fake.git.files.set('src/main.ts', Buffer.from('export const isHere = true;'));
    expect(await way()).toContain('The owner can connect GitHub'.slice(4));
    await owner.browser
      .post('/api/replit/create-project')
      .send({ prompt: 'A list of keys with holder', userAgentId: owner.agent.id })
      .expect(200);
    await answer(await waiting('preview'), { userResponse: { choice: 'approve' } });
    await hears('To get it as a pull request');

    await connectTool(owner, 'github');
    await choose({ repository: 'acme/nrl' });
    await say('Open a pull request');
    await hears('No repository with its code is connected, so no pull request was opened.');
    expect(await choose(values)).toMatchObject({ body: { text: 'issues and code of acme/nrl' } });
    expect(await way()).toBe('Say “Open a pull request” to propose it to acme/nrl.');
    await say('Show src/main.ts in the repository');
    await hears('export const isHere = true;');

    await say('Open a pull request');
    const refused = await waiting('proposal');
    const shown = JSON.stringify(refused.view.sections);
    for (const exact of ['acme/nrl', 'arc/keys-', 'Add Keys', 'keys/index.html', 'keys/tests/app.spec.mjs'])
      expect(shown).toContain(exact);
    await answer(refused, { approved: false });
    await hears('No pull request was opened. The app');
    await say('Open a pull request');
    await answer(await waiting('proposal'), { approved: true, userResponse: { choices: { argument2: 'main' } } });
    await hears('only its title and its description can be changed here');
    expect([fake.git.branches.size, fake.git.pulls.length]).toEqual([1, 0]);

    for (const title of ['Keys for the desk', 'Again']) {
      await say('Open a pull request');
      await answer(await waiting('proposal'), { approved: true, userResponse: { choices: { argument3: title } } });
      await hears('is proposed to acme/nrl: https://github.com/acme/nrl/pull/1');
    }
    await say('Open a pull request');
    const late = await waiting('proposal');
    await choose({ ...values, repository: 'acme/eps' });
    await answer(late, { approved: true });
    await hears('acme/nrl was approved, and acme/eps is chosen now');
    expect(fake.git.pulls).toMatchObject([{ title: 'Keys for the desk', base: 'main' }]);
    expect(fake.git.branches.get('main')).toBe('c0');
    const messages = (await owner.browser.get('/api/arc-chat/history?limit=50')).text;
    for (const said of [...lines, shown, messages, (await owner.browser.get(scope)).text])
      expect(said).not.toMatch(/access-|refresh-|code-[0-9a-f]{8}/);
  });
});
