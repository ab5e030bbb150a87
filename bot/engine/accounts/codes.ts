import { createHash, randomInt, timingSafeEqual } from 'node:crypto';
import { AppError } from '../../../models/contracts/errors.ts';
import { LIMITS } from '../../../models/contracts/limits.ts';
import { Verification, type VerificationRow } from '../../../models/verification.ts';

const hashCode = (email: string, code: string) => createHash('sha256').update(`${email}:${code}`).digest('hex');

/**
 * Creates a six-digit code and invalidates an earlier one for the same purpose and e-mail.
 * @returns the code, to be mailed
 */
export async function makeCode(
  purpose: VerificationRow['purpose'],
  email: string,
  pending: VerificationRow['pending'] = null,
): Promise<string> {
  const code = String(randomInt(0, 10 ** LIMITS.code.length)).padStart(LIMITS.code.length, '0');
  await Verification.updateOne(
    { purpose, email },
    {
      $set: {
        codeHash: hashCode(email, code),
        tries: 0,
        expiresAt: new Date(Date.now() + LIMITS.code.minutes * 60_000),
        pending,
      },
    },
    { upsert: true },
  );
  return code;
}

/**
 * Consumes a code. The attempt is counted before the comparison, so that concurrent attempts can't exceed the limit.
 * @throws AppError invalid_code
 */
export async function consumeCode(
  purpose: VerificationRow['purpose'],
  email: string,
  code: string,
): Promise<VerificationRow> {
  const row = await Verification.findOneAndUpdate(
    { purpose, email, tries: { $lt: LIMITS.code.tries }, expiresAt: { $gt: new Date() } },
    { $inc: { tries: 1 } },
    { returnDocument: 'after' },
  ).lean();
  const wrong = () => new AppError('invalid_code', {}, { fields: { code: 'Invalid or expired code' } });
  if (!row) throw wrong();
  const given = Buffer.from(hashCode(email, code));
  if (!timingSafeEqual(given, Buffer.from(row.codeHash))) throw wrong();
  const { deletedCount } = await Verification.deleteOne({ purpose, email, codeHash: row.codeHash });
  if (deletedCount !== 1) throw wrong();
  return row;
}
