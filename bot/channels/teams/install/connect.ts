import { AppError } from '../../../../models/contracts/errors.ts';
import type { Who } from '../../../../models/policies/who.ts';
import { PermanentError } from '../../../engine/delivery/permanentError.ts';
import { accessToken, type Registration, requestToken } from '../platform/credentials.ts';
import { refusalOf } from '../platform/refusal.ts';
import { waitingTenants } from './claims.ts';
import { findInstallation, installationsOf, storeInstallation } from './installations.ts';
import { anyReference } from './references.ts';

/**
 * Keeps an account's own registration. That Microsoft gives a token for it shows that the secret is the app's, and so
 * that whoever enters it may speak for its tenant.
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
      : 'Microsoft could not be asked just now. Nothing was kept; please try again.';
    throw new AppError('not_available', { text }, { cause });
  }
  await storeInstallation(who.accountId, who.userId, `Tenant ${registration.tenantId}`, registration);
}

/** How Teams stands for an account. @returns what is wrong, in words; null where nothing is */
export async function testTeams(accountId: number): Promise<string | null> {
  const rows = await installationsOf(accountId);
  if (rows.length === 0) {
    const [waiting] = await waitingTenants(accountId);
    if (waiting) return 'Teams is not connected yet: an organisation waits for an owner to connect it.';
    return 'Teams is not connected. Install the app package, write to Arc there and confirm here; or the owner enters a registration of your own.';
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
    if (!(await anyReference(key)))
      return 'The app is registered and not installed in Teams yet. Install the app package there.';
  }
  return null;
}
