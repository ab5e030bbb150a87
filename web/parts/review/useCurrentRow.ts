import { useEffect, useLayoutEffect, useReducer, useRef, useState } from 'react';
import { bringIntoView, isInView } from './inView.ts';
import { type Focus, focusPart } from './place.ts';

type Move = {
  /** Position of the row when it was pressed, kept while rows around it expand or collapse. */
  top?: number;
  focus?: Focus;
};

/**
 * The current row of a review, which keys act on, but never while it is out of view. Needs a scrolled element and rows
 * marked with `data-line`.
 */
export function useCurrentRow(first: number, rows: number) {
  const [active, setActive] = useState(first);
  const [, redraw] = useReducer((times: number) => times + 1, 0);
  const scroller = useRef<HTMLDivElement>(null);
  const move = useRef<Move | null>(null);
  const current = useRef(active);
  current.current = active;

  const lineOf = (at: number) => scroller.current?.querySelector<HTMLElement>(`[data-line="${at}"]`) ?? null;

  // Runs after each move, once the rows have their new heights.
  useLayoutEffect(() => {
    const asked = move.current;
    const view = scroller.current;
    const line = view?.querySelector<HTMLElement>(`[data-line="${active}"]`);
    if (!asked || !view || !line) return;
    move.current = null;
    if (asked.top !== undefined) view.scrollTop += line.getBoundingClientRect().top - asked.top;
    bringIntoView(line, view);
    if (asked.focus && !focusPart(line, asked.focus)) line.focus({ preventScroll: true });
  });

  // Controls below the list change its height; the current row stays in view.
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
    /** Makes a row current, focuses it and scrolls it into view. */
    goTo: (at: number, focus: Focus = 'line') => go(at, focus),
    /** Makes the pressed row current. It stays under the pointer unless part of it is out of view. */
    press: (at: number) => {
      const line = lineOf(at);
      const view = scroller.current;
      if (!line || !view) return;
      if (at !== active) {
        move.current = { top: line.getBoundingClientRect().top };
        setActive(at);
      } else if (line.getBoundingClientRect().height <= view.clientHeight) bringIntoView(line, view);
    },
    /** Whether the current row is in view and may be acted on; if not, scrolls to it. */
    isReady: (): boolean => {
      const line = lineOf(active);
      if (!line || !scroller.current || isInView(line, scroller.current)) return true;
      go(active, 'line');
      return false;
    },
  };
}
