import { makeEntry, writeZip } from '../../../engine/files/zipArchive.ts';
import { type App, KINDS } from '../apps/app.ts';
import { renderApp } from '../apps/renderApp.ts';
import { writeSteps } from './browserTest.ts';

const PACKAGE = `${JSON.stringify(
  {
    name: 'app',
    private: true,
    type: 'module',
    scripts: { test: 'playwright test' },
    devDependencies: { '@playwright/test': '^1.50.0' },
  },
  null,
  2,
)}\n`;

const SPEC = `import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, test } from '@playwright/test';
import { steps } from './steps.mjs';

const page = pathToFileURL(fileURLToPath(new URL('../index.html', import.meta.url))).href;

test('the app works, and asks the network for nothing', async ({ page: browser }) => {
  const asked = [];
  browser.on('request', (request) => asked.push(request.url()));
  await browser.goto(page);
  await steps(browser, expect);
  expect(asked).toEqual([page]);
});
`;

const readMe = ({ title, kind, fields, isDemonstration }: App): string =>
  [
    `# ${title}`,
    '',
    `${KINDS[kind]}, made by Arc from an objective, by rules and without a language model.`,
    '',
    '- Open `index.html` in a browser. It needs no server and no network.',
    '- What is typed stays in that browser. Nothing is sent, and no other browser sees it.',
    '- `npm install`, `npx playwright install chromium` and `npm test` run its browser test.',
    ...(fields.length > 0 ? ['', '## Fields', '', ...fields.map(({ label, type }) => `- ${label}: ${type}`)] : []),
    ...(isDemonstration ? ['', '**Demonstration only. Not checked for use with patients.**'] : []),
    '',
  ].join('\n');

/** The files of a project: the page, and an archive with the page, its test and how to run it. */
export function writeProject(app: App): { page: string; archive: Uint8Array } {
  const page = renderApp(app);
  const files: [string, string][] = [
    ['index.html', page],
    ['README.md', readMe(app)],
    ['package.json', PACKAGE],
    ['tests/steps.mjs', writeSteps(app)],
    ['tests/app.spec.mjs', SPEC],
  ];
  return { page, archive: writeZip(files.map(([name, content]) => makeEntry(name, content))) };
}
