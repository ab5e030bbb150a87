import type { Router } from 'express';
import { readAudit } from '../../bot/engine/audit/readAudit.ts';
import { verifyAudit } from '../../bot/engine/audit/verifyAudit.ts';
import * as contract from '../../models/contracts/audit.ts';
import { bind } from '../middleware/bind.ts';
import { presentAuditEvent } from '../present/auditEvent.ts';

/** The account's audit chain. */
export function auditRoutes(router: Router): void {
  bind(router, contract.readAudit, async ({ who, query }) => ({
    events: (await readAudit(who.accountId, query)).map(presentAuditEvent),
  }));

  bind(router, contract.verifyAudit, ({ who }) => verifyAudit(who.accountId));
}
