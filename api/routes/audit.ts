import type { Router } from 'express';
import { readTimeZone } from '../../bot/engine/accounts/timeZone.ts';
import { readAudit } from '../../bot/engine/audit/readAudit.ts';
import { verifyAudit } from '../../bot/engine/audit/verifyAudit.ts';
import * as contract from '../../models/contracts/audit.ts';
import { bind } from '../middleware/bind.ts';
import { presentAuditEvent } from '../present/auditEvent.ts';

/** The account's audit chain. */
export function auditRoutes(router: Router): void {
  bind(router, contract.readAudit, async ({ who, query }) => {
    const { rows, next } = await readAudit(who.accountId, query, await readTimeZone(who.accountId));
    return { events: rows.map(presentAuditEvent), next };
  });

  bind(router, contract.verifyAudit, ({ who }) => verifyAudit(who.accountId));
}
