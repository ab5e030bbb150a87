import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

const compose = readFileSync('compose.yaml', 'utf8');
const known = new Set([...readFileSync('.env.example', 'utf8').matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name));

test('the containers get only variables that Arc reads, and all that it requires', () => {
  const [, arc = ''] = /^ {2}arc:.*\n([\s\S]*?)^ {2}mongo:/m.exec(compose) ?? [];
  const [, environment = ''] = /environment:.*\n([\s\S]*?)\n {4}\S/.exec(arc) ?? [];
  const given = [...environment.matchAll(/^ {6}([A-Z_]+):/gm)].map(([, name]) => name);
  expect(given.filter((name) => !known.has(name))).toEqual([]);
  for (const name of ['MONGODB_URI', 'SESSION_SECRET', 'ENCRYPTION_KEY', 'HOST']) expect(given).toContain(name);
  // Neither key has a publicly known value.
  expect(environment).toMatch(/SESSION_SECRET: \$\{SESSION_SECRET:\?/);
  expect(environment).toMatch(/ENCRYPTION_KEY: \$\{ENCRYPTION_KEY:\?/);
});

test('two web processes behind a proxy, and two workers that differ from them by their role alone', () => {
  const [, worker = ''] = /^ {2}worker:\n([\s\S]*?)\n\n/m.exec(compose) ?? [];
  expect(worker.trim()).toBe('<<: *arc\n    environment:\n      <<: *environment\n      ROLE: worker');
  expect(compose).toMatch(/^ {2}arc: &arc\n[\s\S]*?replicas: 2\n[\s\S]*?ROLE: web\n/m);
});

test('the image copies all that it builds from, and every npm command has its file', () => {
  const left = readFileSync('.dockerignore', 'utf8').split('\n');
  for (const needed of ['build.mjs', 'start.mjs', 'vite.config.ts', 'web', 'manifests'])
    expect(left).not.toContain(needed);
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
  const files = Object.values(scripts).flatMap((script) => script.match(/[\w/.-]+\.(?:ts|mjs)\b/g) ?? []);
  for (const file of files) expect(() => readFileSync(file)).not.toThrow();
});
