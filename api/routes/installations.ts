import type { Router } from 'express';
import { noteConnection } from '../../bot/engine/accounts/integrations.ts';
import { ChannelInstallation, type ChannelInstallationRow } from '../../models/channelInstallation.ts';
import { ChannelReference } from '../../models/channelReference.ts';
import { AppError } from '../../models/contracts/errors.ts';
import * as contract from '../../models/contracts/installations.ts';
import { seal } from '../../models/store/encrypted.ts';
import { announce } from '../../models/store/revisions.ts';
import { bind } from '../middleware/bind.ts';

const present = (row: ChannelInstallationRow) => ({
  id: String(row._id),
  name: row.name,
  admits: row.admits,
  installedAt: row.createdAt.toISOString(),
  error: row.error,
});

/** Where channels are installed, and who may ask there. */
export function installationRoutes(router: Router): void {
  bind(router, contract.listInstallations, async ({ who, params }) => {
    const { channel } = params;
    const rows = await ChannelInstallation.find({ accountId: who.accountId, channel, revokedAt: null }).lean();
    return rows.map(present);
  });

  bind(router, contract.changeInstallation, async ({ who, params, body }) => {
    const { accountId } = who;
    const row = await ChannelInstallation.findOneAndUpdate(
      { _id: params.id, accountId, channel: params.channel, revokedAt: null },
      { $set: { admits: body.admits } },
      { returnDocument: 'after' },
    ).lean();
    if (!row) throw new AppError('not_found');
    announce(accountId, ['integrations']);
    return present(row);
  });

  bind(router, contract.disconnectInstallation, async ({ who, params }) => {
    const { accountId } = who;
    const { channel } = params;
    const row = await ChannelInstallation.findOne({ _id: params.id, accountId, channel, revokedAt: null }).lean();
    if (!row) throw new AppError('not_found');
    await ChannelInstallation.updateOne(
      { _id: row._id },
      { $set: { revokedAt: new Date(), sealed: seal(null, `${channel}:${row.key}`), error: null } },
    );
    await ChannelReference.updateMany(
      { accountId, installationKey: row.key, endedAt: null },
      { $set: { endedAt: new Date() } },
    );
    const left = await ChannelInstallation.exists({ accountId, channel, revokedAt: null });
    if (!left) await noteConnection(accountId, channel, false);
    announce(accountId, ['integrations']);
    return { success: true as const };
  });
}
