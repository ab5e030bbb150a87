import { AuditEvent, auditTrail, GENESIS, hashAuditRow } from '../../../models/auditEvent.ts';
import { AuditHead, sealUntilHead, signStanding, whoSignedHead, whoSignedRow } from '../../../models/auditHead.ts';
import { auditOfAnswer, Interrupt } from '../../../models/interrupt.ts';
import { requireRow } from '../../../models/store/requireRow.ts';
import { recordEvent } from './recordEvent.ts';

type AuditVerdict = {
  whole: boolean;
  rows: number;
  head: string | null;
  /** Sequence number of the first faulty row; null where the fault is not in a row. */
  brokenAt: number | null;
  /** The fault as a sentence; null where the chain is intact. */
  reason: string | null;
  /** Whether it can only be verified with a retired key. */
  needsRetired: boolean;
};

/** The event of every chain's first row. */
const BEGINNING = 'account.created';

/**
 * Verifies an account's audit chain: each row's hash, link, signature and number; its length against the signed head;
 * and that every recorded answer has its row.
 */
export async function verifyAudit(accountId: number): Promise<AuditVerdict> {
  const signed = await AuditHead.findOne({ accountId }).lean();
  const answered = new Map<string, string>();
  let hasSigned = false;
  let rows = 0;
  let head: string | null = null;
  let needsRetired = signed !== null && whoSignedHead(signed) === 'retired';
  const broken = (reason: string, brokenAt: number | null = null): AuditVerdict => ({
    whole: false,
    rows,
    head,
    brokenAt,
    reason,
    needsRetired,
  });
  if (signed && !whoSignedHead(signed)) return broken('The head of the chain is not signed with this server’s key.');
  for await (const it of AuditEvent.find({ accountId }).sort({ seq: 1 }).lean().cursor()) {
    const follows = it.seq === rows + 1 && it.prevHash === (head ?? GENESIS) && it.hash === hashAuditRow(it);
    if (!follows) return broken(`Row ${it.seq} does not follow the one before it.`, it.seq);
    if (signed && it.seq > signed.unsignedUntil) {
      const by = whoSignedRow(it);
      if (by === null) return broken(`Row ${it.seq} is not signed with this server’s key.`, it.seq);
      needsRetired ||= by === 'retired';
    }
    if (it.seq === 1 && !signed?.unsignedUntil && signed && it.event !== BEGINNING)
      return broken('The chain does not begin with the account.', 1);
    if (signed && it.seq === signed.seq && it.hash !== signed.hash)
      return broken(`Row ${it.seq} is not the row that was signed as the head.`, it.seq);
    hasSigned ||= typeof it.signature === 'string';
    if (it.event === 'interrupt.answered') answered.set(it.key, it.outcome);
    rows += 1;
    head = it.hash;
  }
  if (!signed)
    return broken(
      rows === 0
        ? 'The chain has no rows, but every account has at least its first.'
        : `The signed head of the chain is missing.${hasSigned ? '' : ' Where the account is from before Arc signed its chains: npm run audit:verify -- --sign-old.'}`,
    );
  if (rows < signed.seq) return broken(`The chain ends at row ${rows} but had ${signed.seq} rows.`, rows + 1);
  const differing = await findDiffering(accountId, answered);
  if (differing !== null) return broken(`Question ${differing} has an answer that differs from the chain.`);
  return { whole: true, rows, head, brokenAt: null, reason: null, needsRetired };
}

/** Id of the first answered question without a matching row in the chain; null where there is none. */
async function findDiffering(accountId: number, answered: ReadonlyMap<string, string>): Promise<number | null> {
  const decided = { accountId, status: 'resolved' as const };
  const fields = { resolution: 1, answerDigest: 1, outbox: 1 };
  for await (const row of Interrupt.find(decided, fields).sort({ _id: 1 }).lean().cursor()) {
    const { key, outcome } = auditOfAnswer(row);
    if (answered.get(key) === outcome) continue;
    // The audit row is still in the question's outbox and will be written.
    if (!answered.has(key) && row.outbox.includes('audit')) continue;
    // Possibly answered while the rows were being read: check once more.
    if (!(await AuditEvent.exists({ accountId, key, outcome }))) return row._id;
  }
  return null;
}

/**
 * Signs, once and as it is, a chain that was written before rows were signed.
 * @returns whether there was anything to sign
 */
export async function signOldChain(accountId: number): Promise<boolean> {
  if (await AuditHead.exists({ accountId })) return false;
  // A signed row implies a head. If the head is missing, it was lost: signing now would hide the loss.
  if (await AuditEvent.exists({ accountId, signature: { $ne: null } })) return false;
  const last = await AuditEvent.findOne({ accountId }).sort({ seq: -1 }).lean();
  await signStanding({ accountId, seq: last?.seq ?? 0, hash: last?.hash ?? GENESIS });
  return true;
}

/** Attempts to sign a head that others move forward meanwhile. */
const MAX_TRIES = 5;

/**
 * Makes an account's chain independent of retired keys: verifies it, records that the key changed, and signs with the
 * current key that it is whole until there.
 * @returns `sealed`, `current` where it needs no retired key, or why it can't be sealed
 */
export async function sealChain(accountId: number): Promise<'sealed' | 'current' | { reason: string }> {
  const { whole, reason, needsRetired } = await verifyAudit(accountId);
  if (!whole) return { reason: reason ?? 'The chain is not whole.' };
  if (!needsRetired) return 'current';
  const { seq } = requireRow(await auditTrail.head(accountId));
  await recordEvent(accountId, 'keys.changed', {
    userId: null,
    subject: `account:${accountId}`,
    outcome: `row ${seq}`,
  });
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const head = await AuditHead.findOne({ accountId }).lean();
    // Only what was verified may be signed, and what the current key has signed since.
    const row = head && (await AuditEvent.findOne({ accountId, seq: head.seq }).lean());
    if (!row || row.hash !== head.hash || whoSignedRow(row) !== 'current') break;
    if (await sealUntilHead(head)) return 'sealed';
  }
  return { reason: 'The chain has changed meanwhile: run this again.' };
}
