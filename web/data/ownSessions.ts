import { mutate } from 'swr';
import { changePassword, endOtherSessions, endSession, listSessions } from '../../models/contracts/auth.ts';
import { leaveCompany } from '../../models/contracts/members.ts';
import { call, urlOf } from './call.ts';
import { clearDrafts } from './drafts.ts';
import { useCall } from './useCall.ts';
import { withWarning } from './warnings.ts';

/** Where the person is signed in. */
export const useOwnSessions = () => useCall(listSessions, {});

const readAgain = () => mutate(urlOf(listSessions));

/** Signs out one session. */
export async function signOutSession(id: string): Promise<void> {
  await call(endSession, { params: { id } });
  await readAgain();
}

/** Signs out everywhere but here. */
export async function signOutOthers(): Promise<void> {
  await call(endOtherSessions);
  await readAgain();
}

/** Changes the password; every other session ends. @throws CallError with `fields` password and newPassword */
export async function setPassword(password: string, newPassword: string): Promise<void> {
  await call(changePassword, { body: { password, newPassword } });
  await readAgain();
}

/** Leaves the company and reloads, so that nothing of it stays in memory; does nothing where a warning is heeded. */
export async function leave(): Promise<void> {
  if (!(await withWarning((body) => call(leaveCompany, { body })))) return;
  clearDrafts();
  window.location.assign('/');
}
