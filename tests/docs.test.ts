import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { RULES } from '../bot/agents/clinical_safety/findings/findFindings.ts';
import { NHS_MATRIX } from '../bot/agents/clinical_safety/reading/riskMatrix.ts';
import { PRODUCT_VERSION } from '../models/contracts/productVersion.ts';
import { listSources } from './factories/sources.ts';

const decisions = readdirSync('docs/decisions').sort();

test('decisions are numbered without gaps', () =>
  expect(decisions.map((name) => Number(name.slice(0, 3)))).toEqual(decisions.map((_, index) => index + 1)));

test.each(decisions)('decision %s gives its number, its date and its status', (name) => {
  const [title = '', empty, status = ''] = readFileSync(join('docs/decisions', name), 'utf8').split('\n');
  expect(title).toMatch(new RegExp(`^# ${name.slice(0, 3)}: \\S`));
  expect(empty).toBe('');
  expect(status).toMatch(/^2026-\d\d-\d\d, (accepted|superseded by \d{3})$/);
});

test('the changelog is grouped by release, newest first, with each line under its kind of change', () => {
  const lines = readFileSync('CHANGELOG.md', 'utf8').split('\n');
  const releases = lines.flatMap((line) => /^## (\d+\.\d+\.\d+)$/.exec(line)?.[1] ?? []);
  expect(releases).toEqual(releases.toSorted().toReversed());
  expect(lines.filter((line) => line.startsWith('## '))).toHaveLength(releases.length);
  const kinds = lines.filter((line) => line.startsWith('### ')).map((line) => line.slice(4));
  expect(kinds.filter((kind) => !['Added', 'Changed', 'Fixed', 'Removed', 'Security'].includes(kind))).toEqual([]);
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { version: string };
  expect([version, lock.version, PRODUCT_VERSION]).toEqual([releases[0], releases[0], releases[0]]);
});

test.each([
  'README.md',
  'ARCHITECTURE.md',
  'CHANGELOG.md',
  'SECURITY.md',
  'CONTRIBUTING.md',
  'docs/clinical-safety.md',
  'docs/platforms.md',
  'docs/slack.md',
  'docs/teams.md',
])('every link in %s to a file of the repository works', (page) => {
  const links = [...readFileSync(page, 'utf8').matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, to = '']) => to);
  expect(links.filter((to) => !existsSync(join(dirname(page), to)))).toEqual([]);
});

const rowsOf = (page: string) =>
  readFileSync(page, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );

test('every rule of the analyser is documented, with its level and its clause', () => {
  const explained = rowsOf('docs/clinical-safety.md').flatMap(([rule = '', level, clause, what]) => {
    const name = /^`([a-z-]+)`$/.exec(rule)?.[1];
    return name && what ? [`${name} ${level} ${clause}`] : [];
  });
  expect(explained.toSorted()).toEqual(
    RULES.map(({ name, level, clause }) => `${name} ${level} ${clause ?? '–'}`).toSorted(),
  );
});

test('the documented matrix is the one that the analyser uses', () => {
  const { severities, likelihoods, cells } = NHS_MATRIX;
  const printed = rowsOf('docs/clinical-safety.md');
  expect(printed).toContainEqual(['likelihood', ...severities]);
  for (const [at, likelihood] of likelihoods.entries())
    expect(printed).toContainEqual([likelihood, ...(cells[at] ?? []).map(String)]);
});

test('every source that a comment cites is in the repository', () => {
  const product = listSources().filter((path) => !path.startsWith('tests/'));
  const texts = product.map((path) => ({ path, text: readFileSync(path, 'utf8') }));
  const elsewhere = texts.filter(({ text }) =>
    /\b[Dd]omain \d|\(DESIGN\b|facts of the (?:platform|protocol)/.test(text),
  );
  expect(elsewhere.map(({ path }) => path)).toEqual([]);
  const cited = texts.flatMap(({ text }) => [...text.matchAll(/\bdocs\/[\w/-]+\.(?:md|rows)/g)].map(([page]) => page));
  expect(cited).toContain('docs/platforms.md');
  expect([...new Set(cited)].filter((page) => !existsSync(page))).toEqual([]);
});
