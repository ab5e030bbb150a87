import type { KeyboardEvent } from 'react';

/** What the keys of a review do. */
type Actions = {
  send: () => void;
  /** Back to the current row, from a field that is written in. */
  leaveField: () => void;
  /** Back to the current row, from the question that stands over the rows. */
  leaveQuestion: () => void;
  /** From a row's reason on to the next row that is open. */
  goOn: () => void;
  move: (by: 1 | -1) => void;
  accept: () => void;
  reject: () => void;
  edit: () => void;
  undo: () => void;
};

/**
 * The keys of a review: J and K move, A accepts, E edits, R rejects, Z undoes, Ctrl+Enter sends.
 * @param isAsking a question stands over the rows: only Escape, which leaves it, means anything
 */
export const reviewKeys =
  (actions: Actions, isAsking: boolean) =>
  (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      actions.send();
      return;
    }
    const target = event.target as HTMLElement;
    const isTyping = target.matches('textarea, select, input:not([type="radio"]), [contenteditable]');
    if (isTyping) {
      if (event.key === 'Escape') actions.leaveField();
      if (event.key === 'Enter' && target.matches('[data-reason]')) {
        event.preventDefault();
        actions.goOn();
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
    };
    const run = moves[key] ?? acts[key];
    if (!run) return;
    event.preventDefault();
    // A key that is held down moves, and decides once.
    if (event.repeat && !moves[key]) return;
    run();
  };
