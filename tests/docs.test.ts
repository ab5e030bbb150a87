import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';

const decisions = readdirSync('docs/decisions').sort();

test('decisions are numbered one after the other', () =>
  expect(decisions.map((name) => Number(name.slice(0, 3)))).toEqual(decisions.map((_, index) => index + 1)));

test.each(decisions)('decision %s says its number, its date and whether it stands', (name) => {
  const [title = '', empty, status = ''] = readFileSync(join('docs/decisions', name), 'utf8').split('\n');
  expect(title).toMatch(new RegExp(`^# ${name.slice(0, 3)}: \\S`));
  expect(empty).toBe('');
  expect(status).toMatch(/^2026-\d\d-\d\d, (accepted|superseded by \d{3})$/);
});

test('the changelog is by release, the newest first, and each line stands under what kind of change it is', () => {
  const lines = readFileSync('CHANGELOG.md', 'utf8').split('\n');
  const releases = lines.flatMap((line) => /^## (\d+\.\d+\.\d+)( \(not released yet\))?$/.exec(line)?.[1] ?? []);
  expect(releases).toEqual(releases.toSorted().toReversed());
  expect(lines.filter((line) => line.startsWith('## '))).toHaveLength(releases.length);
  const kinds = lines.filter((line) => line.startsWith('### ')).map((line) => line.slice(4));
  expect(kinds.filter((kind) => !['Added', 'Changed', 'Fixed', 'Removed', 'Security'].includes(kind))).toEqual([]);
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  expect(releases).toContain(version);
});

test.each([
  'README.md',
  'ARCHITECTURE.md',
  'CHANGELOG.md',
  'SECURITY.md',
  'CONTRIBUTING.md',
  'docs/slack.md',
  'docs/teams.md',
])('what %s links to in the repository is there', (page) => {
  const links = [...readFileSync(page, 'utf8').matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, to = '']) => to);
  expect(links.filter((to) => !existsSync(join(dirname(page), to)))).toEqual([]);
});
