/** The height of the site's header. */
const HEADER_PX = 54;
/** Pixels of a row that have to be in view: its title, and the first lines of its text. */
const MIN_SEEN_PX = 96;
const MIN_TEXT_PX = 40;
/** A row that begins this near to the header is as far up as it goes. */
const NEAR_HEADER_PX = 24;

/**
 * Whether the title of a row and the beginning of its text (`data-text`) are visible between the header and the bar:
 * nobody decides on a row they can't read.
 */
export function isSeen(row: HTMLElement | null, bar: HTMLElement | null): boolean {
  const top = row?.getBoundingClientRect().top ?? 0;
  if (top < HEADER_PX) return false;
  if (top <= HEADER_PX + NEAR_HEADER_PX) return true;
  const end = bar?.getBoundingClientRect().top ?? window.innerHeight;
  const text = row?.querySelector('[data-text]')?.getBoundingClientRect().top ?? top;
  return Math.max(top + MIN_SEEN_PX, text + MIN_TEXT_PX) <= end;
}
