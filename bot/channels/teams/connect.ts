import { AppError } from '../../../models/contracts/errors.ts';
import { logger } from '../../../models/logger.ts';
import { Member } from '../../../models/member.ts';
import type { Who } from '../../../models/policies/who.ts';
import { User } from '../../../models/user.ts';
import type { Received } from './activity.ts';
import { installationKeyOf, placeOfConversation } from './address.ts';
import { accessToken, type Registration, requestToken } from './credentials.ts';
import {
  defaultRegistration,
  findInstallation,
  installationsOf,
  storeInstallation,
  type TeamsInstallation,
} from './installations.ts';
import { profileOf, readMember } from './people.ts';
import { anyReference } from './references.ts';
import { TeamsRefusal } from './refusal.ts';

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
    const refused = cause instanceof TeamsRefusal && cause.permanent;
    const text =
      refused || (cause as TeamsRefusal).answered === 401
        ? 'Microsoft does not accept this app id with this secret and tenant. Check all three and try again.'
        : 'Microsoft could not be asked just now. Nothing was kept; please try again.';
    throw new AppError('not_available', { text }, { cause });
  }
  await storeInstallation(who.accountId, who.userId, `Tenant ${registration.tenantId}`, registration);
}

/**
 * Finds the account that the deployment's own tenant belongs to when its app speaks for the first time: that of the
 * owner whose verified e-mail the roster gives for whoever speaks. The tenant is the administrator's choice, so its
 * directory can be believed; in any other the e-mail would be its own administrator's word.
 * @returns null where nobody can be found, or it could be several
 */
export async function claimTenant(
  activity: Received,
  appId: string,
  tenantId: string,
): Promise<TeamsInstallation | null> {
  const registration = defaultRegistration();
  if (appId !== registration.appId || tenantId !== registration.tenantId) return null;
  const key = installationKeyOf(appId, tenantId);
  const place = placeOfConversation(key, activity.conversation.id);
  const conversationId = activity.channelData?.team?.id ?? place.conversationId;
  const target = { appId, serviceUrl: activity.serviceUrl, conversationId };
  const speaker = await readMember(target, activity.from.id).catch((cause: unknown) => {
    // Not taken, Teams sends it again.
    if (cause instanceof TeamsRefusal && !cause.permanent) throw new AppError('teams_unavailable', {}, { cause });
    throw cause;
  });
  const profile = profileOf(speaker, tenantId);
  const email = profile.email?.trim().toLowerCase();
  if (profile.stranger || !email) return null;
  const user = await User.findOne({ email, emailVerified: true }, { _id: 1 }).lean();
  const owned = user ? await Member.find({ userId: user._id, roles: 'owner' }).limit(2).lean() : [];
  const [member] = owned;
  if (!member || owned.length > 1) return null;
  await storeInstallation(member.accountId, member.userId, `Tenant ${tenantId}`, {
    appId,
    tenantId,
    appPassword: null,
  });
  logger.info({ account: member.accountId, installation: key }, 'Teams connected by its owner');
  return findInstallation(key);
}

/** How Teams stands for an account. @returns what is wrong, in words; null where nothing is */
export async function testTeams(accountId: number): Promise<string | null> {
  const rows = await installationsOf(accountId);
  if (rows.length === 0) {
    return 'Teams is not connected. Install the app package and write to Arc there, or enter your own registration below.';
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
