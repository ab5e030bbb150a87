import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { PNG } from 'pngjs';
import { TEAMS_PACKAGE, teamsPackage } from '../../bot/channels/teams/install/appPackage.ts';
import { inflateEntry, readZipDirectory } from '../../bot/engine/files/zipArchive.ts';
import { TEAMS_ICONS, teamsManifest } from '../../manifests/teams.ts';
import { startProcess } from '../factories/process.ts';
import { teamsEnvironment } from '../fakes/teams/environment.ts';
import { startTeams } from '../fakes/teams/server.ts';

const app = {
  appId: '0f8fad5b-d9cb-469f-a165-70867728950e',
  tenantId: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
  baseUrl: 'https://arc.example.org',
};
/** The errors that Microsoft's own validator reports for each manifest. */
const validationErrors = (...manifests: object[]) =>
  JSON.parse(
    execFileSync(process.execPath, ['tests/manifests/validateManifests.mjs'], {
      input: JSON.stringify(manifests),
      encoding: 'utf8',
    }),
  ) as string[][];
const partsOf = (bytes: Buffer) => {
  const entries = readZipDirectory(bytes);
  return new Map([...entries].map(([name, entry]) => [name, Buffer.from(inflateEntry(entry))]));
};
/** Every pixel of a picture: red, green, blue, alpha. */
const pixelsOf = ({ data }: PNG) =>
  Array.from({ length: data.length / 4 }, (_, index) => [...data.subarray(index * 4, index * 4 + 4)]);

describe('the Teams manifest', () => {
  test('is valid and of version 1.24 or newer', () => {
    const manifest = teamsManifest(app);
    expect(Number(manifest.manifestVersion.split('.')[1])).toBeGreaterThanOrEqual(24);
    expect(validationErrors(manifest)).toEqual([[]]);
  });

  test('fails validation when it has an error', () => {
    const manifest = teamsManifest(app);
    const faults = validationErrors(
      { ...manifest, id: 'no guid' },
      { ...manifest, name: { short: 'x'.repeat(31), full: 'x' } },
      { ...manifest, extra: true },
    );
    for (const found of faults) expect(found).not.toEqual([]);
  });

  test('names the customer’s app, tenant and address, and no other domain', () => {
    const manifest = teamsManifest(app);
    expect(manifest).toMatchObject({
      id: app.appId,
      bots: [{ botId: app.appId, scopes: ['personal', 'team', 'groupChat'], supportsFiles: true }],
      validDomains: ['arc.example.org'],
      webApplicationInfo: { id: app.appId, resource: `api://arc.example.org/botid-${app.appId}` },
    });
    expect(teamsManifest({ ...app, baseUrl: 'https://arc.example.org:8443' })).toMatchObject({
      validDomains: ['arc.example.org:8443'],
      webApplicationInfo: { resource: `api://arc.example.org:8443/botid-${app.appId}` },
    });
    expect(manifest.staticTabs[0]?.contentUrl).toBe(`https://arc.example.org/teams-tab?tenant=${app.tenantId}`);
    const addresses = JSON.stringify(manifest).match(/https:\/\/[^/"]+/g) ?? [];
    expect(new Set(addresses)).toEqual(new Set(['https://developer.microsoft.com', 'https://arc.example.org']));
  });
});

describe('the Teams app', () => {
  const manifest = teamsManifest(app);

  test('has a version that Teams can compare, and requests only the permissions it uses', () => {
    expect(manifest.manifestVersion).toBe('1.24');
    expect(manifest.$schema).toContain('/teams/v1.24/');
    expect(manifest.version).toMatch(/^[1-9]\d*\.\d+\.\d+$/);
    expect(manifest.permissions).toEqual(['identity', 'messageTeamMembers']);
    expect(manifest.icons).toEqual({ color: 'color.png', outline: 'outline.png' });
    expect(manifest.developer).toEqual({
      name: 'Arc',
      websiteUrl: app.baseUrl,
      privacyUrl: `${app.baseUrl}/privacy-policy`,
      termsOfUseUrl: `${app.baseUrl}/terms-and-conditions`,
    });
  });

  test('is available where Arc listens: in personal chats, teams and group chats', () => {
    const [bot] = manifest.bots;
    expect(bot?.isNotificationOnly).toBe(false);
    expect(bot?.commandLists.map(({ scopes }) => scopes)).toEqual([['personal'], ['team', 'groupChat']]);
    for (const { commands } of bot?.commandLists ?? [])
      expect(commands.map(({ title }) => title.split(' ')[0])).toEqual(['help', 'inbox', 'status', 'hire', 'agent']);
    expect(manifest.staticTabs.map(({ entityId, scopes }) => [entityId, ...scopes])).toEqual([
      ['inbox', 'personal'],
      ['conversations', 'personal'],
      ['about', 'personal'],
    ]);
    expect(manifest.staticTabs[0]?.websiteUrl).toBe(`${app.baseUrl}/agent-inbox`);
  });

  test('offers in message boxes the commands that the server answers, with their fields', () => {
    const [extension] = manifest.composeExtensions;
    expect(extension?.botId).toBe(app.appId);
    const offered = extension?.commands.map(({ id, type, context, parameters }) => ({
      id,
      type,
      context,
      parameters: parameters.map(({ name }) => name),
    }));
    const search = { type: 'query', context: ['compose', 'commandBox'], parameters: ['query'] };
    expect(offered).toEqual([
      { id: 'searchHazards', ...search },
      { id: 'searchQuestions', ...search },
      { id: 'sendToAgent', type: 'action', context: ['message', 'compose', 'commandBox'], parameters: ['text'] },
    ]);
  });
});

describe('the Teams app package', () => {
  test('holds the manifest and both icons, and nothing else', () => {
    const parts = partsOf(teamsPackage(app));
    expect([...parts.keys()].sort()).toEqual(['color.png', 'manifest.json', 'outline.png']);
    expect(validationErrors(JSON.parse(String(parts.get('manifest.json'))))).toEqual([[]]);
  });

  test('contains the same icons as the manifests folder', () => {
    const parts = partsOf(teamsPackage(app));
    for (const name of Object.values(TEAMS_ICONS))
      expect(parts.get(name)?.equals(readFileSync(`manifests/${name}`))).toBe(true);
  });

  test('has a colour icon of 192 x 192, opaque, with a mark on the accent colour', () => {
    const picture = PNG.sync.read(partsOf(teamsPackage(app)).get(TEAMS_ICONS.color) as Buffer);
    expect([picture.width, picture.height]).toEqual([192, 192]);
    const pixels = pixelsOf(picture);
    expect(pixels.every(([, , , alpha]) => alpha === 255)).toBe(true);
    const colours = new Set(pixels.map((pixel) => pixel.join()));
    expect(colours.has('10,108,102,255')).toBe(true);
    expect(colours.has('255,255,255,255')).toBe(true);
  });

  test('has an outline icon of 32 x 32, white on transparent', () => {
    const picture = PNG.sync.read(partsOf(teamsPackage(app)).get(TEAMS_ICONS.outline) as Buffer);
    expect([picture.width, picture.height]).toEqual([32, 32]);
    const pixels = pixelsOf(picture);
    expect(pixels.every(([red, green, blue]) => red === 255 && green === 255 && blue === 255)).toBe(true);
    const alphas = pixels.map(([, , , alpha]) => alpha ?? 0);
    expect(alphas[0]).toBe(0);
    expect(Math.max(...alphas)).toBe(255);
  });

  /** @shows POST /api/teams/generate-manifest */
  test('is made for signed-in users, with the account’s own registration or else the deployment’s, and only with https', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'arc-package-'));
    const teams = await startTeams();
    const [own, other] = [teams.addTenant(), teams.addTenant()];
    const baseUrl = 'https://arc.example.org';
    const environment = { ...teamsEnvironment(teams, own), BASE_URL: baseUrl, TRUST_PROXY: '1' };
    const server = await startProcess(directory, environment);
    let cookie = '';
    /** A browser behind a proxy that terminates https. */
    const post = async (path: string, body: object = {}) => {
      const headers = { cookie, 'content-type': 'application/json', 'x-forwarded-proto': 'https' };
      const answer = await fetch(server.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
      cookie = /arc\.sid=[^;]+/.exec(answer.headers.getSetCookie().join())?.[0] ?? cookie;
      return answer;
    };
    try {
      expect((await post('/api/teams/generate-manifest')).status).toBe(401);
      const person = { email: 'ada@example.org', password: 'correct-horse-1', firstName: 'Ada' };
      expect((await post('/api/auth/send-signup-confirmation', person)).status).toBe(200);
      const packaged = await post('/api/teams/generate-manifest');
      expect(packaged.status).toBe(200);
      expect(packaged.headers.get('content-type')).toBe('application/zip');
      expect(packaged.headers.get('content-disposition')).toMatch(/^attachment; filename="?teams-app-package\.zip"?$/);
      const bytes = Buffer.from(await packaged.arrayBuffer());
      expect(bytes.equals(teamsPackage({ appId: own.appId, tenantId: own.id, baseUrl }))).toBe(true);
      const registration = { appId: other.appId, tenantId: other.id, appPassword: other.secret };
      expect((await post('/api/teams/connect', registration)).status).toBe(200);
      const again = Buffer.from(await (await post('/api/teams/generate-manifest')).arrayBuffer());
      expect(again.equals(teamsPackage({ appId: other.appId, tenantId: other.id, baseUrl }))).toBe(true);
      // With several registrations, the newest is used.
      const third = teams.addTenant();
      const newest = { appId: third.appId, tenantId: third.id, appPassword: third.secret };
      expect((await post('/api/teams/connect', newest)).status).toBe(200);
      const last = Buffer.from(await (await post('/api/teams/generate-manifest')).arrayBuffer());
      expect(last.equals(teamsPackage({ appId: third.appId, tenantId: third.id, baseUrl }))).toBe(true);
    } finally {
      await server.stop();
      await teams.stop();
      rmSync(directory, { recursive: true, force: true });
    }
  }, 120_000);

  test('is written by the command, which names its missing arguments', () => {
    const directory = mkdtempSync(join(tmpdir(), 'arc-manifest-'));
    const run = (...words: string[]) =>
      execFileSync(process.execPath, ['.cache/server/manifest.js', ...words], { stdio: 'pipe' });
    try {
      const out = join(directory, TEAMS_PACKAGE);
      const ids = ['--app-id', app.appId, '--tenant-id', app.tenantId];
      run('teams', '--url', app.baseUrl, ...ids, '--out', out);
      expect(readFileSync(out).equals(teamsPackage(app))).toBe(true);
      expect(() => run('teams', '--url', app.baseUrl)).toThrow(/Usage: npm run manifest/);
      expect(() => run('teams', '--url', 'http://arc.example.org', ...ids)).toThrow(/Usage/);
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  });
});
