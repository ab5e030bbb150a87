import { type Dispatch, type SetStateAction, useEffect, useState } from 'react';

const PREFIX = 'arc.draft.';

function read<T>(name: string): T | null {
  try {
    return JSON.parse(sessionStorage.getItem(PREFIX + name) ?? 'null') as T | null;
  } catch {
    return null;
  }
}

/** Keeps what was typed in this tab, so that it outlives a reload and a new sign-in; null forgets it. */
export function keepDraft(name: string, value: unknown): void {
  if (value === null || value === '') sessionStorage.removeItem(PREFIX + name);
  else sessionStorage.setItem(PREFIX + name, JSON.stringify(value));
}

/** State that is kept as a draft of this tab. It is the person's who typed it: see person.ts. */
export function useDraft<T>(name: string, initial: () => T): [T, Dispatch<SetStateAction<T>>] {
  const [value, setValue] = useState<T>(() => read<T>(name) ?? initial());
  useEffect(() => keepDraft(name, value), [name, value]);
  return [value, setValue];
}

/** Forgets every draft: another person signs in. */
export function clearDrafts(): void {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
}
