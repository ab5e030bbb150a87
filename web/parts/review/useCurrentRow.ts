import { useEffect, useLayoutEffect, useReducer, useRef, useState } from 'react';
import { bringIntoView, isInView } from './inView.ts';

type Move = {
  /** Where the row stood when it was pressed: it stays there while rows around it fold and unfold. */
  top?: number;
  focus?: 'line' | 'reason';
};

/**
 * The row of a review that keys act on: one at a time, marked, and never acted on while it is out of view. Needs a
 * scrolled element and rows marked with `data-line`.
 */
export function useCurrentRow(first: number, rows: number) {
  const [active, setActive] = useState(first);
  const [, redraw] = useReducer((times: number) => times + 1, 0);
  const scroller = useRef<HTMLDivElement>(null);
  const move = useRef<Move | null>(null);
  const current = useRef(active);
  current.current = active;

  const lineOf = (at: number) => scroller.current?.querySelector<HTMLElement>(`[data-line="${at}"]`) ?? null;

  // After each change of place, once the rows have their new heights.
  useLayoutEffect(() => {
    const asked = move.current;
    const view = scroller.current;
    const line = view?.querySelector<HTMLElement>(`[data-line="${active}"]`);
    if (!asked || !view || !line) return;
    move.current = null;
    if (asked.top !== undefined) view.scrollTop += line.getBoundingClientRect().top - asked.top;
    bringIntoView(line, view);
    const reason = asked.focus === 'reason' ? line.querySelector<HTMLElement>('[data-reason]') : null;
    if (asked.focus) (reason ?? line).focus({ preventScroll: true });
  });

  // The view shrinks and grows with what stands below it; the row in hand stays in it.
  useEffect(() => {
    const view = scroller.current;
    if (!view) return;
    const observer = new ResizeObserver(() => {
      const line = view.querySelector<HTMLElement>(`[data-line="${current.current}"]`);
      const box = line?.getBoundingClientRect();
      const { top, bottom } = view.getBoundingClientRect();
      if (line && box && box.top < bottom && box.bottom > top) bringIntoView(line, view);
    });
    observer.observe(view);
    return () => observer.disconnect();
  }, []);

  const go = (at: number, focus: Move['focus']) => {
    move.current = { ...(focus ? { focus } : {}) };
    setActive(Math.min(rows - 1, Math.max(0, at)));
    redraw();
  };
  return {
    active,
    scroller,
    /** Makes a row the current one, with the keyboard's focus, and shows all of it. */
    goTo: (at: number, focus: 'line' | 'reason' = 'line') => go(at, focus),
    /** Makes the row that was pressed the current one. It does not move under the pointer unless it is not all in view. */
    press: (at: number) => {
      const line = lineOf(at);
      const view = scroller.current;
      if (!line || !view) return;
      if (at !== active) {
        move.current = { top: line.getBoundingClientRect().top };
        setActive(at);
      } else if (line.getBoundingClientRect().height <= view.clientHeight) bringIntoView(line, view);
    },
    /** Whether the current row may be acted on; where it is out of view, it is shown instead. */
    isReady: (): boolean => {
      const line = lineOf(active);
      if (!line || !scroller.current || isInView(line, scroller.current)) return true;
      go(active, 'line');
      return false;
    },
  };
}
