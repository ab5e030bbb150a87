import type { KeyboardEvent } from 'react';

/** Actions of a review's keys. */
type Actions = {
  send: () => void;
  /** From a text field back to the current row. */
  leaveField: () => void;
  /** From the confirmation above the rows back to the current row. */
  leaveQuestion: () => void;
  /** From a row's reason to the next undecided row. */
  goToNext: () => void;
  move: (by: 1 | -1) => void;
  accept: () => void;
  reject: () => void;
  edit: () => void;
  undo: () => void;
  /** Chooses the current row's option at this position. */
  choose: (option: number) => void;
  /** Goes to the filter; absent where there is none. */
  filter?: (() => void) | undefined;
};

/**
 * The keys of a review: J and K move, A accepts, E edits, R rejects, Z undoes, 1 2 3 choose an option, F filters,
 * Ctrl+Enter sends.
 * @param isAsking whether a confirmation is open: then only Escape works, which closes it
 */
export const reviewKeys =
  (actions: Actions, isAsking: boolean) =>
  (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      // Held down it would also answer what sending asks.
      if (!event.repeat) actions.send();
      return;
    }
    const target = event.target as HTMLElement;
    const isTyping = target.matches('textarea, select, input:not([type="radio"]), [contenteditable]');
    if (isTyping) {
      if (event.key === 'Escape') actions.leaveField();
      if (event.key === 'Enter' && target.matches('[data-reason]')) {
        event.preventDefault();
        actions.goToNext();
      }
      return;
    }
    if (isAsking) {
      if (event.key === 'Escape') actions.leaveQuestion();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const key = event.key.toLowerCase();
    const moves: Record<string, () => void> = { j: () => actions.move(1), k: () => actions.move(-1) };
    const acts: Record<string, () => void> = {
      a: actions.accept,
      r: actions.reject,
      e: actions.edit,
      z: actions.undo,
      ...(actions.filter ? { f: actions.filter } : {}),
      ...Object.fromEntries([1, 2, 3, 4, 5, 6, 7, 8, 9].map((key) => [String(key), () => actions.choose(key - 1)])),
    };
    const run = moves[key] ?? acts[key];
    if (!run) return;
    event.preventDefault();
    // A key that is held down repeats moves, but decides only once.
    if (event.repeat && !moves[key]) return;
    run();
  };
