import { Types } from 'mongoose';
import { ChannelIdentity, type ChannelIdentityRow } from '../../../models/channelIdentity.ts';
import type { ChannelInstallationRow } from '../../../models/channelInstallation.ts';
import type { ChannelName } from '../../../models/contracts/channels.ts';
import { AppError } from '../../../models/contracts/errors.ts';
import { Member } from '../../../models/member.ts';
import type { Who } from '../../../models/policies/who.ts';
import { requireRow } from '../../../models/store/requireRow.ts';
import { User } from '../../../models/user.ts';
import { identify } from './identify.ts';

/** A platform's description of one of its users; `stranger` is a guest or somebody of another organisation. */
export type PlatformProfile = { email: string | null; name: string; stranger: boolean };

export type Identity = {
  platformId: string;
  name: string;
  /** The matched member; null for everybody else. */
  who: Who | null;
  /** Whether they may ask an agent. Only members may answer, by policy. */
  mayAsk: boolean;
};

/**
 * The member behind an identity.
 * @throws AppError not_allowed where there is none
 */
export function memberOf({ who }: Identity): Who {
  if (!who) throw new AppError('not_allowed');
  return who;
}

/** How long a profile is used before the platform is asked again. */
const MAX_PROFILE_AGE_MS = 10 * 60_000;

/**
 * Matches a platform user: a member with that **verified** e-mail, somebody whom the owner admits, or a stranger.
 * Guests and people of other organisations are strangers, whatever their e-mail.
 * @param ask fetches the profile from the platform; called only where the stored one is older than ten minutes
 */
export async function matchIdentity(
  installation: Pick<ChannelInstallationRow, 'accountId' | 'admits'>,
  channel: ChannelName,
  platformId: string,
  ask: () => Promise<PlatformProfile>,
): Promise<Identity> {
  const { accountId } = installation;
  const known = await ChannelIdentity.findOne({ accountId, channel, platformId }).lean();
  const fresh = known && known.refreshedAt.getTime() > Date.now() - MAX_PROFILE_AGE_MS;
  const row = fresh ? known : await refresh(accountId, channel, platformId, await ask());
  const who = row.userId === null || row.stranger ? null : await identify(row.userId, accountId, Date.now());
  return { platformId, name: who?.name ?? row.name, who, mayAsk: who !== null || isAdmitted(installation, row) };
}

function isAdmitted({ admits }: Pick<ChannelInstallationRow, 'admits'>, row: ChannelIdentityRow): boolean {
  if (row.stranger) return false;
  if (admits === 'workspace') return true;
  return Array.isArray(admits) && row.email !== null && admits.includes(row.email);
}

async function refresh(
  accountId: number,
  channel: ChannelName,
  platformId: string,
  profile: PlatformProfile,
): Promise<ChannelIdentityRow> {
  const email = profile.email?.trim().toLowerCase() || null;
  const user =
    email && !profile.stranger ? await User.findOne({ email, emailVerified: true }, { _id: 1 }).lean() : null;
  const member = user ? await Member.exists({ accountId, userId: user._id }) : null;
  const change = {
    email,
    name: profile.name,
    stranger: profile.stranger,
    userId: member && user ? user._id : null,
    refreshedAt: new Date(),
  };
  return requireRow(
    await ChannelIdentity.findOneAndUpdate(
      { accountId, channel, platformId },
      { $set: change, $setOnInsert: { _id: new Types.ObjectId(), accountId, channel, platformId } },
      { upsert: true, returnDocument: 'after' },
    ).lean(),
  );
}
