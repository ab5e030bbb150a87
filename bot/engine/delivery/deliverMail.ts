import { runInBackground } from '../../../models/background.ts';
import { AppError } from '../../../models/contracts/errors.ts';
import type { DeliveryRow } from '../../../models/delivery.ts';
import { logger } from '../../../models/logger.ts';
import { Member } from '../../../models/member.ts';
import { User } from '../../../models/user.ts';
import { mailConfigured, sendMail } from '../mail/sendMail.ts';
import { type MailFacts, type MailName, writeMail } from './mails.ts';
import { tryDelivery, writeDelivery, writeLater } from './outbox.ts';
import { PermanentError } from './permanentError.ts';

/**
 * Stores a mail to a member, once per key and member, and sends it in the background; the sweeper retries it. Without a
 * mail server it only becomes a log line.
 * @param key idempotency key within the account
 * @param dueAt when to send it; null or a past time sends at once
 */
export async function mailMember<Name extends MailName>(
  to: { accountId: number; userId: number },
  key: string,
  name: Name,
  facts: MailFacts[Name],
  dueAt: Date | null = null,
): Promise<void> {
  const { accountId, userId } = to;
  const it = { accountId, surface: 'mail', key: `mail:${key}:${userId}`, mail: { userId, name, facts } } as const;
  if (dueAt && dueAt.getTime() > Date.now()) return writeLater(it, dueAt);
  const delivery = await writeDelivery(it);
  if (delivery) runInBackground('a mail', sendStoredMail(delivery));
}

/** Sends a claimed mail, unless its question was answered or its reader has left in the meantime. Never throws. */
export async function sendStoredMail(delivery: DeliveryRow): Promise<void> {
  await tryDelivery(delivery, async () => ((await post(delivery)) ? null : { skipped: true }));
}

/**
 * @returns false if there is nothing to send any more
 * @throws PermanentError if the server refuses the address; any other Error is retried
 */
async function post({ accountId, key, mail }: DeliveryRow): Promise<boolean> {
  if (!mail) return false;
  const [user, member] = await Promise.all([
    User.findById(mail.userId).lean(),
    Member.findOne({ accountId, userId: mail.userId }).lean(),
  ]);
  if (!user || !member) return false;
  const written = await writeMail(mail.name as MailName, mail.facts as never, member);
  if (!written) return false;
  if (!mailConfigured()) {
    logger.info({ account: accountId, user: user._id, mail: mail.name }, 'not mailed: SMTP_URL is not set');
    return false;
  }
  // An unverified address may belong to a stranger.
  if (!user.emailVerified || user.mailRefusedAt) return false;
  try {
    await sendMail(user.email, written, `${accountId}:${key}`);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'mail_refused') throw error;
    await User.updateOne({ _id: user._id }, { $set: { mailRefusedAt: new Date() } });
    throw new PermanentError('The mail server refused the address.');
  }
  return true;
}
