import useSWR, { mutate } from 'swr';
import { trialStatus } from '../../models/contracts/account.ts';
import { authStatus, logout, type Recipient, type SessionUser } from '../../models/contracts/auth.ts';
import type { AnswerOf } from '../../models/contracts/endpoint.ts';
import { listCompanies, switchCompany } from '../../models/contracts/members.ts';
import { call, onOtherSession, urlOf } from './call.ts';
import { clearDrafts } from './drafts.ts';
import { hadPerson, notePerson, onOtherPerson } from './person.ts';
import { useCall } from './useCall.ts';
import { showTimesIn } from './words.ts';

export type Session = {
  loading: boolean;
  user: SessionUser | null;
  providers: { google: boolean; microsoft: boolean };
  /** Where language models run. */
  modelRegion: 'none' | 'uk' | 'outside-uk-accepted';
  /** Who gets data from this deployment; null while it is not known. */
  recipients: readonly Recipient[] | null;
  /** Why it is not known who is signed in; undefined where it is. */
  error: Error | undefined;
  /** Somebody was signed in on this page and is not any more. */
  ended: boolean;
};

const statusKey = urlOf(authStatus);

/** Who is signed in. Where it is somebody else than before, it never answers: the page is being left. */
async function readStatus(): Promise<AnswerOf<typeof authStatus>> {
  const status = await call(authStatus);
  if (!notePerson(status.user)) return new Promise(() => undefined);
  showTimesIn(status.user?.timeZone);
  return status;
}

/** Asks only who is signed in. */
export async function refreshStatus(): Promise<void> {
  await mutate(statusKey);
}

// Some call was refused because nobody is signed in, or another: that is read once, and every page says it.
onOtherSession(() => {
  void mutate(statusKey);
});
onOtherPerson(() => {
  void mutate(statusKey);
});

/** Who is signed in, and which provider logins there are. */
export function useSession(): Session {
  const { data, error, isLoading } = useSWR<AnswerOf<typeof authStatus>, Error>(statusKey, readStatus);
  return {
    loading: isLoading,
    user: data?.authenticated ? data.user : null,
    providers: data?.providers ?? { google: false, microsoft: false },
    modelRegion: data?.modelRegion ?? 'none',
    recipients: data?.recipients ?? null,
    error: data ? undefined : error,
    ended: data !== undefined && !data.authenticated && hadPerson(),
  };
}

/** Asks again who is signed in; after a login everything else is read anew too. */
export async function refreshSession(): Promise<void> {
  await mutate(statusKey);
  await mutate((key) => typeof key === 'string' && key !== statusKey);
}

/** Signs out; the page then reloads. */
export async function signOut(): Promise<void> {
  await call(logout);
  clearDrafts();
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

/** The companies of the person who is signed in. */
export const useCompanies = () => useCall(listCompanies, {});

/** Goes on in another company: the page is left for a new one, as for another person. */
export async function goToCompany(accountId: number): Promise<void> {
  await call(switchCompany, { body: { accountId } });
  clearDrafts();
  window.location.assign('/');
}
