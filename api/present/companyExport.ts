import type { ShownExport } from '../../bot/engine/accounts/companyExports.ts';
import type { CompanyExport } from '../../models/contracts/companyData.ts';

/** An export of everything as owners see it. */
export const presentExport = ({ row, file }: ShownExport): CompanyExport => ({
  id: String(row._id),
  status: row.status === 'dropped' ? 'failed' : row.status,
  askedBy: row.askedBy.name,
  createdAt: row.createdAt.toISOString(),
  done: row.done,
  total: row.total,
  size: file?.size ?? null,
  expiresAt: file?.expiresAt?.toISOString() ?? null,
});
