import { AuditEvent, type AuditEventRow, GENESIS, hashAuditRow } from '../../../models/auditEvent.ts';

export type AuditVerdict = { whole: boolean; rows: number; head: string | null; brokenAt: number | null };

/** Walks an account's chain from its first row: every hash over its row, every row after the one before, no gap. */
export async function verifyAudit(accountId: number): Promise<AuditVerdict> {
  let rows = 0;
  let head: string | null = null;
  for await (const row of AuditEvent.find({ accountId }).sort({ seq: 1 }).lean().cursor()) {
    const it = row as AuditEventRow;
    const follows = it.seq === rows + 1 && it.prevHash === (head ?? GENESIS) && it.hash === hashAuditRow(it);
    if (!follows) return { whole: false, rows, head, brokenAt: it.seq };
    rows += 1;
    head = it.hash;
  }
  return { whole: true, rows, head, brokenAt: null };
}
