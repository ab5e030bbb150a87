import { type Dispatch, type SetStateAction, useEffect, useState } from 'react';

const PREFIX = 'arc.draft.';
const OWNER = 'arc.draftsOf';

type Fits<T> = (kept: unknown) => kept is T;
const isText = (kept: unknown) => typeof kept === 'string';

/** What is kept under a name; null where it is nothing, or nothing that fits. */
function read<T>(name: string, fits: Fits<T>): T | null {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(PREFIX + name) ?? 'null');
    return fits(kept) ? kept : null;
  } catch {
    return null;
  }
}

const isEmpty = (value: unknown) =>
  value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0);

/** Does what it can with the tab's storage: a frame of another site may have none. */
function withStorage(work: (storage: Storage) => void): void {
  try {
    work(sessionStorage);
  } catch {
    // What is typed lasts as long as the page.
  }
}

/** Keeps what was typed in this tab, so that it outlives a reload and a new sign-in; nothing typed forgets it. */
export function keepDraft(name: string, value: unknown): void {
  withStorage((storage) => {
    if (isEmpty(value)) storage.removeItem(PREFIX + name);
    else storage.setItem(PREFIX + name, JSON.stringify(value));
  });
}

/**
 * State that is kept as a draft of this tab. It is the person's who typed it: see person.ts.
 * @param fits whether what is kept is such a state; without it, whether it is text
 */
export function useDraft<T>(
  name: string,
  initial: () => T,
  fits: Fits<T> = isText as Fits<T>,
): [T, Dispatch<SetStateAction<T>>] {
  const [value, setValue] = useState<T>(() => read(name, fits) ?? initial());
  useEffect(() => keepDraft(name, value), [name, value]);
  return [value, setValue];
}

/** Forgets every draft: another person signs in. */
export function clearDrafts(): void {
  withStorage((storage) => {
    for (const key of Object.keys(storage)) if (key.startsWith(PREFIX)) storage.removeItem(key);
  });
}

/** Whose drafts this tab keeps; those of somebody before are forgotten, a reload in between or not. */
export function keepDraftsOf(userId: number): void {
  withStorage((storage) => {
    const before = storage.getItem(OWNER);
    if (before !== null && before !== String(userId)) clearDrafts();
    storage.setItem(OWNER, String(userId));
  });
}
