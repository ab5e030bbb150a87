import { AuditEvent, GENESIS, hashAuditRow } from '../../../models/auditEvent.ts';
import { AuditHead, isSignedHead, isSignedRow, signStanding } from '../../../models/auditHead.ts';
import { auditOfAnswer, Interrupt } from '../../../models/interrupt.ts';

type AuditVerdict = {
  whole: boolean;
  rows: number;
  head: string | null;
  /** Sequence number of the first faulty row; null where the fault is not in a row. */
  brokenAt: number | null;
  /** The fault as a sentence; null where the chain is intact. */
  reason: string | null;
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
  const broken = (reason: string, brokenAt: number | null = null): AuditVerdict => ({
    whole: false,
    rows,
    head,
    brokenAt,
    reason,
  });
  if (signed && !isSignedHead(signed)) return broken('The head of the chain is not signed with this server’s key.');
  for await (const it of AuditEvent.find({ accountId }).sort({ seq: 1 }).lean().cursor()) {
    const follows = it.seq === rows + 1 && it.prevHash === (head ?? GENESIS) && it.hash === hashAuditRow(it);
    if (!follows) return broken(`Row ${it.seq} does not follow the one before it.`, it.seq);
    if (signed && it.seq > signed.unsignedUntil && !isSignedRow(it))
      return broken(`Row ${it.seq} is not signed with this server’s key.`, it.seq);
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
  return { whole: true, rows, head, brokenAt: null, reason: null };
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
