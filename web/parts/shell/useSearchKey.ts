import { useEffect, useRef, useState } from 'react';

const isSearchKey = (event: KeyboardEvent) =>
  event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey;

/**
 * Opens the search on Ctrl+K. Keys pressed before its field has the focus are kept for it, because the page below
 * would act on them: an A typed in a review accepts a row.
 * @returns `takeTyped`: what was typed until now; from then on keys go where the focus is
 */
export function useSearchKey() {
  const [isSearching, setSearching] = useState(false);
  // null: the search is closed, or its field takes the keys.
  const typed = useRef<string | null>(null);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (isSearchKey(event)) {
        event.preventDefault();
        if (!isSearching) typed.current ??= '';
        setSearching(true);
        return;
      }
      if (typed.current === null || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === 'Escape') {
        typed.current = null;
        setSearching(false);
      } else if (event.key === 'Backspace') typed.current = typed.current.slice(0, -1);
      else if (event.key.length === 1) typed.current += event.key;
      event.preventDefault();
      event.stopPropagation();
    };
    // Before any part of the page: they listen further down.
    window.addEventListener('keydown', onKeyDown, { capture: true });
    return () => window.removeEventListener('keydown', onKeyDown, { capture: true });
  }, [isSearching]);
  return {
    isSearching,
    open: () => {
      typed.current = '';
      setSearching(true);
    },
    close: () => {
      typed.current = null;
      setSearching(false);
    },
    takeTyped: (): string => {
      const taken = typed.current ?? '';
      typed.current = null;
      return taken;
    },
  };
}
