import type { KeyboardEvent } from 'react';

/** Actions of a review's keys. */
type Actions = {
  send: () => void;
  /** From a text field back to the current row. */
  leaveField: () => void;
  /** Closes the fields of a row without saving; of the current row where no id is given. */
  leaveEdit: (row?: string) => void;
  /** Saves what is typed in the fields of a row. */
  saveEdit: (row: string) => void;
  /** From the confirmation above the rows back to the current row. */
  leaveQuestion: () => void;
  /** From the current row or its reason to the next undecided row. */
  goToNext: () => void;
  move: (by: 1 | -1) => void;
  accept: () => void;
  reject: () => void;
  edit: () => void;
  /** Goes to the reason of the current row. */
  reason: () => void;
  undo: () => void;
  /** Chooses the current row's option at this position. */
  choose: (option: number) => void;
  /** Goes to the filter; absent where there is none. */
  filter?: (() => void) | undefined;
};

const TYPED_IN = 'textarea, select, input:not([type="radio"]), [contenteditable]';
/** What does something of its own when Enter is pressed on it. */
const PRESSED = 'button, a, summary, input';

/**
 * The keys of a review: J and K move, A accepts, E edits, R rejects, N writes the reason, Z undoes, 1 2 3 choose an
 * option, F filters, Enter goes to the next undecided row, Ctrl+Enter sends. In the fields of a row Ctrl+Enter saves the
 * edit and Escape discards it.
 * @param isAsking whether a confirmation is open: then only Escape works, which closes it
 */
export const reviewKeys =
  (actions: Actions, isAsking: boolean) =>
  (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    const target = event.target as HTMLElement;
    const edited = target.closest<HTMLElement>('[data-edit]')?.dataset.edit;
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      // Held down it would also send after it has saved, or answer what sending asks.
      if (event.repeat) return;
      if (edited) actions.saveEdit(edited);
      else actions.send();
      return;
    }
    if (event.key === 'Escape' && edited) {
      actions.leaveEdit(edited);
      return;
    }
    if (target.matches(TYPED_IN)) {
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
      n: actions.reason,
      z: actions.undo,
      escape: () => actions.leaveEdit(),
      ...(target.closest(PRESSED) ? {} : { enter: actions.goToNext }),
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
