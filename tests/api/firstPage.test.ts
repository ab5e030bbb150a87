import { describe, expect, test } from '@jest/globals';
import { pageForMembers, pageForVisitors } from '../../api/present/firstPage.ts';
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

describe('the page for a visitor', () => {
  const page = pageForVisitors(PAGE);
  test('has the landing’s words before the styles that would hold them up', () => {
    expect(page.indexOf(LANDING_WORDS.title)).toBeGreaterThan(page.indexOf('<body>'));
    expect(page.indexOf(LANDING_WORDS.pitch)).toBeLessThan(page.indexOf('/assets/index-1.css'));
    expect(page.match(/rel="stylesheet"/g)).toHaveLength(1);
  });
  test('says whom it is for, and keeps its script', () => {
    expect(page).toContain('<html data-visitor lang="en-GB">');
    expect(page).toContain('src="/assets/index-1.js"');
  });
  test('is left as it is where it has another form', () => expect(pageForVisitors('<p>x</p>')).toBe('<p>x</p>'));
});

describe('the page for somebody with a session', () => {
  const manifest = {
    'index.html': { file: 'assets/index-1.js' },
    'parts/shell/SignedInHeader.tsx': { file: 'assets/header.js', imports: ['index.html', '_shared.js'] },
    'pages/dashboard/DashboardPage.tsx': { file: 'assets/dash.js', css: ['assets/dash.css'], imports: ['_shared.js'] },
    '_shared.js': { file: 'assets/shared.js', imports: ['_shared.js'] },
    'pages/other.tsx': { file: 'assets/other.js' },
  };
  test('names the files of the dashboard once each, and none that it has already', () => {
    const links = [
      ...pageForMembers(PAGE, manifest).matchAll(/<link rel="(modulepreload|preload)"[^>]*href="(\/assets\/[^"]+)"/g),
    ];
    expect(links.map(([, rel, href]) => `${rel} ${href}`)).toEqual([
      'modulepreload /assets/header.js',
      'modulepreload /assets/shared.js',
      'modulepreload /assets/dash.js',
      'preload /assets/dash.css',
    ]);
  });
  test('asks at once for what the dashboard reads first', () => {
    const reads = [
      ...pageForMembers(PAGE, manifest).matchAll(/<link rel="preload" as="fetch" crossorigin href="([^"]+)"/g),
    ];
    expect(reads.map(([, path]) => path)).toEqual([
      '/api/auth/status',
      '/api/user/onboarding/status',
      '/api/user/trial/status',
      '/api/oauth/status/all',
      '/api/user-agents',
      '/api/desk',
    ]);
  });
  test('is the page itself without a manifest', () =>
    expect(pageForMembers(PAGE, {})).toContain('<div id="root"></div>'));
});
