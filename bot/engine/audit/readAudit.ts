import { AuditEvent, type AuditEventRow } from '../../../models/auditEvent.ts';

/**
 * A page of an account's audit chain, newest first.
 * @param before upper bound (exclusive) of the sequence numbers; without it the newest rows
 */
export const readAudit = (
  accountId: number,
  { before, limit }: { before?: number | undefined; limit: number },
): Promise<AuditEventRow[]> =>
  AuditEvent.find({ accountId, ...(before ? { seq: { $lt: before } } : {}) })
    .sort({ seq: -1 })
    .limit(limit)
    .lean();
