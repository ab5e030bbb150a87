import { existsSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { pageWithDesk } from '../../api/present/deskPage.ts';
import { pageForVisitors, pagesForMembers } from '../../api/present/firstPage.ts';
import { PAGE_LOADS } from '../../api/present/pageLoads.ts';
import { agents } from '../../bot/agents/index.ts';
import type { DashboardState } from '../../models/contracts/dashboardTabs.ts';
import { LANDING_WORDS } from '../../models/contracts/landingWords.ts';

const PAGE = `<html lang="en-GB">
  <head>
    <script type="module" crossorigin src="/assets/index-1.js"></script>
    <link rel="stylesheet" crossorigin href="/assets/index-1.css">
  </head>
  <body>
    <div id="root"></div>
  </body>
</html>`;

const NOTHING = { waiting: 0, waitingForOthers: 0, next: null, assigned: [], newest: null, nextRun: null };

/** Its styles load at once, stay first in the head (later ones win), and apply only when the script says so. */
function expectStylesHeld(page: string): void {
  expect(page.match(/rel="stylesheet"/g)).toHaveLength(1);
  const held = page.indexOf('<link rel="stylesheet" media="print" data-held crossorigin href="/assets/index-1.css">');
  expect(held).toBeGreaterThan(page.indexOf('<link rel="preload" as="style" crossorigin href="/assets/index-1.css">'));
  expect(held).toBeLessThan(page.indexOf('</head>'));
}

describe('the page for a visitor', () => {
  const page = pageForVisitors(PAGE, { 'pages/landing/LandingPage.tsx': { file: 'assets/landing.js' } });
  test('has the landing’s words, and no styles that hold them up', () => {
    expect(page.indexOf(LANDING_WORDS.title)).toBeGreaterThan(page.indexOf('<body>'));
    expect(page.indexOf(LANDING_WORDS.pitch)).toBeLessThan(page.indexOf('</body>'));
    expectStylesHeld(page);
  });
  test('says whom it is for, and keeps its script', () => {
    expect(page).toContain('<html data-visitor lang="en-GB">');
    expect(page).toContain('src="/assets/index-1.js"');
  });
  test('names the landing’s files, which load beside the entry script', () =>
    expect(page).toContain('<link rel="modulepreload" crossorigin href="/assets/landing.js">'));
  test('is left as it is where it has another form', () => expect(pageForVisitors('<p>x</p>', {})).toBe('<p>x</p>'));
});

describe('the page for somebody with a session', () => {
  const manifest = {
    'index.html': { file: 'assets/index-1.js' },
    'parts/shell/SignedInHeader.tsx': { file: 'assets/header.js', imports: ['index.html', '_shared.js'] },
    'pages/dashboard/DashboardPage.tsx': { file: 'assets/dash.js', css: ['assets/dash.css'], imports: ['_shared.js'] },
    '_shared.js': { file: 'assets/shared.js', imports: ['_shared.js'] },
    'pages/other.tsx': { file: 'assets/other.js' },
  };
  const things = { path: '/things/:id', modules: ['pages/other.tsx'], reads: [{ path: '/api/things/:id' }] };
  const pageAt = pagesForMembers(PAGE, manifest, [...PAGE_LOADS, things]);
  const linked = (page: string) =>
    [...page.matchAll(/<link rel="(?:module)?preload"[^>]*href="([^"]+)"/g)].map(([, href]) => href);
  test('names the files of the dashboard once each, and none that it has already', () => {
    const links = [...pageAt('/').matchAll(/<link rel="(modulepreload|preload)"[^>]*href="(\/assets\/[^"]+)"/g)];
    expect(links.map(([, rel, href]) => `${rel} ${href}`)).toEqual([
      'modulepreload /assets/header.js',
      'modulepreload /assets/shared.js',
      'modulepreload /assets/dash.js',
      'preload /assets/dash.css',
    ]);
  });
  test('asks at once for what the dashboard reads first', () => {
    const reads = [...pageAt('/').matchAll(/<link rel="preload" as="fetch" crossorigin href="([^"]+)"/g)];
    expect(reads.map(([, path]) => path)).toEqual([
      '/api/auth/status',
      '/api/user-agents',
      '/api/user/onboarding/status',
      '/api/user/trial/status',
      '/api/oauth/status/all',
      '/api/desk',
    ]);
  });
  test('names the files and reads of the very thing that its address is of', () =>
    expect(linked(pageAt('/things/12'))).toEqual([
      '/assets/header.js',
      '/assets/shared.js',
      '/assets/other.js',
      '/api/auth/status',
      '/api/user-agents',
      '/api/things/12',
    ]));
  test.each([
    '/things',
    '/things/',
    '/things/0',
    '/things/12/print',
    '/things/%22%3E%3Cscript%3E',
    '/things/1"><script>',
    '/elsewhere',
  ])('is the page itself at %s', (address) => expect(pageAt(address)).toBe(PAGE));
  test('is the page itself without a manifest', () => expect(pagesForMembers(PAGE, {}, PAGE_LOADS)('/')).toBe(PAGE));
  test('names files that there are', () => {
    const modules = [...PAGE_LOADS, ...agents.flatMap(({ pageLoads = [] }) => pageLoads)].flatMap((it) => it.modules);
    expect(modules.length).toBeGreaterThan(PAGE_LOADS.length);
    for (const file of ['parts/shell/SignedInHeader.tsx', 'pages/landing/LandingPage.tsx', ...modules])
      expect(existsSync(`web/${file}`) ? file : `no ${file}`).toBe(file);
  });
});

/** An account that has completed its onboarding, with the chat switched on. */
const STATE: DashboardState = { onboardingCompleted: true, onboardingStep: 'completed', locked: false, chat: true };

/** The tabs of a page that may be opened, and those that may not, by their names. */
const tabsIn = (page: string) => ({
  open: [...page.matchAll(/<a href="#(\w+)">(\w+)<\/a>/g)].map(([, tab, name]) => `${tab} ${name}`),
  closed: [...page.matchAll(/<span class="soft">(\w+)<\/span>/g)].map(([, name]) => name),
});

describe('the page for somebody who comes back', () => {
  const desk = {
    waiting: 3,
    waitingForOthers: 0,
    next: { interruptId: 7, agentName: 'Clara', label: 'Hazard review', progress: { decided: 3, of: 18 } },
    assigned: [],
    newest: {
      title: '<script>alert(1)</script>.xlsx',
      figures: [
        { label: 'hazards', value: '25' },
        { label: 'coverage', value: '3 of 69' },
      ],
      changed: null,
      at: '2026-07-01T12:00:00.000Z',
      path: '/analyses/4',
    },
    nextRun: { name: 'Weekly & more', at: '2026-07-06T08:00:00.000Z' },
  };
  const page = pageWithDesk(PAGE, desk, STATE, 'Europe/London');

  test('says what waits, the newest result and the next run, and no styles hold them up', () => {
    for (const words of [
      'Hazard review, 3 of 18',
      'Clara, and 2 more',
      '25 hazards, coverage 3 of 69',
      '1 Jul 2026, 13:00',
      '6 Jul 2026, 09:00',
      'Weekly &amp; more',
    ])
      expect(page).toContain(words);
    expectStylesHeld(page);
  });
  test('goes on, before any script has loaded, with what waits', () => {
    expect(page).toContain('<a class="go" href="/agent-inbox?interrupt=7">Continue</a>');
    expect(page).toContain('<a href="/analyses/4">25 hazards, coverage 3 of 69</a>');
    const given = { assigned: [{ text: '2 findings assigned to you', path: '/analyses/4?show=findings&mine' }] };
    expect(pageWithDesk(PAGE, { ...NOTHING, ...given }, STATE, 'Europe/London')).toContain(
      '<a class="go" href="/analyses/4?show=findings&amp;mine">Continue</a>',
    );
  });
  test('has no markup of the company’s', () => {
    expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;.xlsx');
    expect(page).not.toContain('<script>alert');
  });
  test('shows the times of the company’s zone', () =>
    expect(pageWithDesk(PAGE, desk, STATE, 'Europe/Berlin')).toContain('1 Jul 2026, 14:00'));
  test.each([
    ['work that was given to them', { assigned: [{ text: '2 findings assigned to you', path: '/x' }] }, '2 findings'],
    ['a result alone', { newest: desk.newest }, 'Nothing'],
    ['a run alone', { nextRun: desk.nextRun }, 'No analysis so far'],
  ])('says %s', (_, more, words) =>
    expect(pageWithDesk(PAGE, { ...NOTHING, ...more }, STATE, 'Europe/London')).toContain(words),
  );
  test('has the dashboard’s tabs as links', () =>
    expect(tabsIn(page)).toEqual({
      open: ['preferences Preferences', 'team Team', 'integrations Integrations', 'billing Billing', 'chat Chat'],
      closed: [],
    }));
  test('has the tabs alone where there is nothing to come back to', () => {
    const quiet = pageWithDesk(PAGE, { ...NOTHING, waitingForOthers: 2 }, STATE, 'Europe/London');
    expect(quiet).toContain('<h1>Dashboard</h1><nav aria-label="Dashboard">');
    expect(quiet).not.toContain('Continue');
    expectStylesHeld(quiet);
  });
  test.each<[string, Partial<DashboardState>, string[], string[]]>([
    [
      'in the onboarding what was reached',
      { onboardingCompleted: false, onboardingStep: 'team', chat: false },
      ['preferences Preferences', 'team Team'],
      ['Integrations', 'Billing'],
    ],
    [
      'billing alone once the trial is over',
      { locked: true },
      ['billing Billing'],
      ['Preferences', 'Team', 'Integrations'],
    ],
  ])('opens %s', (_, state, open, closed) =>
    expect(tabsIn(pageWithDesk(PAGE, NOTHING, { ...STATE, ...state }, 'Europe/London'))).toEqual({ open, closed }),
  );
});
