import { createHmac, hkdfSync } from 'node:crypto';
import { Types } from 'mongoose';
import { isSameText } from './sameText.ts';
import { loadSecrets } from './secrets.ts';
import { entity } from './store/entity.ts';
import { insertRow } from './store/insert.ts';

/**
 * The last row of an account's audit chain, signed with a key that is not in the store. Without it, a chain whose last
 * rows (or all rows) were deleted would still verify.
 */
type AuditHeadRow = {
  _id: Types.ObjectId;
  accountId: number;
  seq: number;
  hash: string;
  /** Rows up to this sequence number were written before rows were signed. */
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

type Signed = { accountId: number; seq: number; hash: string };

/** The signature of one row. The hash covers the row's fields and the row before it, so signing it signs both. */
export const signRow = ({ accountId, seq, hash }: Signed): string => sign(['row', accountId, seq, hash]);

export const isSignedRow = (row: Signed & { signature?: string | null }): boolean =>
  typeof row.signature === 'string' && isSameText(row.signature, signRow(row));

const signHead = ({ accountId, seq, hash, unsignedUntil }: Omit<AuditHeadRow, '_id' | 'signature'>): string =>
  sign(['head', accountId, seq, hash, unsignedUntil]);

export const isSignedHead = (head: AuditHeadRow): boolean => isSameText(head.signature, signHead(head));

/**
 * Moves an account's head forward. The first head is created with the first row of the chain only: where rows exist and
 * the head does not, none is created, because that would hide the loss.
 */
export async function writeHead({ accountId, seq, hash }: Signed, isBeginning: boolean): Promise<void> {
  const standing = await AuditHead.findOne({ accountId }).lean();
  if (!standing) {
    if (!isBeginning) return;
    const head = { accountId, seq, hash, unsignedUntil: 0 };
    await insertRow(AuditHead, { ...head, _id: new Types.ObjectId(), signature: signHead(head) });
    return;
  }
  // A head that was tampered with must stay visible: signing it again would hide it.
  if (!isSignedHead(standing)) return;
  const head = { accountId, seq, hash, unsignedUntil: standing.unsignedUntil };
  await AuditHead.updateOne({ accountId, seq: { $lt: seq } }, { $set: { seq, hash, signature: signHead(head) } });
}

/**
 * Creates the head of a chain that was written before rows were signed. The operator vouches that no row is missing.
 */
export async function signStanding(last: Signed): Promise<void> {
  const head = { ...last, unsignedUntil: last.seq };
  await insertRow(AuditHead, { ...head, _id: new Types.ObjectId(), signature: signHead(head) });
}
