import { Account } from '../../../models/account.ts';
import { auditTrail } from '../../../models/auditEvent.ts';
import { AppError } from '../../../models/contracts/errors.ts';
import type { AnswerBody } from '../../../models/contracts/interrupts.ts';
import type { Surface } from '../../../models/contracts/surface.ts';
import { Interrupt, type InterruptRow, type Signature } from '../../../models/interrupt.ts';
import { requirementOf } from '../../../models/policies/actions.ts';
import type { Who } from '../../../models/policies/who.ts';
import { changing } from '../../../models/store/revisions.ts';
import { User } from '../../../models/user.ts';
import { readAccountSettings } from '../accounts/accountSettings.ts';
import { fitsPassword } from '../accounts/passwords.ts';
import { redrawOpen } from '../delivery/redrawOpen.ts';

/** What an answer says, and on which surface it was given. */
type Given = { outcome: Signature['outcome']; answerDigest: string; via: Surface };

/**
 * How many people have to sign the answer to a question: none unless the company asks for it and the question needs a
 * certain role.
 */
export async function signaturesFor(row: Pick<InterruptRow, 'accountId' | 'requires' | 'status'>): Promise<0 | 1 | 2> {
  if (row.status !== 'pending' || requirementOf(row) === null) return 0;
  const settings = await readAccountSettings(row.accountId);
  if (!settings?.signsAnswers) return 0;
  return settings.signsTwice ? 2 : 1;
}

/**
 * Keeps an answer from where nobody can sign as a proposal; the newest counts. The question stays pending.
 * @throws AppError signature_needed, always: it tells the person what happened and what is left to do
 */
export async function propose(who: Who, row: InterruptRow, { outcome, answerDigest, via }: Given): Promise<never> {
  const at = new Date();
  const proposal = { userId: who.userId, name: who.name, via, at, outcome, answerDigest };
  await auditTrail.append(who.accountId, {
    key: `interrupt:${row._id}:proposed:${who.userId}:${via}:${answerDigest}`,
    event: 'interrupt.proposed',
    userId: who.userId,
    surface: via,
    subject: `interrupt:${row._id}`,
    shownDigest: row.shownDigest,
    outcome: `${outcome}:${answerDigest}`,
    at,
  });
  await changing(who.accountId, ['interrupts'], () =>
    Interrupt.updateOne({ _id: row._id, status: 'pending' }, { $set: { proposal } }),
  );
  redrawOpen(row);
  throw new AppError('signature_needed', {
    text: 'Your answer is kept as a proposal and decides nothing yet. It counts once it is given and signed in Arc: open the question there.',
  });
}

/** The field that a wrong password is refused for. */
const PASSWORD = 'sign.password';

/** Whether an answer was refused because its password was wrong. */
export const isWrongPassword = (error: unknown): boolean =>
  error instanceof AppError && error.fields?.[PASSWORD] !== undefined;

/**
 * Checks a signature: the person's own password and a reason, given together with the answer and for exactly what was
 * shown. It is in the audit before the answer is.
 * @throws AppError conflict where what was shown is not named; bad_request for a wrong password or no reason;
 *   not_available for people without a password
 */
export async function takeSignature(
  who: Who,
  row: InterruptRow,
  { sign, shownDigest }: Pick<AnswerBody, 'sign' | 'shownDigest'>,
  { outcome, answerDigest, via }: Given,
): Promise<Signature> {
  if (!sign || shownDigest !== row.shownDigest) throw new AppError('conflict');
  const reason = sign.reason.trim();
  const refuse = (fields: Record<string, string>) => new AppError('bad_request', {}, { fields });
  if (reason === '') throw refuse({ 'sign.reason': 'Say why you sign this.' });
  const user = await User.findById(who.userId, { passwordHash: 1 }).lean();
  if (!user?.passwordHash)
    throw new AppError('not_available', {
      text: 'You have no password to sign with. Log out, choose “Forgot password” and set one with the mailed code.',
    });
  if (!(await fitsPassword(user.passwordHash, sign.password)))
    throw refuse({ [PASSWORD]: 'This is not your password.' });
  const account = await Account.findById(who.accountId, { clinicalSafetyOfficer: 1 }).lean();
  const officer = account?.clinicalSafetyOfficer;
  const registration =
    officer?.userId === who.userId ? `${officer.profession}, ${officer.register} ${officer.registrationNumber}` : null;
  const signature = { userId: who.userId, name: who.name, at: new Date(), reason, registration, outcome, answerDigest };
  await auditTrail.append(who.accountId, {
    key: `interrupt:${row._id}:signed:${who.userId}:${answerDigest}`,
    event: 'interrupt.signed',
    userId: who.userId,
    surface: via,
    subject: `interrupt:${row._id}`,
    shownDigest: row.shownDigest,
    outcome: `${outcome}:${answerDigest}`,
    at: signature.at,
  });
  return signature;
}
