import { useEffect, useRef, useState } from 'react';
import type { Interrupt } from '../../../models/contracts/interrupts.ts';
import type { QuestionRow } from '../../../models/contracts/questionRows.ts';
import { shownPerson } from '../../data/person.ts';
import type { Kept } from './decisions.ts';

/** Texts in the fields of a row that is being edited, by field. They are no decision until the edit is saved. */
export type Typed = Record<string, string>;
type Edits = Record<string, Typed>;

const keyOf = (person: string, interruptId: number) => `arc.edits.${person}.${interruptId}`;

const isEdits = (it: unknown): it is Edits =>
  typeof it === 'object' &&
  it !== null &&
  Object.values(it).every(
    (typed) =>
      typeof typed === 'object' && typed !== null && Object.values(typed).every((text) => typeof text === 'string'),
  );

function read(key: string): Edits {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? '{}');
    return isEdits(kept) ? kept : {};
  } catch {
    return {};
  }
}

function write(key: string, edits: Edits): void {
  const typed = Object.entries(edits).filter(([, fields]) => Object.keys(fields).length > 0);
  try {
    if (typed.length > 0) localStorage.setItem(key, JSON.stringify(Object.fromEntries(typed)));
    else localStorage.removeItem(key);
  } catch {
    // The storage is full or blocked: what is typed lasts as long as the page.
  }
}

/**
 * The rows of a review that are being edited, and what is typed in them. Kept on this device until the edit is saved or
 * discarded, so that a reload loses nothing.
 */
export function useOpenEdits({ id: interruptId, status }: Pick<Interrupt, 'id' | 'status'>) {
  const key = keyOf(shownPerson() ?? '', interruptId);
  const [edits, setEdits] = useState(() => read(key));
  const current = useRef(edits);
  const put = (next: Edits) => {
    current.current = next;
    write(key, next);
    setEdits(next);
  };
  const isClosed = status !== 'pending';
  useEffect(() => {
    if (!isClosed) return;
    current.current = {};
    write(key, {});
    setEdits({});
  }, [isClosed, key]);
  return {
    isOpen: (id: string) => edits[id] !== undefined,
    /** Whether a row is open after what was done since the page was drawn. */
    isOpenNow: (id: string) => current.current[id] !== undefined,
    typedIn: (id: string): Typed | undefined => edits[id],
    open: (id: string) => {
      if (!current.current[id]) put({ ...current.current, [id]: {} });
    },
    type: (id: string, field: string, text: string) =>
      put({ ...current.current, [id]: { ...current.current[id], [field]: text } }),
    close: (...ids: string[]) =>
      put(Object.fromEntries(Object.entries(current.current).filter(([id]) => !ids.includes(id)))),
  };
}

/** The values of a row as its open fields show them. */
export const valuesTyped = (
  row: QuestionRow,
  decided: Pick<Kept, 'values'> | undefined,
  typed: Typed,
): Record<string, string> => ({ ...row.values, ...decided?.values, ...typed });

/** Whether what is typed differs from the row as it stands. */
export function isEditChanged(row: QuestionRow, decided: Pick<Kept, 'values'> | undefined, typed: Typed): boolean {
  const standing = valuesTyped(row, decided, {});
  return Object.entries(typed).some(([field, text]) => text !== (standing[field] ?? ''));
}

/** The row's decision with what is typed; undefined where it has neither. */
export function withTyped(row: QuestionRow, decided: Kept | undefined, typed: Typed | undefined): Kept | undefined {
  if (!typed || !isEditChanged(row, decided, typed)) return decided;
  return { ...(decided ?? { id: row.id, outcome: null }), values: { ...decided?.values, ...typed } };
}
