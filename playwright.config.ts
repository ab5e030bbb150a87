import { rmSync } from 'node:fs';
import { defineConfig } from 'playwright/test';
import { BROWSER_ARGUMENTS, installedBrowser } from './tests/journeys/browser.ts';
import { makeScratch } from './tests/runner/scratch.mjs';

const port = Number(process.env.JOURNEY_PORT ?? 3397);
// Workers read this file again: they inherit the directory of the first, which removes it.
if (!process.env.JOURNEY_DATA) {
  const scratch = makeScratch();
  process.env.JOURNEY_DATA = scratch;
  process.once('exit', () => rmSync(scratch, { recursive: true, force: true }));
}
const address = `http://127.0.0.1:${port}`;

const CHANNELS = /\/(connectors|mail|payments|slack|teams)\.spec\.ts$/;
const SHOTS = /\/shots\.spec\.ts$/;

/** Journeys of a person through the pages, in a real browser, against a real server with a store of its own. */
export default defineConfig({
  testDir: './tests/journeys',
  outputDir: './test-results',
  workers: 4,
  // Tests depend on no order: they are given out one by one, so that the workers end together.
  fullyParallel: true,
  projects: [
    // These share a server of their own, which belongs to one worker.
    { name: 'channels', testMatch: CHANNELS, workers: 1, fullyParallel: false },
    { name: 'pages', testIgnore: [CHANNELS, SHOTS] },
  ],
  timeout: 60_000,
  // In CI alone (decision 017). The list names what was unsteady.
  retries: process.env.CI ? 1 : 0,
  expect: { timeout: 10_000 },
  reporter: [['list']],
  use: {
    baseURL: address,
    locale: 'en-GB',
    timezoneId: 'Europe/London',
    // Pages stand still: a frame that nobody looks at costs time. What moves is shown where a test asks for motion.
    contextOptions: { reducedMotion: 'reduce' },
    // A picture where one fails. A trace takes a third of the time: ask for one with --trace on.
    screenshot: 'only-on-failure',
    launchOptions: { executablePath: installedBrowser(), args: BROWSER_ARGUMENTS },
  },
  webServer: {
    command: 'node start.mjs',
    cwd: import.meta.dirname,
    url: `${address}/readyz`,
    timeout: 120_000,
    reuseExistingServer: false,
    env: {
      PORT: String(port),
      DATA_DIR: process.env.JOURNEY_DATA,
      RATE_LIMIT_FACTOR: '1000',
      MCP_REGION: 'uk',
      LOG_LEVEL: 'warn',
      BASE_URL: address,
      MONGODB_URI: '',
      SMTP_URL: '',
    },
  },
});
