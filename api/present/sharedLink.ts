import type { SharedLinkView } from '../../models/contracts/sharedLinks.ts';
import type { SharedLinkRow } from '../../models/sharedLink.ts';

/** A link as owners see it. */
export const presentSharedLink = (row: SharedLinkRow & { makerName: string }): SharedLinkView => ({
  id: String(row._id),
  madeBy: row.makerName,
  createdAt: row.createdAt.toISOString(),
  expiresAt: row.expiresAt.toISOString(),
  lastOpenedAt: row.lastOpenedAt?.toISOString() ?? null,
  openings: row.openings,
});

/** What a link shows, as JSON text: the result is already text, possibly many megabytes. */
export function presentOpened({ agentId, expiresAt }: SharedLinkRow, result: Buffer): Buffer {
  const frame = JSON.stringify({ agentId, expiresAt: expiresAt.toISOString() });
  return Buffer.concat([Buffer.from(`${frame.slice(0, -1)},"result":`), result, Buffer.from('}')]);
}
