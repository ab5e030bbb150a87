import useSWRInfinite from 'swr/infinite';
import { readAudit, verifyAudit } from '../../models/contracts/audit.ts';
import type { AnswerOf, QueryOf } from '../../models/contracts/endpoint.ts';
import { call, urlOf } from './call.ts';

export type AuditFilter = Omit<QueryOf<typeof readAudit>, 'before' | 'limit'>;
type Rows = AnswerOf<typeof readAudit>;
export type AuditVerdict = AnswerOf<typeof verifyAudit>;

/** Rows in one page. */
const LIMIT = 50;

/**
 * The query of one page of the chain: each begins where the one before ends, so that no row falls between two pages,
 * also after newer rows moved them all. Null after the chain's beginning.
 */
export function auditQuery(filter: AuditFilter, previous: Pick<Rows, 'next'> | null) {
  if (previous === null) return { ...filter, limit: LIMIT };
  return previous.next === null ? null : { ...filter, before: previous.next, limit: LIMIT };
}

/** The rows of the audit chain that fit a filter, the newest first, a page at first and one more at a time. */
export function useAudit(filter: AuditFilter) {
  const { data, error, size, setSize, mutate, isValidating } = useSWRInfinite<Rows, Error>(
    (_index: number, previous: Rows | null) => {
      const query = auditQuery(filter, previous);
      return query && [urlOf(readAudit, { query }), query];
    },
    ([, query]: [string, NonNullable<ReturnType<typeof auditQuery>>]) => call(readAudit, { query }),
  );
  return {
    events: data?.flatMap(({ events }) => events),
    /** Whether the chain has rows older than those read. */
    hasOlder: data?.at(-1)?.next != null,
    error,
    isReading: isValidating,
    /** Reads the next older rows; after a failure, the same ones again. */
    readOlder: () => (error ? mutate() : setSize(size + 1)),
    readAgain: () => mutate(),
  };
}

/** Verifies the whole chain. */
export const verifyChain = (): Promise<AuditVerdict> => call(verifyAudit);
