import { AuditEvent, type AuditEventRow } from '../../../models/auditEvent.ts';

/**
 * A page of an account's audit chain, newest first.
 * @param before the sequence number that every row stays below; the newest rows where none is given
 */
export const readAudit = (
  accountId: number,
  { before, limit }: { before?: number | undefined; limit: number },
): Promise<AuditEventRow[]> =>
  AuditEvent.find({ accountId, ...(before ? { seq: { $lt: before } } : {}) })
    .sort({ seq: -1 })
    .limit(limit)
    .lean();
