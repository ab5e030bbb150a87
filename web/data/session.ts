import { mutate } from 'swr';
import { trialStatus } from '../../models/contracts/account.ts';
import { authStatus, logout, type SessionUser } from '../../models/contracts/auth.ts';
import { call, urlOf } from './call.ts';
import { useCall } from './useCall.ts';

export type Session = {
  loading: boolean;
  user: SessionUser | null;
  providers: { google: boolean; microsoft: boolean };
  /** Where language models run. */
  modelRegion: 'none' | 'uk' | 'outside-uk-accepted';
  error: Error | undefined;
};

/** Who is signed in, and which provider logins there are. */
export function useSession(): Session {
  const { data, error, isLoading } = useCall(authStatus, {});
  return {
    loading: isLoading,
    user: data?.authenticated ? data.user : null,
    providers: data?.providers ?? { google: false, microsoft: false },
    modelRegion: data?.modelRegion ?? 'none',
    error,
  };
}

/** Asks again who is signed in; after a login everything else is read anew too. */
export async function refreshSession(): Promise<void> {
  await mutate(urlOf(authStatus));
  await mutate((key) => typeof key === 'string' && key !== urlOf(authStatus));
}

/** Signs out; the page then reloads. */
export async function signOut(): Promise<void> {
  await call(logout);
  window.location.assign('/');
}

/** Trial and subscription of the account. */
export function useTrial(signedIn: boolean) {
  return useCall(trialStatus, signedIn ? {} : null);
}

/** First and last name, else the first name, else the e-mail. */
export function nameOf(user: SessionUser): string {
  return [user.firstName, user.lastName].filter(Boolean).join(' ') || user.email;
}
