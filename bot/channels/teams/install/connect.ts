import { AppError } from '../../../../models/contracts/errors.ts';
import type { Who } from '../../../../models/policies/who.ts';
import { PermanentError } from '../../../engine/delivery/permanentError.ts';
import { accessToken, type Registration, requestToken } from '../platform/credentials.ts';
import { refusalOf } from '../platform/refusal.ts';
import { listWaitingTenants } from './claims.ts';
import { findInstallation, installationsOf, storeInstallation } from './installations.ts';
import { findAnyReference } from './references.ts';

/**
 * Stores an account's own registration. Microsoft issues a token only for the app's own secret, which proves that the
 * person who enters it may act for the tenant.
 * @throws AppError not_available where Microsoft refuses it
 */
export async function connectRegistration(who: Who, given: Registration): Promise<void> {
  const registration: Registration = {
    appId: given.appId.toLowerCase(),
    tenantId: given.tenantId.toLowerCase(),
    appPassword: given.appPassword,
  };
  try {
    await requestToken(registration);
  } catch (cause) {
    const isRefused = cause instanceof PermanentError || refusalOf(cause)?.answered === 401;
    const text = isRefused
      ? 'Microsoft does not accept this app id with this secret and tenant. Check all three and try again.'
      : 'Microsoft could not be reached. Nothing was saved; please try again.';
    throw new AppError('not_available', { text }, { cause });
  }
  await storeInstallation(who.accountId, who.userId, `Tenant ${registration.tenantId}`, registration);
}

/**
 * Tests the Teams connection of an account.
 * @returns the first problem, for people to read; null where there is none
 */
export async function testTeams(accountId: number): Promise<string | null> {
  const rows = await installationsOf(accountId);
  if (rows.length === 0) {
    const [waiting] = await listWaitingTenants(accountId);
    if (waiting) return 'Teams is not connected yet. An organisation is waiting for an owner to confirm it.';
    return 'Teams is not connected. Install the app package, write to Arc in Teams and confirm here; or the owner can enter your own registration.';
  }
  for (const { key } of rows) {
    const installation = await findInstallation(key);
    const failed =
      installation &&
      (await accessToken(installation.registration).then(
        () => false,
        () => true,
      ));
    if (failed) return 'Microsoft does not accept the app id and its secret. Check the registration.';
    if (!(await findAnyReference(key)))
      return 'The app is registered but not installed in Teams yet. Install the app package there.';
  }
  return null;
}
