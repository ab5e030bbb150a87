import type { Router } from 'express';
import { verifyAudit } from '../../bot/engine/accounts/verifyAudit.ts';
import { AuditEvent } from '../../models/auditEvent.ts';
import * as contract from '../../models/contracts/audit.ts';
import { bind } from '../middleware/bind.ts';

/** The account's audit chain. */
export function auditRoutes(router: Router): void {
  bind(router, contract.readAudit, async ({ who, query }) => {
    const older = query.before ? { seq: { $lt: query.before } } : {};
    const rows = await AuditEvent.find({ accountId: who.accountId, ...older })
      .sort({ seq: -1 })
      .limit(query.limit)
      .lean();
    return {
      events: rows.map(({ seq, event, userId, surface, subject, shownDigest, outcome, at, hash }) => ({
        seq,
        event,
        userId,
        surface,
        subject,
        shownDigest,
        outcome,
        at: at.toISOString(),
        hash,
      })),
    };
  });

  bind(router, contract.verifyAudit, ({ who }) => verifyAudit(who.accountId));
}
