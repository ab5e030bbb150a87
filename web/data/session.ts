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

type Session = {
  loading: boolean;
  user: SessionUser | null;
  providers: { google: boolean; microsoft: boolean };
  /** Where language models run. */
  modelRegion: 'none' | 'uk' | 'outside-uk-accepted';
  /** Who receives data from this deployment; null while unknown. */
  recipients: readonly Recipient[] | null;
  /** E-mail or page of whoever runs the server; null where none is named or known. */
  contact: string | null;
  /** Why the status could not be read; undefined if it was. */
  error: Error | undefined;
  /** True if somebody was signed in on this page and nobody is now. */
  ended: boolean;
};

const statusKey = urlOf(authStatus);

/** Reads who is signed in. Never resolves if the person changed, because the page is reloading. */
async function readStatus(): Promise<AnswerOf<typeof authStatus>> {
  const status = await call(authStatus);
  if (!notePerson(status.user)) return new Promise(() => undefined);
  showTimesIn(status.user?.timeZone);
  return status;
}

/** Reads again only who is signed in. */
export async function refreshStatus(): Promise<void> {
  await mutate(statusKey);
}

// After such a refusal the status is read once, and every page shows it.
onOtherSession(() => {
  void mutate(statusKey);
});
onOtherPerson(() => {
  void mutate(statusKey);
});

/** Who is signed in, and which provider logins are available. */
export function useSession(): Session {
  const { data, error, isLoading } = useSWR<AnswerOf<typeof authStatus>, Error>(statusKey, readStatus);
  return {
    loading: isLoading,
    user: data?.authenticated ? data.user : null,
    providers: data?.providers ?? { google: false, microsoft: false },
    modelRegion: data?.modelRegion ?? 'none',
    recipients: data?.recipients ?? null,
    contact: data?.contact ?? null,
    error: data ? undefined : error,
    ended: data !== undefined && !data.authenticated && hadPerson(),
  };
}

/** Reads who is signed in, then everything else, again; used after a login. */
export async function refreshSession(): Promise<void> {
  await mutate(statusKey);
  await mutate((key) => typeof key === 'string' && key !== statusKey);
}

/** Signs out, forgets drafts and opens the home page. */
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

/** Switches to another company and reloads, so that nothing of the first company stays in memory. */
export async function goToCompany(accountId: number): Promise<void> {
  await call(switchCompany, { body: { accountId } });
  clearDrafts();
  window.location.assign('/');
}
