import { useEffect, useRef } from 'react';
import { useLocation, useNavigationType } from 'react-router-dom';

/** How long a page that is gone back to may take until it is long enough. */
const RESTORE_MS = 2000;

/** By history entry: how far its page was scrolled. */
const positions = new Map<string, number>();

/** Scrolls to a position as soon as the page is long enough, unless the person scrolls first. @returns stops it */
function restore(top: number): () => void {
  const until = performance.now() + RESTORE_MS;
  let frame = 0;
  const stop = () => {
    cancelAnimationFrame(frame);
    for (const event of ['wheel', 'touchstart', 'keydown', 'pointerdown']) window.removeEventListener(event, stop);
  };
  const attempt = () => {
    window.scrollTo(0, top);
    if (Math.abs(window.scrollY - top) > 1 && performance.now() < until) frame = requestAnimationFrame(attempt);
    else stop();
  };
  for (const event of ['wheel', 'touchstart', 'keydown', 'pointerdown']) window.addEventListener(event, stop);
  attempt();
  return stop;
}

/** A page, and a tab of the dashboard, begins at its top; going back or forward returns to where one was. */
export function useScrollKept(): void {
  const { pathname, hash, key } = useLocation();
  const type = useNavigationType();
  const current = useRef(key);
  // Other fragments name a place in the page, which the browser scrolls to.
  const place = pathname === '/' && hash !== '#main' ? `/${hash}` : pathname;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another place is scrolled
  useEffect(() => {
    current.current = key;
    if (type !== 'POP') window.scrollTo(0, 0);
    else if (positions.has(key)) return restore(positions.get(key) ?? 0);
  }, [place]);
  useEffect(() => {
    const remember = () => positions.set(current.current, window.scrollY);
    window.addEventListener('scroll', remember, { passive: true });
    return () => window.removeEventListener('scroll', remember);
  }, []);
}
