import { createHmac, hkdfSync } from 'node:crypto';
import { Types } from 'mongoose';
import { env } from './env.ts';
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
  /** Rows up to this sequence number were written before rows were signed, or with a key that is gone: the head covers them. */
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

let keys: Buffer[] | undefined;
/** The keys of signatures, the current one first: each derived from an encryption key, for this purpose alone. */
function readKeys(): Buffer[] {
  keys ??= [loadSecrets().encryptionKey, ...env.ENCRYPTION_KEYS_RETIRED].map((key) =>
    Buffer.from(hkdfSync('sha256', Buffer.from(key, 'hex'), '', 'arc audit chain', 32)),
  );
  return keys;
}

type Parts = readonly (string | number)[];
/** HMAC-SHA256. */
const signWith = (key: Buffer, parts: Parts): string =>
  createHmac('sha256', key).update(JSON.stringify(parts)).digest('hex');
const sign = (parts: Parts): string => signWith(readKeys()[0] as Buffer, parts);

/** Whether the current key made a signature, a retired one did, or none that this server has. */
type SignedBy = 'current' | 'retired' | null;

function whoSigned(signature: string, parts: Parts): SignedBy {
  const at = readKeys().findIndex((key) => isSameText(signature, signWith(key, parts)));
  return at === -1 ? null : at === 0 ? 'current' : 'retired';
}

type Signed = { accountId: number; seq: number; hash: string };

/** The signature of one row. The hash covers the row's fields and the row before it, so signing it signs both. */
export const signRow = (row: Signed): string => sign(partsOfRow(row));
const partsOfRow = ({ accountId, seq, hash }: Signed): Parts => ['row', accountId, seq, hash];

export const whoSignedRow = (row: Signed & { signature?: string | null }): SignedBy =>
  typeof row.signature === 'string' ? whoSigned(row.signature, partsOfRow(row)) : null;

type UnsignedHead = Omit<AuditHeadRow, '_id' | 'signature'>;
const partsOfHead = ({ accountId, seq, hash, unsignedUntil }: UnsignedHead): Parts => [
  'head',
  accountId,
  seq,
  hash,
  unsignedUntil,
];
const signHead = (head: UnsignedHead): string => sign(partsOfHead(head));

export const whoSignedHead = (head: AuditHeadRow): SignedBy => whoSigned(head.signature, partsOfHead(head));

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
  if (!whoSignedHead(standing)) return;
  const head = { accountId, seq, hash, unsignedUntil: standing.unsignedUntil };
  await AuditHead.updateOne({ accountId, seq: { $lt: seq } }, { $set: { seq, hash, signature: signHead(head) } });
}

/**
 * Signs with the current key that a chain is whole up to its head. From then on its earlier rows need no key: each is
 * bound to the head by the hashes.
 * @returns false where the head has moved on meanwhile
 */
export async function sealUntilHead({ accountId, seq, hash, signature }: AuditHeadRow): Promise<boolean> {
  const head = { accountId, seq, hash, unsignedUntil: seq };
  const { modifiedCount } = await AuditHead.updateOne(
    { accountId, signature },
    { $set: { unsignedUntil: seq, signature: signHead(head) } },
  );
  return modifiedCount === 1;
}

/**
 * Creates the head of a chain that was written before rows were signed. The operator vouches that no row is missing.
 */
export async function signStanding(last: Signed): Promise<void> {
  const head = { ...last, unsignedUntil: last.seq };
  await insertRow(AuditHead, { ...head, _id: new Types.ObjectId(), signature: signHead(head) });
}
