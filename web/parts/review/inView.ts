type Span = { top: number; bottom: number };

/** The visible part of the scrolled list: below the table's sticky head. */
function viewOf(scroller: HTMLElement): Span {
  const { top, bottom } = scroller.getBoundingClientRect();
  const head = scroller.querySelector('thead');
  // On a small screen the head is only there for screen readers.
  const covered = head && getComputedStyle(head).position !== 'absolute' ? head.getBoundingClientRect().height : 0;
  return { top: top + covered, bottom };
}

/** Whether all of a row is in view; one that is taller than the view has to fill at least half of it. */
export function isInView(line: HTMLElement, scroller: HTMLElement): boolean {
  const view = viewOf(scroller);
  const { top, bottom, height } = line.getBoundingClientRect();
  const room = view.bottom - view.top;
  if (height > room) return Math.min(bottom, view.bottom) - Math.max(top, view.top) >= room / 2;
  // One pixel of tolerance for fractional heights.
  return top >= view.top - 1 && bottom <= view.bottom + 1;
}

/** Scrolls just enough to show the whole row, or the top of a row that is taller than the view. */
export function bringIntoView(line: HTMLElement, scroller: HTMLElement): void {
  const view = viewOf(scroller);
  const { top, bottom, height } = line.getBoundingClientRect();
  if (top < view.top || height > view.bottom - view.top) scroller.scrollTop += top - view.top;
  else if (bottom > view.bottom) scroller.scrollTop += bottom - view.bottom;
}
