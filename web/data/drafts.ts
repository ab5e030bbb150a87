import { type Dispatch, type SetStateAction, useEffect, useState } from 'react';

const PREFIX = 'arc.draft.';
/** Key of the id of the user whose drafts the tab keeps. */
const OWNER = 'arc.draftsOf';

type Fits<T> = (kept: unknown) => kept is T;
const isText = (kept: unknown) => typeof kept === 'string';

/** The stored draft; null if there is none or it does not fit. */
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

/** Works with the tab's storage, if there is one: a page framed by another site may have none. */
function withStorage(work: (storage: Storage) => void): void {
  try {
    work(sessionStorage);
  } catch {
    // Without storage drafts last as long as the page.
  }
}

/** Keeps a draft in this tab, so that it outlives a reload and a new sign-in; an empty value removes it. */
export function keepDraft(name: string, value: unknown): void {
  withStorage((storage) => {
    if (isEmpty(value)) storage.removeItem(PREFIX + name);
    else storage.setItem(PREFIX + name, JSON.stringify(value));
  });
}

/** Whether a stored value is a table of texts. */
export const isTextTable = (kept: unknown): kept is Record<string, string> =>
  typeof kept === 'object' && kept !== null && !Array.isArray(kept) && Object.values(kept).every(isText);

type Draft<T> = [T, Dispatch<SetStateAction<T>>];

/**
 * State that is kept as a draft of this tab. Drafts are cleared when another person signs in: see person.ts.
 * @param fits checks a stored value before it is used; only a text does without
 */
export function useDraft(name: string, initial: () => string): Draft<string>;
export function useDraft(name: string, initial: () => string | null): Draft<string | null>;
export function useDraft<T>(name: string, initial: () => T, fits: Fits<T>): Draft<T>;
export function useDraft<T>(name: string, initial: () => T, fits: Fits<T> = isText as Fits<T>): Draft<T> {
  const [value, setValue] = useState<T>(() => read(name, fits) ?? initial());
  useEffect(() => keepDraft(name, value), [name, value]);
  return [value, setValue];
}

/** Removes every draft. */
export function clearDrafts(): void {
  withStorage((storage) => {
    for (const key of Object.keys(storage)) if (key.startsWith(PREFIX)) storage.removeItem(key);
  });
}

/** Sets whose drafts this tab keeps; drafts of another user are removed, even after a reload. */
export function keepDraftsOf(userId: number): void {
  withStorage((storage) => {
    const before = storage.getItem(OWNER);
    if (before !== null && before !== String(userId)) clearDrafts();
    storage.setItem(OWNER, String(userId));
  });
}
