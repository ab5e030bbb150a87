import type { ListedToken } from '../../bot/engine/access/accessTokens.ts';
import type { AccessTokenView } from '../../models/contracts/accessTokens.ts';

/** An access token as owners see it, without its secrets. */
export const presentAccessToken = (row: ListedToken): AccessTokenView => ({
  id: String(row._id),
  name: row.name,
  scopes: [...row.scopes],
  ending: row.ending,
  madeBy: row.makerName,
  createdAt: row.createdAt.toISOString(),
  lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
  expiresAt: row.expiresAt?.toISOString() ?? null,
  failedWebhooks: row.failedWebhooks,
});
