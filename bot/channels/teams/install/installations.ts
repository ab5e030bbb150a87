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

/** An installation's registration, stored encrypted; the secret is null where it uses the deployment's registration. */
type SealedRegistration = { appId: string; tenantId: string; appPassword: string | null };

const CACHE_MS = 30_000;
/** By key; also remembers keys without an installation. */
const installations = makeCache<string, { installation: TeamsInstallation | null }>(CACHE_MS);
/** Whether an app id is one of an account's own registrations. */
const knownApps = makeCache<string, boolean>(CACHE_MS);
changes.on('changed', (_accountId, topics) => {
  if (topics.includes('integrations')) clearCaches();
});

function clearCaches(): void {
  installations.clear();
  knownApps.clear();
}

/** The deployment's own registration. */
export const defaultRegistration = (): Registration => ({
  appId: env.MICROSOFT_APP_ID.toLowerCase(),
  appPassword: env.MICROSOFT_APP_PASSWORD,
  tenantId: env.MICROSOFT_APP_TENANT_ID.toLowerCase(),
});

function open(row: ChannelInstallationRow): TeamsInstallation {
  const { appId, tenantId, appPassword } = unseal<SealedRegistration>(row.sealed, installationContext(row));
  return { row, registration: { appId, tenantId, appPassword: appPassword ?? env.MICROSOFT_APP_PASSWORD } };
}

/** The installation of an app in a tenant, switched on or not; null where there is none. */
export async function findInstallation(key: string): Promise<TeamsInstallation | null> {
  const known = installations.get(key);
  if (known) return known.installation;
  const row = await ChannelInstallation.findOne({ channel: 'teams', key, revokedAt: null }).lean();
  const installation = row ? open(row) : null;
  installations.set(key, { installation });
  return installation;
}

/** Whether Teams is switched on for an installation's account; if not, Arc neither receives nor sends anything. */
export const isOn = ({ row }: TeamsInstallation) =>
  runInAccount(row.accountId, () => isEnabled(row.accountId, 'teams'));

/** The account's installations, newest first. */
export const installationsOf = (accountId: number) => readInstallations(accountId, 'teams');

/** The registration for an installation's key: an account's own, else the deployment's; null for an unknown app. */
export async function findRegistration(key: string): Promise<Registration | null> {
  const own = await findInstallation(key);
  if (own) return own.registration;
  const registration = defaultRegistration();
  return key.startsWith(`${registration.appId}/`) ? registration : null;
}

/** Whether an app is the deployment's, or an account's own in any tenant. */
export async function isKnownApp(appId: string): Promise<boolean> {
  const id = appId.toLowerCase();
  if (id === defaultRegistration().appId) return true;
  if (!/^[0-9a-f-]{36}$/.test(id)) return false;
  const known = knownApps.get(id);
  if (known !== undefined) return known;
  const key = { $gte: `${id}/`, $lt: `${id}0` };
  const found = (await ChannelInstallation.exists({ channel: 'teams', key, revokedAt: null })) !== null;
  knownApps.set(id, found);
  return found;
}

/** The registration for an account's app package: its own newest, else the deployment's. */
export async function readAccountRegistration(accountId: number): Promise<Registration> {
  const [row] = await installationsOf(accountId);
  return row ? open(row).registration : defaultRegistration();
}

/**
 * Stores an installation, one per app and tenant.
 * @throws AppError connected_elsewhere where the tenant belongs to another account
 */
export async function storeInstallation(
  accountId: number,
  installedBy: number,
  name: string,
  { appId, tenantId, appPassword }: Omit<Registration, 'appPassword'> & { appPassword: string | null },
): Promise<void> {
  const key = installationKeyOf(appId, tenantId);
  const sealed = seal(
    { appId, tenantId, appPassword } satisfies SealedRegistration,
    installationContext({ channel: 'teams', key }),
  );
  const installed = { accountId, channel: 'teams' as const, key, name, sealed, installedBy };
  await keepInstallation(installed, 'This Teams organisation');
  clearCaches();
  announce(accountId, ['integrations']);
}
