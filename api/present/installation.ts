import type { ChannelInstallationRow } from '../../models/channelInstallation.ts';
import type { Installation } from '../../models/contracts/installations.ts';

/** An installation as pages get it, without tokens. */
export const presentInstallation = (row: ChannelInstallationRow): Installation => ({
  id: String(row._id),
  name: row.name,
  admits: row.admits,
  installedAt: row.createdAt.toISOString(),
  error: row.error,
});
