import { Types } from 'mongoose';
import { ChannelInstallation, type ChannelInstallationRow } from '../../../models/channelInstallation.ts';
import { AppError } from '../../../models/contracts/errors.ts';
import { onceByKey } from '../../../models/store/duplicate.ts';

type Installed = Pick<ChannelInstallationRow, 'accountId' | 'channel' | 'key' | 'name' | 'sealed' | 'installedBy'>;

/**
 * Keeps where an account installed a channel, once by the platform's key; installed again, it replaces what was kept.
 * @param place what is installed, for people: "The workspace Acme"
 * @throws AppError connected_elsewhere while it is another account's
 */
export async function keepInstallation({ channel, key, ...installed }: Installed, place: string): Promise<void> {
  const { accountId } = installed;
  const before = await ChannelInstallation.findOne({ channel, key }, { accountId: 1 }).lean();
  // Whom another account admitted is not admitted by this one.
  const admits = before && before.accountId !== accountId ? { admits: 'members' as const } : {};
  // Where another account has it, nothing is found and what would be inserted is a duplicate: also of two at once.
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

/** Where an account has a channel installed, the newest first. */
export const readInstallations = (accountId: number, channel: ChannelInstallationRow['channel']) =>
  ChannelInstallation.find({ channel, accountId, revokedAt: null }).sort({ _id: -1 }).lean();
