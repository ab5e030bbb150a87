import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { buildTests } from './runner/build.mjs';
import { builtFile } from './runner/built.mjs';
import { environmentOf, isAlone } from './runner/kinds.mjs';
import { deal } from './runner/order.mjs';
import { isToRepeat } from './runner/repeat.mjs';
import Slowest from './runner/slowest.mjs';

type File = { name: string; status: string; message: string; assertionResults: { title: string; status: string }[] };
let files: Map<string, File>;
let exit: number;

/** Runs samples as `npm run test:unit` would. */
async function runSamples(options: string[] = []) {
  const directory = mkdtempSync(join(tmpdir(), 'arc-runner-'));
  const written = join(directory, 'result.json');
  const jest = ['node_modules/jest/bin/jest.js', '--config', 'tests/runner/samples/jest.config.mjs'];
  const { code, printed } = await promisify(execFile)(
    process.execPath,
    [...jest, '-w', '1', '--json', '--outputFile', written, ...options],
    // Jest takes a variable CI for the option.
    { env: { ...process.env, CI: '', FAILED_ONCE: join(directory, 'failedOnce') } },
  ).then(
    ({ stderr }) => ({ code: 0, printed: stderr }),
    (error: { code: number; stderr: string }) => ({ code: error.code, printed: error.stderr }),
  );
  const { testResults } = JSON.parse(readFileSync(written, 'utf8')) as { testResults: File[] };
  rmSync(directory, { recursive: true, force: true });
  const files = new Map(testResults.map((file) => [/([^/]+)\.test\.ts$/.exec(file.name)?.[1] ?? '', file]));
  return { exit: code, files, printed };
}

beforeAll(async () => {
  ({ exit, files } = await runSamples());
});

const titles = (name: string) => files.get(name)?.assertionResults.map(({ title, status }) => `${title}: ${status}`);

test('a failing test fails its file and the run, next to passing and skipped ones', () => {
  expect(titles('fails')).toEqual(['passes: passed', 'fails: failed', 'is skipped: pending']);
  expect(files.get('fails')?.status).toBe('failed');
  expect(exit).toBe(1);
});

test.each([
  ['preparationFails', 'not prepared'],
  ['clearingUpFails', 'not cleared up'],
  ['hangs', 'Exceeded timeout of 50 ms'],
  ['hangs', 'The clock was real. Open: '],
  ['ends', 'The process of the test file ended with 0.'],
  ['loose', 'of nobody'],
  ['unread', 'not read'],
  ['empty', 'must contain at least one test'],
  ['missing', 'Expected one assertion to be called'],
  ['unsaid', 'Begin the file with /** @environment slack */'],
])('a file that %s fails, and reports “%s”', (name, message) => {
  expect(files.get(name)).toMatchObject({ status: 'failed', message: expect.stringContaining(message) });
});

test('the clock and mocks that one file leaves behind are restored before the next', () => {
  expect(titles('leavesClock')).toEqual([
    'leaves a mock of a fake timer behind: passed',
    'leaves a fake clock and a mock behind: passed',
  ]);
  expect(titles('takesClock')).toEqual(['gets the real clock and functions: passed']);
});

test('a file that sets the environment has a process of its own; files that declare one share a process', () => {
  const all = readdirSync('tests', { recursive: true, encoding: 'utf8' })
    .map((name) => join('tests', name))
    .filter((path) => path.endsWith('.test.ts'));
  const names = readdirSync('tests/environments').map((name) => name.replace('.ts', ''));
  for (const path of all) {
    const environment = environmentOf(path);
    expect(['plain', ...names]).toContain(environment);
    // A file that connects a database of its own can't share a process with a server that is already connected.
    const alone = environment !== 'store' && readFileSync(path, 'utf8').includes('connectTestStore(');
    if (environment !== 'plain') expect({ path, alone: isAlone(path) }).toEqual({ path, alone });
    // One that only connects a store shares a process with the others that do, if it says so.
    else if (isAlone(path))
      expect({ path, sets: readFileSync(path, 'utf8').includes('process.env') }).toEqual({ path, sets: true });
  }
  expect(isAlone('tests/api/rates.test.ts')).toBe(true);
  expect(isAlone('tests/api/auth.test.ts')).toBe(false);
  expect(environmentOf('tests/channels/slackTalk.test.ts')).toBe('slack');
});

test('files are scheduled by environment: those that need their own process first, those without an environment last', () => {
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
  // Two processes take an environment each and stay with it; the last file goes to whichever is free.
  expect([given(), given()]).toEqual(['channels/slackTalk', 'channels/teamsTalk']);
  expect([given('slack'), given('teams')]).toEqual(['channels/slackWords', 'api/auth']);
  expect(given('slack')).toBeUndefined();
});

test('test files are built with their shared modules before they run, if all of them build', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'arc-runner-'));
  const sample = resolve('tests/runner/samples/fails.test.ts');
  const broken = join(directory, 'broken.test.ts');
  writeFileSync(broken, 'import { nothing } from "./nowhere.ts";\nnothing();\n');
  const built = await buildTests([sample]);
  expect(readFileSync(builtFile(String(built), sample), 'utf8')).toContain('fails');
  // Files that don't build are loaded from source, and the one with the error reports it.
  expect(await buildTests([sample, broken])).toBeNull();
  for (const left of [directory, String(built)]) rmSync(left, { recursive: true });
});

test('a file that takes more than 15 s of processor time, or its share of a slower run, fails it, unless LONG names it with a reason', () => {
  const directory = mkdtempSync(join(tmpdir(), 'arc-runner-'));
  const errorOf = (file: string, seconds: number, processor: number, others = 0) => {
    const reporter = new Slowest({ rootDir: '/arc' }, { durations: join(directory, 'durations.json') });
    const perfStats = { start: 0, end: seconds * 1000 };
    const taken = { testFilePath: `/arc/${file}`, perfStats, processor: processor * 1000 };
    const rest = { testFilePath: '/arc/tests/engine/storm.test.ts', perfStats, processor: others * 1000 };
    reporter.onRunComplete(undefined, { testResults: [taken, rest] });
    return reporter.getLastError()?.message;
  };
  const said = jest.spyOn(console, 'error').mockImplementation(() => undefined);
  expect(errorOf('tests/a.test.ts', 20, 15.1)).toMatch(/^More than 15 s .*tests\/a\.test\.ts \(15\.1 s\)/);
  expect(said).toHaveBeenCalledWith(expect.stringContaining('tests/a.test.ts'));
  // A busy machine makes every file take longer by the clock, which does not count.
  expect(errorOf('tests/a.test.ts', 90, 14.9)).toBeUndefined();
  expect(errorOf('tests/engine/storm.test.ts', 90, 40)).toBeUndefined();
  // Of a run of 880 s of processor time, twice as slow as a quiet machine's, twice as much.
  expect(errorOf('tests/a.test.ts', 90, 30, 851)).toBeUndefined();
  expect(errorOf('tests/a.test.ts', 90, 30.1, 849)).toMatch(/^More than 30 s .*\(30\.1 s\)/);
  rmSync(directory, { recursive: true });
});

describe('a file that fails once', () => {
  test('fails a run outside CI', () => {
    expect(titles('failsOnce')).toEqual(['fails the first time: failed']);
  });

  test('runs again at the end in CI, which prints how it failed first and that it is unsteady', async () => {
    const run = await runSamples(['--ci', '--testPathPatterns', 'samples/failsOnce']);
    expect(run.exit).toBe(0);
    expect(run.files.get('failsOnce')?.status).toBe('passed');
    expect(run.printed).toContain('failed the first time');
    expect(run.printed).toMatch(/UNSTEADY, failed and then passed: .*failsOnce\.test\.ts/);
  });

  test('stays failed in CI if it fails again', async () => {
    const run = await runSamples(['--ci', '--testPathPatterns', 'samples/(hangs|ends)']);
    expect(run.exit).toBe(1);
    expect([...run.files.values()].map(({ status }) => status)).toEqual(['failed', 'failed']);
    expect(run.printed).not.toContain('UNSTEADY');
  });

  test('is one of three at most: more than three are no accident', () => {
    expect(isToRepeat([1, 2, 3], { ci: true })).toBe(true);
    expect(isToRepeat([1, 2, 3, 4], { ci: true })).toBe(false);
    expect(isToRepeat([1], { ci: false })).toBe(false);
  });
});
