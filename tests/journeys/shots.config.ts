import { defineConfig } from 'playwright/test';
import base from '../../playwright.config.ts';

const { projects: _journeys, ...shared } = base;

/** `npm run shots`: screenshots of every page in light, in dark and 360 px wide, written to shots/. */
export default defineConfig({
  ...shared,
  testDir: '.',
  testIgnore: [],
  testMatch: /shots\.spec\.ts/,
  timeout: 180_000,
});
