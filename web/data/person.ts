import { keepDraftsOf } from './drafts.ts';

/*
 * What this document has read, typed and drawn belongs to one person. When another signs in, here or in another tab,
 * the document is left for a new one: nothing that is kept in memory, by whatever part, can be shown to them.
 */
let person: number | null = null;
let leaving = false;

const tabs = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('arc.session');

/** Whether somebody was signed in on this document: who is not any more has a session that ended. */
export const hadPerson = () => person !== null;

/** Whether this document is being left for a new one. */
export const isLeaving = () => leaving;

/**
 * Takes note of who is signed in, and tells the other tabs where that is news.
 * @param userId null for nobody
 * @returns false where it is somebody else than before: the document is being left, nothing may be drawn any more
 */
export function notePerson(userId: number | null): boolean {
  if (leaving) return false;
  if (userId === null || userId === person) return true;
  const before = person;
  person = userId;
  tabs?.postMessage(userId);
  keepDraftsOf(userId);
  if (before === null) return true;
  leaving = true;
  window.location.reload();
  return false;
}

/** Calls back when another tab has somebody else signed in than this one. */
export function onOtherPerson(listener: () => void): void {
  tabs?.addEventListener('message', (event: MessageEvent<number>) => {
    if (person !== null && event.data !== person) listener();
  });
}
