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

/** An installation of the account, by its id. */
type Which = { accountId: number; channel: ChannelInstallationRow['channel']; id: string };

/** Says who may ask at an installation besides members. @throws AppError not_found */
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

/** What the tokens of an installation are sealed for: they open for nothing else. */
export const installationContext = ({ channel, key }: Pick<ChannelInstallationRow, 'channel' | 'key'>): string =>
  `${channel}:${key}`;

/** Ends an installation because the company asks for it. @throws AppError not_found */
export async function endInstallation({ accountId, channel, id }: Which): Promise<void> {
  const row = await ChannelInstallation.findOne({ _id: id, accountId, channel, revokedAt: null }).lean();
  const ended = row && (await endGrant(ChannelInstallation, row, { context: installationContext(row), why: null }));
  if (!ended) throw new AppError('not_found');
  await onInstallationEnded(ended);
}

/**
 * What follows when an installation has ended, whoever ended it: its conversations end, and with the last installation
 * of the account the screens say why. Whoever remembers it hears of the change and forgets it.
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
