import { Types } from 'mongoose';
import { ChannelInstallation, type ChannelInstallationRow } from '../../../models/channelInstallation.ts';
import { ChannelReference } from '../../../models/channelReference.ts';
import { AppError } from '../../../models/contracts/errors.ts';
import { logger } from '../../../models/logger.ts';
import { may } from '../../../models/policies/actions.ts';
import type { Who } from '../../../models/policies/who.ts';
import { runInAccount } from '../../../models/store/context.ts';
import { onceByKey } from '../../../models/store/duplicate.ts';
import { announce } from '../../../models/store/revisions.ts';
import { endGrant } from '../grants/endGrant.ts';
import { tryRevoke } from '../grants/tryRevoke.ts';
import { noteConnection } from './integrations.ts';

/** Revokes an installation's tokens at the platform. */
type RevokeInstallation = (row: ChannelInstallationRow, signal: AbortSignal) => Promise<void>;

const revocations = new Map<string, RevokeInstallation>();

/** Registers how each channel revokes an installation; one without `revoke` can't, and people remove Arc there. */
export function registerRevocations(channels: readonly { card: { id: string }; revoke?: RevokeInstallation }[]): void {
  for (const { card, revoke } of channels) if (revoke) revocations.set(card.id, revoke);
}

type Installed = Pick<ChannelInstallationRow, 'accountId' | 'channel' | 'key' | 'name' | 'sealed' | 'installedBy'>;

/**
 * Stores an account's installation of a channel, unique by the platform's key; installing again replaces it.
 * @param place what is installed, for people: "The workspace Acme"
 * @throws AppError connected_elsewhere while another account has it connected
 */
export async function keepInstallation({ channel, key, ...installed }: Installed, place: string): Promise<void> {
  const { accountId } = installed;
  const before = await ChannelInstallation.findOne({ channel, key }, { accountId: 1 }).lean();
  // People admitted by another account must not be admitted by this one.
  const admits = before && before.accountId !== accountId ? { admits: 'members' as const } : {};
  // Where another account holds the key, the filter matches nothing and the upsert fails as a duplicate, also under
  // concurrent installs.
  const free = { $or: [{ accountId }, { revokedAt: { $ne: null } }] };
  const stored = await onceByKey(() =>
    ChannelInstallation.updateOne(
      { channel, key, ...free },
      {
        $set: { ...installed, revokedAt: null, error: null, renewal: null, installedAt: new Date(), ...admits },
        $setOnInsert: { _id: new Types.ObjectId(), createdAt: new Date(), ...(before ? {} : { admits: 'members' }) },
      },
      { upsert: true },
    ),
  );
  if (!stored) throw new AppError('connected_elsewhere', { place });
}

/** An account's current installations of a channel, newest first. */
export const readInstallations = (accountId: number, channel: ChannelInstallationRow['channel']) =>
  ChannelInstallation.find({ channel, accountId, revokedAt: null }).sort({ _id: -1 }).lean();

/** Selects one installation of an account. */
type Which = { accountId: number; channel: ChannelInstallationRow['channel']; id: string };

/**
 * Sets who may ask at an installation besides members.
 * @throws AppError not_found
 */
export async function changeAdmits(
  { accountId, channel, id }: Which,
  admits: ChannelInstallationRow['admits'],
): Promise<ChannelInstallationRow> {
  const row = await ChannelInstallation.findOneAndUpdate(
    { _id: id, accountId, channel, revokedAt: null },
    { $set: { admits } },
    { returnDocument: 'after' },
  ).lean();
  if (!row) throw new AppError('not_found');
  announce(accountId, ['integrations']);
  return row;
}

/** Encryption context of an installation's tokens: they can't be decrypted for anything else. */
export const installationContext = ({ channel, key }: Pick<ChannelInstallationRow, 'channel' | 'key'>): string =>
  `${channel}:${key}`;

/**
 * Revokes an installation at its platform, best effort.
 * @returns whether the platform confirmed it; otherwise people can remove Arc there
 */
export async function revokeInstallation(row: ChannelInstallationRow): Promise<boolean> {
  const revoke = revocations.get(row.channel);
  if (!revoke) return false;
  return tryRevoke((signal) => revoke(row, signal), { account: row.accountId, service: row.channel });
}

/**
 * Ends an installation at the company's request, revoking it at the platform first.
 * @returns whether the platform confirmed the revocation
 * @throws AppError not_found
 */
export async function endInstallation({ accountId, channel, id }: Which): Promise<boolean> {
  const row = await ChannelInstallation.findOne({ _id: id, accountId, channel, revokedAt: null }).lean();
  if (!row) throw new AppError('not_found');
  return endRow(row);
}

/**
 * Ends every installation that an account has of a channel.
 * @returns whether the platform confirmed each revocation
 * @throws AppError not_allowed, not_found where it has none
 */
export async function endInstallations(who: Who, channel: ChannelInstallationRow['channel']): Promise<boolean> {
  if (!may(who, 'integration.connect')) throw new AppError('not_allowed');
  const rows = await readInstallations(who.accountId, channel);
  if (rows.length === 0) throw new AppError('not_found');
  return (await Promise.all(rows.map(endRow))).every(Boolean);
}

async function endRow(row: ChannelInstallationRow): Promise<boolean> {
  const isRevoked = await revokeInstallation(row);
  // An installation that was replaced meanwhile stays.
  const same = { installedAt: row.installedAt ?? null };
  const ended =
    (await endGrant(ChannelInstallation, row, { context: installationContext(row), why: null, condition: same })) ??
    // The platform reported the revocation first, which reads as a broken connection.
    (await ChannelInstallation.findOneAndUpdate(
      { _id: row._id, revokedAt: { $ne: null }, ...same },
      { $set: { error: null } },
      { returnDocument: 'after' },
    ).lean());
  if (ended) await onInstallationEnded(ended);
  return isRevoked;
}

/**
 * Side effects of an ended installation, whoever ended it: its conversations end, and after the account's last
 * installation of the channel the integration shows as disconnected, with the reason.
 */
export async function onInstallationEnded({ accountId, channel, key, error }: ChannelInstallationRow): Promise<void> {
  logger.info({ account: accountId, channel, key }, 'installation ended');
  await runInAccount(accountId, async () => {
    await ChannelReference.updateMany(
      { accountId, channel, installationKey: key, endedAt: null },
      { $set: { endedAt: new Date() } },
    );
    const left = await ChannelInstallation.exists({ accountId, channel, revokedAt: null });
    if (!left) await noteConnection(accountId, channel, false, error);
    announce(accountId, ['integrations']);
  });
}
