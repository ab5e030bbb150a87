import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { Types } from 'mongoose';
import { loadSecrets } from './secrets.ts';
import { entity } from './store/entity.ts';
import { insertRow } from './store/insert.ts';

/**
 * How far an account's audit chain has come, signed with a key that the store does not hold: rows that were cut off at
 * its end, or all of them, would follow one another without a fault.
 */
type AuditHeadRow = {
  _id: Types.ObjectId;
  accountId: number;
  seq: number;
  hash: string;
  /** Rows up to here are from before rows were signed. */
  unsignedUntil: number;
  signature: string;
};

export const AuditHead = entity<AuditHeadRow>({
  name: 'AuditHead',
  collection: 'auditHeads',
  scope: 'customer',
  fields: {
    _id: 'ObjectId',
    seq: Number,
    hash: String,
    unsignedUntil: { type: Number, default: 0 },
    signature: String,
  },
  indexes: [[{ accountId: 1 }, { unique: true }]],
});

let key: Buffer | undefined;
/** HMAC-SHA256 with a key derived from the deployment's encryption key, for this purpose alone. */
function sign(parts: readonly (string | number)[]): string {
  key ??= Buffer.from(hkdfSync('sha256', Buffer.from(loadSecrets().encryptionKey, 'hex'), '', 'arc audit chain', 32));
  return createHmac('sha256', key).update(JSON.stringify(parts)).digest('hex');
}

const isSame = (a: string, b: string) =>
  a.length === b.length && timingSafeEqual(Buffer.from(a, 'utf8'), Buffer.from(b, 'utf8'));

type Signed = { accountId: number; seq: number; hash: string };

/** The signature of one row: its hash holds everything in it and the row before. */
export const signRow = ({ accountId, seq, hash }: Signed): string => sign(['row', accountId, seq, hash]);

export const isSignedRow = (row: Signed & { signature?: string | null }): boolean =>
  typeof row.signature === 'string' && isSame(row.signature, signRow(row));

const signHead = ({ accountId, seq, hash, unsignedUntil }: Omit<AuditHeadRow, '_id' | 'signature'>): string =>
  sign(['head', accountId, seq, hash, unsignedUntil]);

export const isSignedHead = (head: AuditHeadRow): boolean => isSame(head.signature, signHead(head));

/**
 * Writes a head that is further than the one that stands. The first one of a chain is written with its first row; a
 * chain that has rows and no head is left without: what is missing is not made good in silence.
 */
export async function writeHead({ accountId, seq, hash }: Signed, isBeginning: boolean): Promise<void> {
  const standing = await AuditHead.findOne({ accountId }).lean();
  if (!standing) {
    if (!isBeginning) return;
    const head = { accountId, seq, hash, unsignedUntil: 0 };
    await insertRow(AuditHead, { ...head, _id: new Types.ObjectId(), signature: signHead(head) });
    return;
  }
  // One that was tampered with is not made good by signing over it.
  if (!isSignedHead(standing)) return;
  const head = { accountId, seq, hash, unsignedUntil: standing.unsignedUntil };
  await AuditHead.updateOne({ accountId, seq: { $lt: seq } }, { $set: { seq, hash, signature: signHead(head) } });
}

/** Signs a chain of a version that did not sign, as it stands: an operator's word that nothing is missing from it. */
export async function signStanding(last: Signed): Promise<void> {
  const head = { ...last, unsignedUntil: last.seq };
  await insertRow(AuditHead, { ...head, _id: new Types.ObjectId(), signature: signHead(head) });
}
