import { createHash } from 'node:crypto';
import type { Types } from 'mongoose';
import { signRow, writeHead } from './auditHead.ts';
import { makeChain } from './store/appendOnly.ts';
import { entity } from './store/entity.ts';

/**
 * One audit event: who did what, on which surface, and the digest of what they were shown. Append-only; each row holds
 * the hash of the row before it.
 */
export type AuditEventRow = {
  _id: Types.ObjectId;
  accountId: number;
  seq: number;
  key: string;
  event: string;
  /** Ids and digests only: no names, no words of people or documents. */
  userId: number | null;
  surface: string;
  subject: string;
  shownDigest: string | null;
  outcome: string;
  at: Date;
  prevHash: string;
  hash: string;
  /** HMAC over the hash, with a key that is not in the store; null in rows written before rows were signed. */
  signature: string | null;
};

export const AuditEvent = entity<AuditEventRow>({
  name: 'AuditEvent',
  collection: 'auditEvents',
  scope: 'customer',
  fields: {
    _id: 'ObjectId',
    seq: { type: Number, immutable: true },
    key: { type: String, immutable: true },
    event: { type: String, immutable: true },
    userId: { type: Number, default: null, immutable: true },
    surface: { type: String, immutable: true },
    subject: { type: String, immutable: true },
    shownDigest: { type: String, default: null, immutable: true },
    outcome: { type: String, immutable: true },
    at: { type: Date, immutable: true },
    prevHash: { type: String, immutable: true },
    hash: { type: String, immutable: true },
    signature: { type: String, default: null, immutable: true },
  },
  indexes: [
    [{ accountId: 1, seq: 1 }, { unique: true }],
    [{ accountId: 1, key: 1 }, { unique: true }],
  ],
});

type AuditFact = Pick<AuditEventRow, 'event' | 'userId' | 'surface' | 'subject' | 'shownDigest' | 'outcome'> & {
  at?: Date;
};

/** `prevHash` of the first row of a chain. */
export const GENESIS = '0'.repeat(64);

/** SHA-256, in hexadecimal, over all fields of a row and the hash of the row before it. */
export function hashAuditRow(row: Omit<AuditEventRow, '_id' | 'hash' | 'signature'>): string {
  const parts = [
    row.accountId,
    row.seq,
    row.key,
    row.event,
    row.userId,
    row.surface,
    row.subject,
    row.shownDigest,
    row.outcome,
  ];
  return createHash('sha256')
    .update(JSON.stringify([...parts, row.at.toISOString(), row.prevHash]))
    .digest('hex');
}

/** The account's audit chain. */
export const auditTrail = makeChain<AuditFact, AuditEventRow>(AuditEvent, follow, async (rows) => {
  const [first, last] = [rows[0], rows.at(-1)];
  // A head may be created for the first row of an account only, so that a lost head is never replaced silently.
  if (first && last) await writeHead(last, first.event === 'account.created');
});

function follow(
  before: AuditEventRow | null,
  fact: AuditFact,
  frame: { accountId: number; seq: number },
): Omit<AuditEventRow, '_id' | 'accountId' | 'seq' | 'key'> {
  const row = {
    ...frame,
    key: (fact as AuditFact & { key: string }).key,
    event: fact.event,
    userId: fact.userId,
    surface: fact.surface,
    subject: fact.subject,
    shownDigest: fact.shownDigest,
    outcome: fact.outcome,
    at: fact.at ?? new Date(),
    prevHash: before?.hash ?? GENESIS,
  };
  const hash = hashAuditRow(row);
  return { ...row, hash, signature: signRow({ ...frame, hash }) };
}
