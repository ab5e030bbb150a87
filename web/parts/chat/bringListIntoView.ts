/** Pixels of the list that are enough to read what comes next. */
const ENOUGH = 160;
/** The page's header, which stays on the screen. */
const HEADER = 54;

/**
 * Moves the page up where hardly anything of a list is in view, as on a phone whose page was scrolled to its end: an
 * answer would appear above the screen.
 * @param foot what stands below the list, and ends at the end of the screen afterwards
 */
export function bringListIntoView(list: HTMLElement | null, foot: HTMLElement | null): void {
  if (!list || !foot) return;
  const from = Math.max(list.getBoundingClientRect().top, HEADER);
  if (foot.getBoundingClientRect().top - from < ENOUGH) foot.scrollIntoView({ block: 'end' });
}
