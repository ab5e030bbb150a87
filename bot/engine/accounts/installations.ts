import { Types } from 'mongoose';
import { ChannelInstallation, type ChannelInstallationRow } from '../../../models/channelInstallation.ts';
import { ChannelReference } from '../../../models/channelReference.ts';
import { AppError } from '../../../models/contracts/errors.ts';
import { logger } from '../../../models/logger.ts';
import { runInAccount } from '../../../models/store/context.ts';
import { onceByKey } from '../../../models/store/duplicate.ts';
import { announce } from '../../../models/store/revisions.ts';
import { endGrant } from '../grants/endGrant.ts';
import { noteConnection } from './integrations.ts';

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
 * Ends an installation at the company's request.
 * @throws AppError not_found
 */
export async function endInstallation({ accountId, channel, id }: Which): Promise<void> {
  const row = await ChannelInstallation.findOne({ _id: id, accountId, channel, revokedAt: null }).lean();
  const ended = row && (await endGrant(ChannelInstallation, row, { context: installationContext(row), why: null }));
  if (!ended) throw new AppError('not_found');
  await onInstallationEnded(ended);
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
