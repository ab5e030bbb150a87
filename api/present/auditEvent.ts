import type { NamedRow } from '../../bot/engine/audit/readAudit.ts';
import type { AuditEvent } from '../../models/contracts/audit.ts';

/** A row of the audit chain as its owner sees it. */
export const presentAuditEvent = (row: NamedRow): AuditEvent => ({
  seq: row.seq,
  event: row.event,
  userId: row.userId,
  userName: row.userName,
  surface: row.surface,
  subject: row.subject,
  subjectName: row.subjectName,
  shownDigest: row.shownDigest,
  outcome: row.outcome,
  at: row.at.toISOString(),
  hash: row.hash,
});
