import { type AuditEvent, readAudit, verifyAudit } from '../../models/contracts/audit.ts';
import type { AnswerOf, QueryOf } from '../../models/contracts/endpoint.ts';
import { call } from './call.ts';
import { useCall } from './useCall.ts';

export type AuditFilter = Omit<QueryOf<typeof readAudit>, 'before' | 'limit'>;
export type AuditPage = { events: AuditEvent[]; next: number | null };
export type AuditVerdict = AnswerOf<typeof verifyAudit>;

/** The newest rows of the audit chain that fit a filter. */
export const useAudit = (filter: AuditFilter) => useCall(readAudit, { query: { ...filter, limit: 50 } });

/** The rows before a sequence number. */
export const readOlder = (filter: AuditFilter, before: number): Promise<AuditPage> =>
  call(readAudit, { query: { ...filter, before, limit: 50 } });

/** Verifies the whole chain. */
export const verifyChain = (): Promise<AuditVerdict> => call(verifyAudit);
