import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from 'playwright/test';

/** WCAG 2.2 AA and good practice (one banner, headings in order). */
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const COLOURS = ['color-contrast', 'link-in-text-block'];

/** A script that does nothing: axe is in the document already, and is large. */
const STANDS = { axeSource: '0' };

async function noViolations(
  { page, where, ...source }: { page: Page; where: string; axeSource?: string },
  choose: (axe: AxeBuilder) => AxeBuilder,
): Promise<void> {
  // Legacy mode looks at this document and the frames of its own origin: there are no others.
  const axe = new AxeBuilder({ page, ...source }).options({ resultTypes: ['violations'] }).setLegacyMode();
  const { violations } = await choose(axe).analyze();
  const found = violations.map((it) => `${it.id}: ${it.nodes.map((node) => node.html.slice(0, 160)).join(' | ')}`);
  expect(found, where).toEqual([]);
}

/**
 * Judges what a page shows, in one visit: in light by every rule, in dark by those of colours, and at 360 px by all but
 * those (its colours are the wide page's) and by its width. Whoever calls it has asked for reduced motion, so that
 * colours are not judged half way through a change.
 */
export async function readsWell(page: Page, where: string): Promise<void> {
  const wide = page.viewportSize() ?? { width: 1280, height: 720 };
  const fits = async () => {
    const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(over, `${where} is wider than the window`).toBeLessThanOrEqual(0);
  };
  await expect(page.locator('html')).toHaveCSS('color-scheme', /light/);
  await noViolations({ page, where: `${where}, light` }, (axe) => axe.withTags(TAGS));
  await fits();
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect(page.locator('html')).toHaveCSS('color-scheme', /dark/);
  await noViolations({ page, where: `${where}, dark`, ...STANDS }, (axe) => axe.withRules(COLOURS));
  await page.setViewportSize({ width: 360, height: 800 });
  await noViolations({ page, where: `${where}, 360 px`, ...STANDS }, (axe) => axe.withTags(TAGS).disableRules(COLOURS));
  await fits();
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(wide);
}
