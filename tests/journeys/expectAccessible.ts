import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from 'playwright/test';

/** WCAG 2.2 AA and good practice (one banner, headings in order). */
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const COLOURS = ['color-contrast', 'link-in-text-block'];

/** An empty script, for when the document already contains axe, which is large. */
const EMPTY_SCRIPT = { axeSource: '0' };

async function noViolations(page: Page, where: string, choose: (axe: AxeBuilder) => AxeBuilder): Promise<void> {
  const source = (await page.evaluate(() => 'axe' in window)) ? EMPTY_SCRIPT : {};
  // Legacy mode checks this document and the frames of its own origin; there are no others.
  const axe = new AxeBuilder({ page, ...source }).options({ resultTypes: ['violations'] }).setLegacyMode();
  const { violations } = await choose(axe).analyze();
  const found = violations.map((it) => `${it.id}: ${it.nodes.map((node) => node.html.slice(0, 160)).join(' | ')}`);
  expect(found, where).toEqual([]);
}

const JUDGED = 'data-judged';

/**
 * Marks one text of each kind. Contrast depends on a text's colour and size, on the colours behind it, and on what lies
 * over or under it without being around it.
 * @returns the number of kinds
 */
const markKinds = (page: Page): Promise<number> =>
  page.evaluate((mark) => {
    const kinds = new Set<string>();
    const all = [...document.body.querySelectorAll('*')];
    const known = new Map<Element | null, string>([[null, '']]);
    const behind = (element: Element | null): string => {
      const found = known.get(element);
      if (found !== undefined) return found;
      const { backgroundColor, backgroundImage, opacity, position } = getComputedStyle(element as Element);
      const own = `${backgroundColor} ${backgroundImage} ${opacity} ${position === 'static' ? '' : position}`;
      const around = behind(element?.parentElement ?? null);
      const colours = own === 'rgba(0, 0, 0, 0) none 1 ' ? around : `${own}; ${around}`;
      known.set(element, colours);
      return colours;
    };
    const placed = all
      .filter((element) => getComputedStyle(element).position !== 'static')
      .map((element) => ({ element, box: element.getBoundingClientRect() }))
      .filter(({ box }) => box.width > 0 && box.height > 0);
    const besides = (element: Element): string => {
      const { left, right, top, bottom } = element.getBoundingClientRect();
      return placed
        .filter(({ box }) => box.left < right && box.right > left && box.top < bottom && box.bottom > top)
        .filter(({ element: other }) => !other.contains(element) && !element.contains(other))
        .map(({ element: other }) => behind(other))
        .join(' + ');
    };
    for (const element of all) {
      element.removeAttribute(mark);
      const says = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.nodeValue?.trim());
      if (!(says || element.matches('input, select, textarea')) || !element.checkVisibility()) continue;
      const { color, fontSize, fontWeight, textShadow, textDecorationLine, clipPath, clip } = getComputedStyle(element);
      // A link is compared with the text around it; disabled elements are exempt.
      const around = element.closest('a')?.parentElement;
      const link = around ? `${textDecorationLine} in ${getComputedStyle(around).color}` : '';
      const control = element.closest('label')?.control ?? element;
      const disabled = control.closest(':disabled, [aria-disabled="true"]') !== null;
      const own = [element.tagName, color, fontSize, fontWeight, textShadow, clipPath, clip, link, disabled];
      const kind = [...own, behind(element), besides(element)].join(' | ');
      if (kinds.has(kind)) continue;
      kinds.add(kind);
      element.setAttribute(mark, '');
    }
    return kinds.size;
  }, JUDGED);

/** Checks the colours of one text of each kind: those of every text take longer than all other rules together. */
async function expectColours(page: Page, where: string): Promise<void> {
  expect(await markKinds(page)).toBeGreaterThan(0);
  await noViolations(page, where, (axe) => axe.include(`[${JUDGED}]`).withRules(COLOURS));
}

/**
 * Checks a page in one visit: in light and in dark the colours of one text of each kind, in light and at 360 px every
 * other rule, and its width. The caller must have set reduced motion, so that colours are not checked in the middle of a
 * transition.
 */
export async function expectAccessible(page: Page, where: string): Promise<void> {
  const wide = page.viewportSize() ?? { width: 1280, height: 720 };
  const fits = async () => {
    const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(over, `${where} is wider than the window`).toBeLessThanOrEqual(0);
  };
  await expect(page.locator('html')).toHaveCSS('color-scheme', /light/);
  await noViolations(page, `${where}, light`, (axe) => axe.withTags(TAGS).disableRules(COLOURS));
  await expectColours(page, `${where}, colours in light`);
  await fits();
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect(page.locator('html')).toHaveCSS('color-scheme', /dark/);
  await expectColours(page, `${where}, colours in dark`);
  await page.setViewportSize({ width: 360, height: 800 });
  // Where the page stands after it was drawn anew is chance, and the header may then lie over half of a button.
  await page.evaluate(() => scrollTo(0, 0));
  await noViolations(page, `${where}, 360 px`, (axe) => axe.withTags(TAGS).disableRules(COLOURS));
  await fits();
  // At once, because a page is drawn again for each.
  await Promise.all([page.emulateMedia({ colorScheme: 'light' }), page.setViewportSize(wide)]);
}
