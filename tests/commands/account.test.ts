import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { MongoClient } from 'mongodb';
import type { Interrupt } from '../../models/contracts/interrupts.ts';
import { startEmbeddedStore } from '../../models/store/embedded/index.ts';
import { makeBrowser } from '../factories/httpPerson.ts';
import { eventually } from '../factories/person.ts';
import { type ServerProcess, startProcess } from '../factories/process.ts';
import { withoutMatches } from '../factories/withoutMatches.ts';
import { openCommands, runCommand } from './runCommand.ts';

const directory = mkdtempSync(join(tmpdir(), 'arc-commands-'));
const DEMO = 'demo@quillmere.example';
const PASSWORD = 'demo-company-1';
let server: ServerProcess;
let commands: ReturnType<typeof openCommands>;
beforeAll(async () => {
  server = await startProcess(directory);
  commands = openCommands(directory);
});
afterAll(async () => {
  await commands.close();
  await server.stop();
  rmSync(directory, { recursive: true, force: true });
});

/** Runs a command beside the running server, in a process with others. */
const command = (name: string, ...given: string[]) => commands.run([name, ...given]);

/** Runs a command as an operator would, in a process of its own, on a data directory. */
const commandIn = (folder: string, name: string, ...given: string[]) => runCommand(folder, [name, ...given]);

/** {@link commandIn} beside the running server. Each command runs once in this way. */
const alone = (name: string, ...given: string[]) => commandIn(directory, name, ...given);

const logIn = async (email: string) => {
  const browser = makeBrowser(() => server.url);
  await browser.post('/api/login', { email, password: PASSWORD });
  return browser;
};

test('a member is erased alone, then a demo company is exported and erased, beside the running server', async () => {
  expect((await alone('seed')).said).toContain(`Log in as ${DEMO}`);
  expect((await command('seed')).said).toContain('is there already');
  const browser = await logIn(DEMO);
  const agents = await browser.get('/api/user-agents');
  expect(agents).toMatchObject([
    { agentId: 'clinical_safety', status: 'onboarded', pendingInterrupts: 1 },
    { agentId: 'mdr' },
  ]);
  expect((await browser.get('/api/documents')).documents).toMatchObject([
    { addedBy: 'Clara' },
    { name: 'Safety case, extract.md', addedBy: 'Amina Rahman' },
  ]);
  expect(await browser.get('/api/user/onboarding/status')).toMatchObject({ onboardingCompleted: true });

  // The running server sees a new administrator at once.
  expect((await browser.get('/api/auth/status')).user.isAdmin).toBe(false);
  expect((await command('admin', 'grant', DEMO.toUpperCase())).code).toBe(0);
  await eventually(async () => (await browser.get('/api/auth/status')).user.isAdmin, 'the grant to be heard', 5000);

  // Erasing one member keeps the company and its decisions, without the member's name.
  const invited = await browser.post('/api/account/members', { email: 'cara@quillmere.example', roles: ['deputy'] });
  const token = new URL(invited.invitation.link).searchParams.get('invitation');
  const cara = makeBrowser(() => server.url);
  await cara.post('/api/account/invitations/accept', {
    token,
    password: PASSWORD,
    firstName: 'Cara',
    lastName: 'Lowe',
  });
  await cara.post('/api/arc-chat/send', { message: 'help' });
  const [agent] = agents;
  const list = async () => withoutMatches((await browser.get(`/api/agents/${agent.id}/interrupts`)) as Interrupt[]);
  const [open] = await list();
  await cara.patch(`/api/interrupts/${open?.id}/resolve`, { approved: false });
  expect((await list())[0]?.resolution?.by.name).toBe('Cara Lowe');

  const said = (await command('account', 'erase', 'cara@quillmere.example', '--confirm', 'cara@quillmere.example'))
    .said;
  expect(said).toContain('only the person’s data is erased');
  await expect(logIn('cara@quillmere.example')).rejects.toThrow('401');
  const [answered] = await list();
  expect(answered).toMatchObject({
    status: 'resolved',
    resolution: { outcome: 'rejected', by: { name: 'Erased person' } },
  });
  expect(answered?.resolution?.text).not.toContain('Cara');
  expect((await browser.get('/api/account/members')).members.map((one: { name: string }) => one.name)).not.toContain(
    'Cara Lowe',
  );

  const file = join(directory, 'export.jsonl.gz');
  expect(await alone('account', 'export', DEMO, file)).toMatchObject({ code: 0, said: `Written to ${file}\n` });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const lines = gunzipSync(readFileSync(file))
    .toString('utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines[0]).toMatchObject({ format: 'arc-account', version: 1, email: DEMO });
  expect(lines.find((line) => 'auditHead' in line)).toMatchObject({
    auditHead: expect.stringMatching(/^[0-9a-f]{64}$/),
    auditWhole: true,
  });
  const collections = new Set(lines.map((line) => line.collection));
  for (const name of ['messages', 'interrupts', 'hazardAnalyses', 'ledgerEntries', 'auditEvents', 'storedFiles']) {
    expect(collections).toContain(name);
  }
  expect(lines.find((line) => line.name === 'Safety case, extract.md')).toMatchObject({ base64: expect.any(String) });
  // Their name appears nowhere any more, whatever they said and decided.
  const named = lines.filter(({ document }) => document && JSON.stringify(document).includes('Cara Lowe'));
  expect(named.map(({ collection }) => collection)).toEqual([]);
  expect(lines.filter(({ collection }) => collection === 'turns').length).toBeGreaterThan(0);
  const text = JSON.stringify(lines);
  expect(text).not.toContain('argon2');
  expect(text).not.toContain('"sessions"');
  // An existing file is never overwritten, and an unknown e-mail leaves no file.
  expect((await command('account', 'export', DEMO, file)).code).toBe(1);
  const none = join(directory, 'none.gz');
  expect(await command('account', 'export', 'nobody@example.org', none)).toMatchObject({ code: 1 });
  expect(existsSync(none)).toBe(false);

  const refused = await command('account', 'erase', DEMO, '--confirm', 'somebody@example.org');
  expect(refused).toMatchObject({ code: 1, said: expect.stringContaining('1 other member loses it too.') });
  expect(refused.said).toContain('Nothing was erased.');
  expect((await browser.get('/api/user-agents')).length).toBe(2);

  const { code, said: before } = await command('auditVerify');
  expect(code).toBe(0);
  expect((await alone('account', 'erase', DEMO, '--confirm', DEMO)).said).toMatch(/Erased: \d+ documents\./);
  await eventually(
    () =>
      browser.get('/api/user-agents').then(
        () => false,
        (error: Error) => error.message.includes('401'),
      ),
    'the session to end',
    5000,
  );
  await expect(logIn(DEMO)).rejects.toThrow('401');
  // The chain is unchanged apart from one new row.
  const after = (await command('auditVerify')).said;
  const rowsOf = (said: string) => Number(/(\d+) rows, whole/.exec(said)?.[1]);
  expect(rowsOf(after)).toBe(rowsOf(before) + 1);
  // The colleague's own login still works, without any of the company's data.
  const BEN = 'ben.hughes@quillmere.example';
  const colleague = await logIn(BEN);
  expect(await colleague.get('/api/user-agents')).toEqual([]);
  expect((await command('account', 'reset', BEN)).said).toContain('The new password of');
}, 180_000);

test('a backup contains the keys only on request; a restore brings them back and overwrites none', async () => {
  const keysIn = (folder: string) => readFileSync(join(folder, 'keys.json'), 'utf8');
  const keys = JSON.parse(keysIn(directory)) as Record<string, string>;
  const [plain, full] = [join(directory, 'plain.gz'), join(directory, 'full.gz')];
  const made = await Promise.all([command('backup', plain), alone('backup', full, '--with-keys')]);
  expect(made).toMatchObject([{ code: 0 }, { code: 0, said: expect.stringContaining('with the keys') }]);
  const textOf = (file: string) => gunzipSync(readFileSync(file)).toString('utf8');
  for (const key of Object.values(keys)) {
    expect(textOf(plain)).not.toContain(key);
    expect(textOf(full)).toContain(key);
  }

  const [empty, kept] = [join(directory, 'empty'), join(directory, 'kept')];
  mkdirSync(kept);
  const own = `${JSON.stringify({ ...keys, encryptionKey: '0'.repeat(64) })}\n`;
  writeFileSync(join(kept, 'keys.json'), own);
  const restored = await Promise.all([commandIn(empty, 'restore', full), commandIn(kept, 'restore', full)]);
  expect(restored).toMatchObject([
    { code: 0, said: expect.stringContaining('The keys were restored too.') },
    { code: 0, said: expect.stringContaining('not restored: this data directory has keys.json already') },
  ]);
  expect(JSON.parse(keysIn(empty))).toEqual(keys);
  expect(statSync(join(empty, 'keys.json')).mode & 0o777).toBe(0o600);
  expect(keysIn(kept)).toBe(own);
}, 180_000);

test('a command without valid arguments prints its usage and ends with 2', async () => {
  expect(await alone('account', 'forget', 'a@example.org')).toMatchObject({
    code: 2,
    said: expect.stringContaining('export EMAIL'),
  });
  for (const verb of ['reset', 'feedback'])
    expect((await command('account', verb, 'nobody@example.org')).said).toContain('No user has the e-mail');
});

test('a plan set by command applies in the running server', async () => {
  const browser = makeBrowser(() => server.url);
  const email = 'dora@quillmere.example';
  await browser.post('/api/auth/send-signup-confirmation', { email, password: 'correct-horse-1' });
  expect(await command('admin', 'plan', email, 'gold')).toMatchObject({ code: 2 });
  expect(await command('admin', 'plan', 'nobody@quillmere.example', 'pro')).toMatchObject({ code: 1 });
  expect((await command('admin', 'plan', email, 'pro', 'until', '2099-12-31')).said).toContain(
    `${email} now has the plan pro, until 2099-12-31.`,
  );
  await eventually(async () => (await browser.get('/api/billing')).status === 'active', 'the plan to be known');
});

test('administrators are added, listed and removed, and the running server sees each change', async () => {
  const browser = makeBrowser(() => server.url);
  const email = 'eve@quillmere.example';
  await browser.post('/api/auth/send-signup-confirmation', { email, password: 'correct-horse-1' });
  const isAdmin = async () => (await browser.get('/api/auth/status')).user.isAdmin;
  const listed = async () => (await command('admin', 'list')).said.split('\n');
  expect(await listed()).not.toContain(email);
  expect(await alone('admin', 'grant', email)).toEqual({ code: 0, said: `${email} is now an administrator.\n` });
  await eventually(isAdmin, 'the grant to be heard', 5000);
  expect(await listed()).toContain(email);
  expect(await command('admin', 'revoke', email)).toEqual({
    code: 0,
    said: `${email} is no longer an administrator.\n`,
  });
  await eventually(async () => !(await isAdmin()), 'the revocation to be heard', 5000);
  const nobody = 'nobody@quillmere.example';
  const unknown = { code: 1, said: `No user has the e-mail ${nobody}.\n` };
  expect(await Promise.all(['grant', 'revoke'].map((verb) => command('admin', verb, nobody)))).toEqual([
    unknown,
    unknown,
  ]);
  const wrong = await Promise.all([command('admin', 'crown', email), command('admin', 'grant'), command('admin')]);
  expect(wrong.map(({ code }) => code)).toEqual([2, 2, 2]);
  expect(await listed()).not.toContain(email);
});

test('a manipulated audit chain is reported with its row, and the other chains as intact', async () => {
  const browser = makeBrowser(() => server.url);
  await browser.post('/api/auth/send-signup-confirmation', {
    email: 'fay@quillmere.example',
    password: 'correct-horse-1',
  });
  const { accountId } = (await browser.get('/api/auth/status')).user;
  await browser.post('/api/user-agents/hire', { agentId: 'clinical_safety' });
  await browser.post('/api/integrations/toggle', { integrationId: 'sandbox', enabled: true });
  expect(await command('auditVerify')).toMatchObject({
    code: 0,
    said: expect.stringMatching(/rows, whole[\s\S]*^release key: [0-9a-f]{64}$/m),
  });

  const store = await startEmbeddedStore({
    directory: join(directory, 'store'),
    workerFile: resolve('.cache/workers/store.js'),
  });
  const client = await MongoClient.connect(store.uri);
  const { modifiedCount } = await client
    .db('arc')
    .collection('auditEvents')
    .updateOne({ accountId, seq: 1 }, { $set: { outcome: 'something else' } });
  await client.close();
  await store.close();
  expect(modifiedCount).toBe(1);

  const { code, said } = await alone('auditVerify');
  expect(code).toBe(1);
  const broken = said.split('\n').filter((line) => line && !line.includes('whole'));
  expect(broken).toEqual([expect.stringMatching(new RegExp(`^account ${accountId}: .*\\b1\\b`))]);
});
