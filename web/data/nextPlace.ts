const KEY = 'arc.nextPlace';

/** The path to open after a login; "/" unless it is a path of this site, against open redirects. */
export function safePlace(next: string | null): string {
  return next?.startsWith('/') && !/^\/[/\\]/.test(next) && !/[\t\r\n]/.test(next) ? next : '/';
}

/** Pages that are the same for everybody: a login from there leads to the dashboard. */
const FOR_EVERYBODY = ['/privacy-policy', '/terms-and-conditions'];

/** URL of the login that leads back to a place with its query and fragment. */
export function loginFor({ pathname, search, hash }: { pathname: string; search: string; hash: string }): string {
  const place = FOR_EVERYBODY.includes(pathname) ? '/' : pathname + search + hash;
  return place === '/' ? '/auth' : `/auth?next=${encodeURIComponent(place)}`;
}

/** Works with the tab's storage; null if the browser has none. */
function inStorage<T>(work: (storage: Storage) => T): T | null {
  try {
    return work(sessionStorage);
  } catch {
    return null;
  }
}

/** Remembers where to go after a login at a provider: the provider's return does not contain the place. */
export const rememberPlace = (place: string) => inStorage((storage) => storage.setItem(KEY, place));

/** The remembered place; null if there is none. */
export const rememberedPlace = () => inStorage((storage) => storage.getItem(KEY));

/** Forgets the remembered place. */
export const forgetPlace = () => inStorage((storage) => storage.removeItem(KEY));
