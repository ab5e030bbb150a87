import { AuditEvent } from '../../../models/auditEvent.ts';
import { AuditHead, whoSignedHead, whoSignedRow } from '../../../models/auditHead.ts';

/**
 * Which key seals an account's audit chain: its signed head, the row that the head names, and the first row that needs a
 * key are read. The rows between are left to `verifyAudit`.
 * @returns null without a head, or where no key of this server has signed it, or its row is another one
 */
export async function readSeal(accountId: number): Promise<'current' | 'retired' | null> {
  const head = await AuditHead.findOne({ accountId }).lean();
  const byHead = head && whoSignedHead(head);
  if (!head || !byHead) return null;
  const [last, first] = await Promise.all([
    AuditEvent.findOne({ accountId, seq: head.seq }).lean(),
    AuditEvent.findOne({ accountId, seq: head.unsignedUntil + 1 }).lean(),
  ]);
  if (last?.hash !== head.hash) return null;
  // Keys follow one another: the oldest row that needs a key tells whether a retired one is needed.
  const byFirst = first === null ? byHead : whoSignedRow(first);
  return byFirst === 'current' ? byHead : byFirst;
}
