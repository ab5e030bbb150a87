import { PERSON_HEADER, personKey } from '../../models/contracts/auth.ts';
import { keepDraftsOf } from './drafts.ts';

/*
 * What this document has read, typed and drawn belongs to one person. When another signs in, here or in another tab,
 * the document is left for a new one: nothing that is kept in memory, by whatever part, can be shown to them.
 */
let person: string | null = null;
let leaving = false;

let channel: BroadcastChannel | null = null;
/** The other tabs, where the browser can reach them. */
function tabs(): BroadcastChannel | null {
  if (typeof BroadcastChannel !== 'undefined') channel ??= new BroadcastChannel('arc.session');
  return channel;
}

/** Whether somebody was signed in on this document: who is not any more has a session that ended. */
export const hadPerson = () => person !== null;

/** Whom this document shows, as calls say it; null before it is known. */
export const shownPerson = () => person;

/** The header that says it. */
export const personHeader = (): Record<string, string> => (person === null ? {} : { [PERSON_HEADER]: person });

/**
 * Takes note of who is signed in, and tells the other tabs where that is news.
 * @param user null for nobody
 * @returns false where it is somebody else than before: the document is being left, nothing may be drawn any more
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

/** Calls back when another tab has somebody else signed in than this one. */
export function onOtherPerson(listener: () => void): void {
  tabs()?.addEventListener('message', (event: MessageEvent<string>) => {
    if (person !== null && event.data !== person) listener();
  });
}
