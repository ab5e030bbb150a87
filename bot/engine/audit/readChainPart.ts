import { AuditEvent, type AuditEventRow } from '../../../models/auditEvent.ts';
import { AppError } from '../../../models/contracts/errors.ts';
import { LIMITS } from '../../../models/contracts/limits.ts';

/** Consecutive rows of an audit chain, with what is needed to verify them without the rest. */
type ChainPart = {
  /** A row a line, as JSON with all that its hash covers. */
  text: string;
  from: number;
  to: number;
  /** Hash of the row before the first; zeros where the part begins with the chain. */
  prevHash: string;
  /** Hash of the last row. */
  head: string;
};

const lineOf = ({ _id, signature: _signature, ...row }: AuditEventRow): string =>
  JSON.stringify({
    accountId: row.accountId,
    seq: row.seq,
    key: row.key,
    event: row.event,
    userId: row.userId,
    surface: row.surface,
    subject: row.subject,
    shownDigest: row.shownDigest,
    outcome: row.outcome,
    at: row.at.toISOString(),
    prevHash: row.prevHash,
    hash: row.hash,
  });

/**
 * The rows of a chain between two of its rows, both included.
 * @param fromKey key of the first row; where there is none, the part begins with the chain
 * @throws AppError not_found where the last row does not exist, not_available where there are too many rows
 */
export async function readChainPart(
  accountId: number,
  { fromKey, toKey }: { fromKey: string; toKey: string },
): Promise<ChainPart> {
  const [first, last] = await Promise.all([
    AuditEvent.findOne({ accountId, key: fromKey }).lean(),
    AuditEvent.findOne({ accountId, key: toKey }).lean(),
  ]);
  if (!last) throw new AppError('not_found');
  const from = first && first.seq <= last.seq ? first.seq : 1;
  const rows = last.seq - from + 1;
  if (rows > LIMITS.releaseRows) {
    const [count, most] = [rows, LIMITS.releaseRows].map((value) => value.toLocaleString('en-GB'));
    throw new AppError('not_available', {
      text: `The audit has ${count} rows since this was begun, and a release file takes ${most}. Analyse the log again, then release that analysis.`,
    });
  }
  const lines: string[] = [];
  let prevHash = '';
  const range = { accountId, seq: { $gte: from, $lte: last.seq } };
  for await (const row of AuditEvent.find(range).sort({ seq: 1 }).lean().cursor()) {
    if (lines.length === 0) prevHash = row.prevHash;
    lines.push(`${lineOf(row)}\n`);
  }
  return { text: lines.join(''), from, to: last.seq, prevHash, head: last.hash };
}
