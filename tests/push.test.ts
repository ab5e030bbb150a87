import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { chooseTests } from './push/choose.ts';
import { filesPushed } from './push/pushed.ts';

const NONE = '0'.repeat(40);

describe('the files that a push changes', () => {
  let directory: string;
  const git = (...input: string[]) =>
    execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@northwind.test', ...input], {
      cwd: directory,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  const commit = (name: string) => {
    writeFileSync(join(directory, name), name);
    git('add', '.');
    git('commit', '-qm', name);
    return git('rev-parse', 'HEAD');
  };
  const commits: string[] = [];

  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'arc-push-'));
    git('init', '-q', '-b', 'main');
    for (const name of ['a.ts', 'b.ts', 'c.ts']) commits.push(commit(name));
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  const pushed = (local: string, remote: string) =>
    filesPushed(`refs/heads/main ${local} refs/heads/main ${remote}\n`, 'origin', directory);

  test('are those between the remote’s commit and the pushed one', () => {
    expect(pushed(commits[2]!, commits[0]!)).toEqual(['b.ts', 'c.ts']);
    expect(pushed(commits[2]!, commits[1]!)).toEqual(['c.ts']);
  });

  test('are all files of a first branch, and for a later branch those that the remote lacks', () => {
    expect(pushed(commits[2]!, NONE)).toEqual(['a.ts', 'b.ts', 'c.ts']);
    git('update-ref', 'refs/remotes/origin/main', commits[1]!);
    expect(pushed(commits[2]!, NONE)).toEqual(['c.ts']);
    git('update-ref', '-d', 'refs/remotes/origin/main');
  });

  test('are found when the remote commit has not been fetched yet', () => {
    expect(pushed(commits[2]!, 'f'.repeat(40))).toEqual(['a.ts', 'b.ts', 'c.ts']);
  });

  test('are none when a branch is deleted or nothing is pushed', () => {
    expect(pushed(NONE, commits[1]!)).toEqual([]);
    expect(filesPushed('', 'origin', directory)).toEqual([]);
  });
});

describe('the related tests that fit into the time', () => {
  const related = [
    'tests/api/slow.test.ts',
    'tests/api/fast.test.ts',
    'tests/models/env.test.ts',
    'tests/web/new.test.ts',
  ];
  const seconds = { 'tests/api/slow.test.ts': 9, 'tests/api/fast.test.ts': 1, 'tests/models/env.test.ts': 2 };

  test('run nearest first: the changed test, those of the room, then the shortest', () => {
    const changed = ['models/env.ts', 'tests/api/slow.test.ts'];
    expect(chooseTests(related, changed, seconds, 100)).toEqual({
      run: ['tests/api/slow.test.ts', 'tests/models/env.test.ts', 'tests/api/fast.test.ts', 'tests/web/new.test.ts'],
      left: [],
    });
  });

  test('never take longer than the budget, and the others are named', () => {
    const changed = ['models/env.ts'];
    expect(chooseTests(related, changed, seconds, 3)).toEqual({
      run: ['tests/models/env.test.ts', 'tests/api/fast.test.ts'],
      left: ['tests/web/new.test.ts', 'tests/api/slow.test.ts'],
    });
    expect(chooseTests(related, changed, seconds, 2).run).toEqual(['tests/models/env.test.ts']);
  });
});

test('git finds the hook and may run it', () => {
  const mode = statSync('.githooks/pre-push').mode;
  expect((mode & 0o111) !== 0).toBe(true);
  expect(execFileSync('node', ['-p', "require('./package.json').scripts.prepare"], { encoding: 'utf8' })).toContain(
    'core.hooksPath .githooks',
  );
});

describe('a commit message', () => {
  let directory: string;
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'arc-subject-'));
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));
  const check = (message: string) => {
    const file = join(directory, 'COMMIT_EDITMSG');
    writeFileSync(file, message);
    const { status, stderr } = spawnSync('.githooks/commit-msg', [file], {
      encoding: 'utf8',
      env: { ...process.env, LC_ALL: 'C.UTF-8' },
    });
    return { status, said: stderr.trim() };
  };

  test.each([
    ['72 characters', 'a'.repeat(72)],
    ['72 characters that are no ASCII', '’'.repeat(72)],
    ['a long line in the body', `Do it\n\n${'a'.repeat(100)}\n`],
    ['a message written by git', `Merge branch '${'a'.repeat(80)}'`],
    ['a fixup of a subject that fits', `fixup! ${'a'.repeat(72)}`],
    ['a comment of git in front', `# ${'a'.repeat(80)}\nDo it`],
  ])('is accepted: %s', (_what, message) => expect(check(message)).toEqual({ status: 0, said: '' }));

  test('is refused: 73 characters, or a body that begins on the second line', () => {
    expect(check(`${'a'.repeat(73)}\n\nWhy`)).toEqual({
      status: 1,
      said: 'The subject has 73 characters, and 72 is the most: say the rest below an empty line.',
    });
    expect(check('Do it\nand more')).toEqual({
      status: 1,
      said: 'The second line has to be empty: what is above it is the subject.',
    });
  });

  test('is checked after npm ci, which points git at the hooks', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
    expect(scripts.prepare).toContain('git config core.hooksPath .githooks');
    expect(statSync('.githooks/commit-msg').mode & 0o111).toBe(0o111);
  });
});
