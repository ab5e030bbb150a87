import { useEffect } from 'react';

const DIALOG = '[role="dialog"]';

/**
 * When a dialog closes, returns the focus to the control that it was opened from.
 * When the focused control disappears (a completed step, an answered question, a page that is left), moves the focus to
 * the nearest remaining ancestor that is focusable or contains an element marked `data-focus-home`, or else to `#main`.
 */
export function useFocusKept(): void {
  useEffect(() => {
    let last: HTMLElement | null = null;
    let around: HTMLElement[] = [];
    let byTouch = false;
    /** By dialog: the control that had the focus before it opened. */
    const openers = new WeakMap<Element, HTMLElement>();

    const onFocusIn = (event: FocusEvent) => {
      const target = event.target as HTMLElement;
      const dialog = target.closest(DIALOG);
      if (dialog && last && !dialog.contains(last) && !openers.has(dialog)) openers.set(dialog, last);
      last = target;
      around = [];
      for (let one = last.parentElement; one && one !== document.body; one = one.parentElement) around.push(one);
    };
    const onPointerDown = (event: PointerEvent) => {
      byTouch = event.pointerType === 'touch';
      // A press outside all controls removes the focus on purpose.
      if (!(event.target as Element).closest('button, a, input, textarea, select, summary, [tabindex]')) last = null;
    };
    const onKeyDown = () => {
      byTouch = false;
    };
    const keep = () => {
      // On a touch screen a focused field would bring up the keyboard over the page.
      if (!last || byTouch || document.activeElement !== document.body) return;
      if (last.isConnected && !last.matches(':disabled')) return;
      const closed = around.find((it) => it.matches(DIALOG) && !it.isConnected);
      const opener = closed && openers.get(closed);
      if (opener?.isConnected && !opener.matches(':disabled')) return opener.focus({ preventScroll: true });
      for (const place of around.filter((it) => it.isConnected)) {
        const home = place.matches('[tabindex]') ? place : place.querySelector<HTMLElement>('[data-focus-home]');
        if (home) return home.focus({ preventScroll: true });
      }
      document.getElementById('main')?.focus({ preventScroll: true });
    };
    const observer = new MutationObserver(keep);
    observer.observe(document.body, {
      childList: true,
      subtree: true,
      attributes: true,
      attributeFilter: ['disabled'],
    });
    document.addEventListener('focusin', onFocusIn);
    document.addEventListener('pointerdown', onPointerDown);
    document.addEventListener('keydown', onKeyDown, true);
    return () => {
      observer.disconnect();
      document.removeEventListener('focusin', onFocusIn);
      document.removeEventListener('pointerdown', onPointerDown);
      document.removeEventListener('keydown', onKeyDown, true);
    };
  }, []);
}
