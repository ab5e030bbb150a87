import { PERSON_HEADER, personKey } from '../../models/contracts/auth.ts';
import { keepDraftsOf } from './drafts.ts';

/*
 * Everything in this document's memory belongs to one person. When another person signs in, in this tab or another,
 * the page reloads, so that no part can show them what it kept.
 */
let person: string | null = null;
let leaving = false;

let channel: BroadcastChannel | null = null;
/** Channel to the other tabs; null if the browser has none. */
function tabs(): BroadcastChannel | null {
  if (typeof BroadcastChannel !== 'undefined') channel ??= new BroadcastChannel('arc.session');
  return channel;
}

/** Whether somebody has been signed in on this page; tells an ended session from a visitor. */
export const hadPerson = () => person !== null;

/** Key of the person that this page shows; null until it is known. */
export const shownPerson = () => person;

/** The header with the person's key: the server refuses a call if another person is signed in. */
export const personHeader = (): Record<string, string> => (person === null ? {} : { [PERSON_HEADER]: person });

/**
 * Records who is signed in, and tells the other tabs about a change.
 * @param user null if nobody is signed in
 * @returns false if the person changed: the page is reloading and must not render anything
 */
export function notePerson(user: { id: number; accountId: number } | null): boolean {
  if (leaving) return false;
  if (user === null) return true;
  const key = personKey({ userId: user.id, accountId: user.accountId });
  if (key === person) return true;
  const before = person;
  person = key;
  tabs()?.postMessage(key);
  keepDraftsOf(user.id);
  if (before === null) return true;
  leaving = true;
  window.location.reload();
  return false;
}

/** Calls back when another person has signed in in another tab. */
export function onOtherPerson(listener: () => void): void {
  tabs()?.addEventListener('message', (event: MessageEvent<string>) => {
    if (person !== null && event.data !== person) listener();
  });
}
