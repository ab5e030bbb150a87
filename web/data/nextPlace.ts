const KEY = 'arc.nextPlace';

/** Only a path of ours may be gone to after a login; anything else leads home. */
export function safePlace(next: string | null): string {
  return next?.startsWith('/') && !/^\/[/\\]/.test(next) && !/[\t\r\n]/.test(next) ? next : '/';
}

/** Pages that read the same for everybody: who logs in from there wants their dashboard. */
const FOR_EVERYBODY = ['/privacy-policy', '/terms-and-conditions'];

/** Address of the login that leads back to a place, its query and fragment included. */
export function loginFor({ pathname, search, hash }: { pathname: string; search: string; hash: string }): string {
  const place = FOR_EVERYBODY.includes(pathname) ? '/' : pathname + search + hash;
  return place === '/' ? '/auth' : `/auth?next=${encodeURIComponent(place)}`;
}

/** What may be read of the tab's storage, or done with it; null where the browser gives none. */
function inStorage<T>(work: (storage: Storage) => T): T | null {
  try {
    return work(sessionStorage);
  } catch {
    return null;
  }
}

/** Remembers, while the browser is at a provider, where to go after the login: the provider's return names no place. */
export const rememberPlace = (place: string) => inStorage((storage) => storage.setItem(KEY, place));

/** The remembered place; null where there is none. */
export const rememberedPlace = () => inStorage((storage) => storage.getItem(KEY));

/** Forgets it: the login has led there. */
export const forgetPlace = () => inStorage((storage) => storage.removeItem(KEY));
