// Run by git before a push (.githooks/pre-push): types, lint and the tests that the change can affect.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import { text } from 'node:stream/consumers';
import { readDurations } from '../runner/slowest.mjs';
import { chooseTests } from './choose.ts';
import { filesPushed } from './pushed.ts';

/** Seconds of tests over two lanes; leaves room for types, lint and one file that takes longer than last time. */
const MAX_TEST_SECONDS = 60;
const JEST = ['--disable-warning=ExperimentalWarning', 'node_modules/jest/bin/jest.js'];

/** Runs a command and captures its output. @returns whether it succeeded, with the output */
async function run(
  name: string,
  file: string,
  ...input: string[]
): Promise<{ name: string; ok: boolean; said: string }> {
  const child = spawn(file, input, { stdio: ['ignore', 'pipe', 'pipe'] });
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { name, ok: code === 0, said: out + err };
}

function relatedTests(changed: readonly string[]): string[] {
  const present = changed.filter((path) => /\.(m?[jt]sx?)$/.test(path) && existsSync(path));
  if (present.length === 0) return [];
  const listed = execFileSync(process.execPath, [...JEST, '--listTests', '--findRelatedTests', ...present], {
    encoding: 'utf8',
  });
  return listed
    .split('\n')
    .filter(Boolean)
    .map((path) => relative(process.cwd(), path));
}

const changed = filesPushed(await text(process.stdin), process.argv[2] ?? 'origin');
if (changed.length > 0) {
  if (execFileSync('git', ['status', '--porcelain']).length > 0)
    console.log('Uncommitted changes are present: the working tree is checked with them.');
  const { run: chosen, left } = chooseTests(relatedTests(changed), changed, readDurations(), MAX_TEST_SECONDS);
  console.log(`Checking types, lint and ${chosen.length} related test files …`);
  const results = await Promise.all([
    run('types', process.execPath, 'node_modules/typescript/bin/tsc', '--noEmit', '--checkers', '1'),
    run('lint', process.execPath, 'node_modules/@biomejs/biome/bin/biome', 'check', '.'),
    ...(chosen.length > 0 ? [run('tests', process.execPath, ...JEST, '--runTestsByPath', ...chosen)] : []),
  ]);
  for (const { name, said } of results.filter(({ ok }) => !ok))
    console.error(`\n${said.trim()}\n\nNot pushed: ${name}.`);
  if (left.length > 0) console.log(`${left.length} more test files are related; \`npm test\` runs them.`);
  if (results.some(({ ok }) => !ok)) process.exitCode = 1;
}
