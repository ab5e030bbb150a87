import type { Page } from 'playwright/test';

/** The printable width of an A4 sheet with margins of 14 mm, in CSS pixels. */
const SHEET_WIDTH = 688;

/** The lines of a text that hold a single letter, as squeezed columns give. */
export const squeezedLines = (pages: readonly string[]): string[] =>
  pages.flatMap((page) => page.split('\n')).filter((line) => /^\s*\p{L}\s*$/u.test(line));

/**
 * Words that a line break splits when the page is laid out on A4, and how many words there are. Long ids, cells and
 * digests may be split.
 */
export async function splitWords(page: Page): Promise<{ words: number; split: string[] }> {
  const size = page.viewportSize() ?? { width: 1280, height: 720 };
  await page.emulateMedia({ media: 'print' });
  await page.setViewportSize({ width: SHEET_WIDTH, height: 1000 });
  const found = await page.evaluate(() => {
    const split: string[] = [];
    let words = 0;
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (!node.parentElement?.checkVisibility() || node.parentElement.closest('style, script')) continue;
      for (const { 0: word, index } of (node.nodeValue ?? '').matchAll(/(?<![\w-])\p{L}{3,24}(?![\w-])/gu)) {
        const range = document.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        const tops = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
        words += 1;
        if (tops.size > 1) split.push(word);
      }
    }
    return { words, split };
  });
  await page.setViewportSize(size);
  await page.emulateMedia({ media: null });
  return found;
}
