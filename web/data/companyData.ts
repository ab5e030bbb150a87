import { mutate } from 'swr';
import { askForExport, eraseCompany, listExports, readErasurePlan } from '../../models/contracts/companyData.ts';
import { POLLS } from '../../models/contracts/limits.ts';
import { call, urlOf } from './call.ts';
import { clearDrafts } from './drafts.ts';
import { showToast } from './toasts.ts';
import { useCall } from './useCall.ts';

/** The exports of everything, read again and again while one is being prepared. */
export function useExports() {
  const calm = useCall(listExports, {});
  const isBusy = calm.data?.exports.some(({ status }) => status === 'preparing') ?? false;
  return useCall(listExports, {}, isBusy ? { poll: POLLS.agentRecord } : {});
}

/** Asks for an export of everything. */
export async function askForEverything(): Promise<void> {
  await call(askForExport);
  await mutate(urlOf(listExports));
}

/** What erasing the company would delete. Read when somebody asks for it. */
export const useErasurePlan = (isAsked: boolean) => useCall(readErasurePlan, isAsked ? {} : null);

/** A text about what the person has to do elsewhere stays for this long. */
const LONG_MS = 10 * 60_000;

/**
 * Erases the company, and leaves the page. Where something is left to do elsewhere, a toast says so first.
 * @throws CallError with `fields` typed and password
 */
export async function eraseEverything(typed: string, password: string): Promise<void> {
  const { notRevoked, isPlanLeft } = await call(eraseCompany, { body: password ? { typed, password } : { typed } });
  clearDrafts();
  const go = () => window.location.assign('/');
  const left = [
    notRevoked.length > 0
      ? `Not confirmed as revoked: ${notRevoked.join(', ')}. Arc’s tokens are deleted; to be sure, remove Arc there.`
      : '',
    isPlanLeft ? 'The company pays for a plan that Arc could not end: end it at Stripe.' : '',
  ].filter(Boolean);
  if (left.length === 0) return go();
  showToast({
    title: 'The company is erased',
    message: left.join(' '),
    tone: 'plain',
    milliseconds: LONG_MS,
    action: { label: 'I have read it', run: go },
  });
}
