import { Types } from 'mongoose';
import { AppError } from '../../../../models/contracts/errors.ts';
import { baseUrl } from '../../../../models/env.ts';
import { logger } from '../../../../models/logger.ts';
import { Member } from '../../../../models/member.ts';
import type { Who } from '../../../../models/policies/who.ts';
import { announce } from '../../../../models/store/revisions.ts';
import { TenantClaim } from '../../../../models/tenantClaim.ts';
import { User } from '../../../../models/user.ts';
import { identify } from '../../../engine/accounts/identify.ts';
import { openConversation } from '../../../engine/conversations/conversations.ts';
import { say } from '../../../engine/delivery/say.ts';
import { profileOf, readMember } from '../identity/people.ts';
import type { Received } from '../platform/activity.ts';
import { addressOf, installationKeyOf, placeOfConversation } from '../platform/address.ts';
import { TeamsRefusal } from '../platform/refusal.ts';
import { defaultRegistration, findInstallation, storeInstallation } from './installations.ts';
import { keepReference, readReference } from './references.ts';

/** A connection that an owner has yet to confirm. */
type WaitingTenant = { id: string; tenantId: string; by: string; at: Date };

const ownKey = () => installationKeyOf(defaultRegistration().appId, defaultRegistration().tenantId);

/**
 * Records that an account owner wrote from the deployment's own tenant, identified by the e-mail in the tenant's
 * roster. The deployment's administrator chose this tenant, so its directory is trusted; another tenant's administrator
 * could enter any e-mail there. This connects nothing yet: an owner confirms on the web
 * (docs/decisions/011-tenant-by-two-steps.md).
 * @returns whether a connection now waits for confirmation
 * @throws AppError teams_unavailable where Teams did not say who wrote
 */
export async function recordClaim(activity: Received, appId: string, tenantId: string): Promise<boolean> {
  const key = installationKeyOf(appId, tenantId);
  if (key !== ownKey()) return false;
  const userId = await findSender(activity, tenantId.toLowerCase());
  const owned = userId === null ? [] : await Member.find({ userId, roles: 'owner' }, { accountId: 1 }).lean();
  for (const { accountId } of owned) {
    await TenantClaim.updateOne(
      { accountId, key },
      {
        $set: { userId, reference: readReference(key, activity), claimedAt: new Date() },
        $setOnInsert: { _id: new Types.ObjectId() },
      },
      { upsert: true },
    );
    announce(accountId, ['integrations']);
    logger.info({ account: accountId, installation: key }, 'an owner wrote from the Teams organisation of this server');
  }
  return owned.length > 0;
}

/** The user id of the sender; null for guests, strangers, and where the e-mail is not verified. */
async function findSender(activity: Received, tenantId: string): Promise<number | null> {
  const { appId } = defaultRegistration();
  const place = placeOfConversation(ownKey(), activity.conversation.id);
  const conversationId = activity.channelData?.team?.id ?? place.conversationId;
  const target = { appId, tenantId, serviceUrl: activity.serviceUrl, conversationId };
  const sender = await readMember(target, activity.from.id).catch((cause: unknown) => {
    // An error that can pass, so that the call is answered later.
    if (cause instanceof TeamsRefusal) throw new AppError('teams_unavailable', {}, { cause });
    throw cause;
  });
  const profile = profileOf(sender, tenantId);
  const email = profile.email?.trim().toLowerCase();
  if (profile.stranger || !email) return null;
  const user = await User.findOne({ email, emailVerified: true }, { _id: 1 }).lean();
  return user?._id ?? null;
}

/** Connections that wait for an owner of the account; none once the organisation is connected. */
export async function listWaitingTenants(accountId: number): Promise<WaitingTenant[]> {
  const key = ownKey();
  const claim = await TenantClaim.findOne({ accountId, key }).lean();
  if (!claim || (await findInstallation(key))) return [];
  const by = (await identify(claim.userId, accountId, Date.now()))?.name ?? 'An owner who has left';
  return [{ id: String(claim._id), tenantId: defaultRegistration().tenantId, by, at: claim.claimedAt }];
}

/**
 * Connects the organisation once an owner confirms that it is their company's. Confirming twice connects it once.
 * @throws AppError not_found where nothing waits or the sender is no longer an owner, not_available where another
 * account was first
 */
export async function confirmTenant({ accountId, userId }: Who, id: string): Promise<void> {
  const key = ownKey();
  const claim = await TenantClaim.findOne({ _id: id, accountId, key }).lean();
  const owner = claim && (await Member.exists({ accountId, userId: claim.userId, roles: 'owner' }));
  if (!claim || !owner) throw new AppError('not_found');
  const { appId, tenantId } = defaultRegistration();
  await storeInstallation(accountId, userId, `Tenant ${tenantId}`, { appId, tenantId, appPassword: null });
  logger.info({ account: accountId, installation: key }, 'Teams connected by its owner');
  await keepReference(accountId, claim.reference);
  const { conversationId, kind } = claim.reference;
  if (kind === 'personal') {
    const conversation = await openConversation(accountId, addressOf(placeOfConversation(key, conversationId)));
    const text = 'Arc is connected to this organisation now. Write to me here, or mention me in a chat or a channel.';
    await say(conversation, { key: `connected:${id}`, messageType: 'system', kind: 'text', text });
  }
  await TenantClaim.deleteMany({ key });
}

/** The reply to somebody whose organisation is not connected. */
export const notConnectedText = (isWaiting: boolean) =>
  isWaiting
    ? `One step is left: confirm on ${baseUrl()}/teams-bot that this organisation is your company’s. Until then I can’t answer here.`
    : `Arc is not connected to this organisation. To connect it, the owner of its Arc account writes to me from the e-mail that is verified in Arc, then confirms on ${baseUrl()}/teams-bot.`;
