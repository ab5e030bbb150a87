import { defineConfig } from 'playwright/test';
import base from '../../playwright.config.ts';

/** `npm run shots`: pictures of every page in light, in dark and 360 px wide, written to shots/. */
export default defineConfig(base, { testDir: '.', testIgnore: [], testMatch: /shots\.spec\.ts/, timeout: 180_000 });
