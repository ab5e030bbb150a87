import { AuditEvent, GENESIS, hashAuditRow } from '../../../models/auditEvent.ts';
import { AuditHead, isSignedHead, isSignedRow, signStanding } from '../../../models/auditHead.ts';
import { auditOfAnswer, Interrupt } from '../../../models/interrupt.ts';

export type AuditVerdict = {
  whole: boolean;
  rows: number;
  head: string | null;
  /** The first row that is not as it was written; null where the fault is in none of them. */
  brokenAt: number | null;
  /** What is wrong, in words; null where the chain is whole. */
  reason: string | null;
};

/** What the chain of every account begins with. */
const BEGINNING = 'account.created';

/**
 * Walks an account's chain from its first row: every hash over its row, every row after the one before and signed, no
 * gap; its end as far as the signed head says; and every decision that stands as the chain says.
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
      return broken(`Row ${it.seq} is not the one that was signed as the head.`, it.seq);
    hasSigned ||= typeof it.signature === 'string';
    if (it.event === 'interrupt.answered') answered.set(it.key, it.outcome);
    rows += 1;
    head = it.hash;
  }
  if (!signed)
    return broken(
      rows === 0
        ? 'There are no rows: every account has at least the one that began it.'
        : `The signed head of the chain is missing.${hasSigned ? '' : ' Where the account is from before Arc signed its chains: npm run audit:verify -- --sign-old.'}`,
    );
  if (rows < signed.seq) return broken(`The chain ends at row ${rows} and had ${signed.seq}.`, rows + 1);
  const differing = await findDiffering(accountId, answered);
  if (differing !== null) return broken(`Question ${differing} was answered otherwise than the chain says.`);
  return { whole: true, rows, head, brokenAt: null, reason: null };
}

/** The first answered question whose decision the chain does not hold as it stands; null where there is none. */
async function findDiffering(accountId: number, answered: ReadonlyMap<string, string>): Promise<number | null> {
  const decided = { accountId, status: 'resolved' as const };
  const fields = { resolution: 1, answerDigest: 1, outbox: 1 };
  for await (const row of Interrupt.find(decided, fields).sort({ _id: 1 }).lean().cursor()) {
    const { key, outcome } = auditOfAnswer(row);
    if (answered.get(key) === outcome) continue;
    // What still waits to be written into the chain stands in the question's own outbox, and in no row.
    if (!answered.has(key) && row.outbox.includes('audit')) continue;
    // Answered while the rows were read: asked for once more.
    if (!(await AuditEvent.exists({ accountId, key, outcome }))) return row._id;
  }
  return null;
}

/**
 * Signs a chain that was written before rows were signed, once, as it stands.
 * @returns whether there was anything to sign
 */
export async function signOldChain(accountId: number): Promise<boolean> {
  if (await AuditHead.exists({ accountId })) return false;
  // A row that is signed was written with a head, or after one was lost: its loss is a fault, and is not signed away.
  if (await AuditEvent.exists({ accountId, signature: { $ne: null } })) return false;
  const last = await AuditEvent.findOne({ accountId }).sort({ seq: -1 }).lean();
  await signStanding({ accountId, seq: last?.seq ?? 0, hash: last?.hash ?? GENESIS });
  return true;
}
