import { ChannelInstallation, type ChannelInstallationRow } from '../../../../models/channelInstallation.ts';
import { env } from '../../../../models/env.ts';
import { makeCache } from '../../../../models/store/cache.ts';
import { runInAccount } from '../../../../models/store/context.ts';
import { seal, unseal } from '../../../../models/store/encrypted.ts';
import { announce, changes } from '../../../../models/store/revisions.ts';
import { installationContext, keepInstallation, readInstallations } from '../../../engine/accounts/installations.ts';
import { isEnabled } from '../../../engine/accounts/integrations.ts';
import { installationKeyOf } from '../platform/address.ts';
import type { Registration } from '../platform/credentials.ts';

export type TeamsInstallation = { row: ChannelInstallationRow; registration: Registration };

/** What is kept of an installation, sealed: its own secret, or null where the deployment's registration serves it. */
type Kept = { appId: string; tenantId: string; appPassword: string | null };

const KEPT_MILLISECONDS = 30_000;
/** What was found by each key; that there is nothing is known too. */
const kept = makeCache<string, { installation: TeamsInstallation | null }>(KEPT_MILLISECONDS);
/** Whether an app id is one of an account's own registrations. */
const apps = makeCache<string, boolean>(KEPT_MILLISECONDS);
changes.on('changed', (_accountId, topics) => {
  if (topics.includes('integrations')) forget();
});

function forget(): void {
  kept.clear();
  apps.clear();
}

/** The deployment's own registration. */
export const defaultRegistration = (): Registration => ({
  appId: env.MICROSOFT_APP_ID.toLowerCase(),
  appPassword: env.MICROSOFT_APP_PASSWORD,
  tenantId: env.MICROSOFT_APP_TENANT_ID.toLowerCase(),
});

function open(row: ChannelInstallationRow): TeamsInstallation {
  const { appId, tenantId, appPassword } = unseal<Kept>(row.sealed, installationContext(row));
  return { row, registration: { appId, tenantId, appPassword: appPassword ?? env.MICROSOFT_APP_PASSWORD } };
}

/** The installation of an app in a tenant, switched on or not; null where there is none. */
export async function findInstallation(key: string): Promise<TeamsInstallation | null> {
  const known = kept.get(key);
  if (known) return known.installation;
  const row = await ChannelInstallation.findOne({ channel: 'teams', key, revokedAt: null }).lean();
  const installation = row ? open(row) : null;
  kept.set(key, { installation });
  return installation;
}

/** Whether Teams is switched on for an installation's account: else Arc neither hears nor speaks there. */
export const isOn = ({ row }: TeamsInstallation) =>
  runInAccount(row.accountId, () => isEnabled(row.accountId, 'teams'));

/** The account's installations, the newest first. */
export const installationsOf = (accountId: number) => readInstallations(accountId, 'teams');

/** The registration behind an installation's key: an account's own, else the deployment's; null where it is none of ours. */
export async function registrationOf(key: string): Promise<Registration | null> {
  const own = await findInstallation(key);
  if (own) return own.registration;
  const registration = defaultRegistration();
  return key.startsWith(`${registration.appId}/`) ? registration : null;
}

/** Whether an app is one of ours: the deployment's, or an account's own in any tenant. */
export async function isKnownApp(appId: string): Promise<boolean> {
  const id = appId.toLowerCase();
  if (id === defaultRegistration().appId) return true;
  if (!/^[0-9a-f-]{36}$/.test(id)) return false;
  const known = apps.get(id);
  if (known !== undefined) return known;
  const key = { $gte: `${id}/`, $lt: `${id}0` };
  const found = (await ChannelInstallation.exists({ channel: 'teams', key, revokedAt: null })) !== null;
  apps.set(id, found);
  return found;
}

/** The registration that an account's app package names: its own, the newest of several, else the deployment's. */
export async function registrationFor(accountId: number): Promise<Registration> {
  const [row] = await installationsOf(accountId);
  return row ? open(row).registration : defaultRegistration();
}

/**
 * Keeps an installation, once per app and tenant.
 * @throws AppError connected_elsewhere where the tenant is another account's
 */
export async function storeInstallation(
  accountId: number,
  installedBy: number,
  name: string,
  { appId, tenantId, appPassword }: Omit<Registration, 'appPassword'> & { appPassword: string | null },
): Promise<void> {
  const key = installationKeyOf(appId, tenantId);
  const sealed = seal({ appId, tenantId, appPassword } satisfies Kept, installationContext({ channel: 'teams', key }));
  const installed = { accountId, channel: 'teams' as const, key, name, sealed, installedBy };
  await keepInstallation(installed, 'This Teams organisation');
  forget();
  announce(accountId, ['integrations']);
}
