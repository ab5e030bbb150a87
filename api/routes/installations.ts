import type { Router } from 'express';
import { ChannelInstallation, type ChannelInstallationRow } from '../../models/channelInstallation.ts';
import * as contract from '../../models/contracts/channelStatus.ts';
import { AppError } from '../../models/contracts/errors.ts';
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
    return (rows as ChannelInstallationRow[]).map(present);
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
    return present(row as ChannelInstallationRow);
  });
}
