import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, jest, test } from '@jest/globals';
import { buildTests } from './runner/build.mjs';
import { builtFile } from './runner/built.mjs';
import { environmentOf, isAlone } from './runner/kinds.mjs';
import { deal } from './runner/order.mjs';
import Slowest from './runner/slowest.mjs';

type File = { name: string; status: string; message: string; assertionResults: { title: string; status: string }[] };
let files: Map<string, File>;
let exit: number;

beforeAll(async () => {
  const directory = mkdtempSync(join(tmpdir(), 'arc-runner-'));
  const written = join(directory, 'result.json');
  const jest = ['node_modules/jest/bin/jest.js', '--config', 'tests/runner/samples/jest.config.mjs'];
  const run = promisify(execFile)(process.execPath, [...jest, '-w', '1', '--json', '--outputFile', written]);
  exit = await run.then(
    () => 0,
    (error: { code: number }) => error.code,
  );
  const { testResults } = JSON.parse(readFileSync(written, 'utf8')) as { testResults: File[] };
  files = new Map(testResults.map((file) => [/([^/]+)\.test\.ts$/.exec(file.name)?.[1] ?? '', file]));
  rmSync(directory, { recursive: true, force: true });
});

const titles = (name: string) => files.get(name)?.assertionResults.map(({ title, status }) => `${title}: ${status}`);

test('a test that fails fails its file and the run, beside one that passes and one that is skipped', () => {
  expect(titles('fails')).toEqual(['passes: passed', 'fails: failed', 'is skipped: pending']);
  expect(files.get('fails')?.status).toBe('failed');
  expect(exit).toBe(1);
});

test.each([
  ['preparationFails', 'not prepared'],
  ['clearingUpFails', 'not cleared up'],
  ['hangs', 'Exceeded timeout of 50 ms'],
  ['ends', 'The process of the test file ended with 0.'],
  ['loose', 'of nobody'],
  ['unread', 'not read'],
  ['empty', 'must contain at least one test'],
  ['missing', 'Expected one assertion to be called'],
  ['unsaid', 'Begin the file with /** @environment slack */'],
])('a file that %s fails, and says “%s”', (name, message) => {
  expect(files.get(name)).toMatchObject({ status: 'failed', message: expect.stringContaining(message) });
});

test('a clock and a mock that one file leaves are put back for the next', () => {
  expect(titles('leavesClock')).toEqual(['leaves its clock and its mocks: passed']);
  expect(titles('takesClock')).toEqual(['meets the real ones: passed']);
});

test('a file that sets the environment itself is alone; one that says which it needs shares a process with its kind', () => {
  const all = readdirSync('tests', { recursive: true, encoding: 'utf8' })
    .map((name) => join('tests', name))
    .filter((path) => path.endsWith('.test.ts'));
  const names = readdirSync('tests/environments').map((name) => name.replace('.ts', ''));
  for (const path of all) {
    const environment = environmentOf(path);
    expect(['plain', ...names]).toContain(environment);
    // What connects a database of its own can't share a process with a server that is connected already.
    const alone = environment !== 'store' && readFileSync(path, 'utf8').includes('connectTestStore(');
    if (environment !== 'plain') expect({ path, alone: isAlone(path) }).toEqual({ path, alone });
  }
  expect(isAlone('tests/api/rates.test.ts')).toBe(true);
  expect(isAlone('tests/api/auth.test.ts')).toBe(false);
  expect(environmentOf('tests/channels/slackTalk.test.ts')).toBe('slack');
});

test('files are dealt by environment, those alone first, those of no environment last', () => {
  const paths = [
    'api/auth',
    'channels/slackTalk',
    'api/rates',
    'channels/slackWords',
    'channels/teamsTalk',
    'api/admin',
  ];
  const next = deal(paths.map((name, index) => ({ path: `tests/${name}.test.ts`, duration: 10 - index, context: {} })));
  const given = (standing?: string) => next(standing)?.test.path.slice('tests/'.length, -'.test.ts'.length);
  expect([given(), given()]).toEqual(['api/rates', 'api/admin']);
  // Two processes take an environment each, and go on with it; the last file is for whoever is free.
  expect([given(), given()]).toEqual(['channels/slackTalk', 'channels/teamsTalk']);
  expect([given('slack'), given('teams')]).toEqual(['channels/slackWords', 'api/auth']);
  expect(given('slack')).toBeUndefined();
});

test('files are built with what they share before they are run, where all of them can be', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'arc-runner-'));
  const sample = resolve('tests/runner/samples/fails.test.ts');
  const broken = join(directory, 'broken.test.ts');
  writeFileSync(broken, 'import { nothing } from "./nowhere.ts";\nnothing();\n');
  const built = await buildTests([sample]);
  expect(readFileSync(builtFile(String(built), sample), 'utf8')).toContain('fails');
  // What can't be built is read as it stands, and says itself what is wrong with it.
  expect(await buildTests([sample, broken])).toBeNull();
  for (const left of [directory, String(built)]) rmSync(left, { recursive: true });
});

test('a file that takes more than 15 s of a processor fails the run, unless it is named with its reason', () => {
  const directory = mkdtempSync(join(tmpdir(), 'arc-runner-'));
  const errorOf = (file: string, seconds: number, processor: number) => {
    const reporter = new Slowest({ rootDir: '/arc' }, { durations: join(directory, 'durations.json') });
    const perfStats = { start: 0, end: seconds * 1000 };
    const taken = { testFilePath: `/arc/${file}`, perfStats, processor: processor * 1000 };
    reporter.onRunComplete(undefined, { testResults: [taken] });
    return reporter.getLastError()?.message;
  };
  const said = jest.spyOn(console, 'error').mockImplementation(() => undefined);
  expect(errorOf('tests/a.test.ts', 20, 15.1)).toMatch(/^More than 15 s .*tests\/a\.test\.ts \(15\.1 s\)/);
  expect(said).toHaveBeenCalledWith(expect.stringContaining('tests/a.test.ts'));
  // A machine that does other things too makes every file longer, and none too long.
  expect(errorOf('tests/a.test.ts', 90, 14.9)).toBeUndefined();
  expect(errorOf('tests/engine/storm.test.ts', 90, 40)).toBeUndefined();
  rmSync(directory, { recursive: true });
});
