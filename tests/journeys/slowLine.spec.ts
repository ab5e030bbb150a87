import type { Page } from 'playwright/test';
import { expect, test } from './journey.ts';
import { arrive, arriveAnalysed } from './person.ts';

/** 400 ms to the server and 50 kB a second, from an empty cache. */
async function slowDown(page: Page): Promise<void> {
  const devTools = await page.context().newCDPSession(page);
  await devTools.send('Network.enable');
  await devTools.send('Network.setCacheDisabled', { cacheDisabled: true });
  const throughput = { downloadThroughput: 50_000, uploadThroughput: 50_000 };
  await devTools.send('Network.emulateNetworkConditions', { offline: false, latency: 400, ...throughput });
}

/** Milliseconds until the page has shown its first words. */
const firstPaint = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        new PerformanceObserver((list) => {
          const first = list.getEntriesByName('first-contentful-paint')[0];
          if (first) resolve(first.startTime);
        }).observe({ type: 'paint', buffered: true });
      }),
  );

test('on a slow line the landing’s words are read within two seconds', async ({ page }) => {
  await slowDown(page);
  await page.goto('/', { waitUntil: 'commit' });
  await page.getByRole('heading', { name: 'Build Your AI Dream Team' }).waitFor();
  const painted = await firstPaint(page);
  expect(painted).toBeLessThan(2000);
  // The page's script takes over without another state in between.
  await expect(page.getByRole('button', { name: 'Start Agent Collaboration' })).toBeVisible({ timeout: 20_000 });
  await expect(page.getByRole('heading', { name: 'Build Your AI Dream Team' })).toHaveCount(1);
  // All that a visitor loads of scripts, compressed: a library that slips in is noticed here.
  const bytes = await page.evaluate(() =>
    (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
      .filter(({ name }) => name.endsWith('.js'))
      .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
  );
  expect(bytes).toBeGreaterThan(50_000);
  expect(bytes).toBeLessThan(130_000);
});

test('on a slow line the dashboard asks for what it reads while its scripts load, and once', async ({ page }) => {
  await arrive(page);
  await slowDown(page);
  // A socket that opens has everything read again, sooner or later: it never opens here.
  await page.routeWebSocket(/socket\.io/, () => {});
  await page.goto('/', { waitUntil: 'commit' });
  await expect(page.getByRole('region', { name: /^(Where you left off|Your first result)$/ })).toBeVisible({
    timeout: 20_000,
  });
  await expect(page.getByRole('tab', { name: 'Team' })).toBeVisible();
  const loaded = await page.evaluate(() => {
    const all = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
    const script = document.querySelector<HTMLScriptElement>('script[type="module"]')?.src;
    return {
      scriptEnd: all.find(({ name }) => name === script)?.responseEnd ?? 0,
      reads: all.map(({ name, startTime }) => ({ path: new URL(name).pathname, startTime })),
    };
  });
  for (const path of ['/api/auth/status', '/api/user/onboarding/status', '/api/user/trial/status', '/api/desk']) {
    const reads = loaded.reads.filter((read) => read.path === path);
    expect(reads, path).toHaveLength(1);
    expect(reads[0]?.startTime, path).toBeLessThan(loaded.scriptEnd);
  }
});

test('on a slow line what waits is read within four seconds, and stays until the dashboard has it', async ({
  page,
}) => {
  await arriveAnalysed(page);
  await slowDown(page);
  await page.goto('/', { waitUntil: 'commit' });
  await page.getByRole('heading', { name: 'Where you left off' }).waitFor();
  expect(await firstPaint(page)).toBeLessThan(4000);
  await expect(page.getByText(/^Hazard review, 0 of \d+$/)).toBeVisible();
  await expect(page.getByText(/^25 hazards, 7 findings to fix, coverage 3 of 69$/)).toBeVisible();
  await expect(page.getByRole('tab', { name: 'Team' })).toBeVisible({ timeout: 20_000 });
  await expect(page.getByRole('region', { name: 'Where you left off' })).toHaveCount(1);
  await expect(page.getByRole('heading', { name: 'Where you left off' })).toHaveCount(0);
});
