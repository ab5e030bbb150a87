import { type RefObject, useEffect } from 'react';

/**
 * Keeps in the style `--covered` of a list how many pixels of its foot lie under something that sticks to the screen, so
 * that its end can be scrolled into view on screens that are lower than the list.
 * @param cover what lies over the list's foot
 * @param onChange called after each change, before the browser draws
 */
export function useCovered(
  list: RefObject<HTMLElement | null>,
  cover: RefObject<HTMLElement | null>,
  onChange: (list: HTMLElement) => void,
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the handlers of a list do the same in every render
  useEffect(() => {
    const [below, above] = [list.current, cover.current];
    if (!below || !above) return;
    let covered = 0;
    const measure = () => {
      const now = Math.max(0, Math.round(below.getBoundingClientRect().bottom - above.getBoundingClientRect().top));
      if (now === covered) return;
      covered = now;
      below.style.setProperty('--covered', `${covered}px`);
      onChange(below);
    };
    // What stands above the chat may grow, which moves it down without a scroll of the page.
    const watch = new ResizeObserver(measure);
    for (const element of [document.body, below, above]) watch.observe(element);
    window.addEventListener('scroll', measure, { passive: true });
    window.addEventListener('resize', measure);
    measure();
    return () => {
      watch.disconnect();
      window.removeEventListener('scroll', measure);
      window.removeEventListener('resize', measure);
    };
  }, []);
}
