import { AppError } from '../../../models/contracts/errors.ts';
import { env } from '../../../models/env.ts';
import { logger } from '../../../models/logger.ts';

/** Whether mail is configured. Without it, sign-up creates unverified accounts and reset codes can't be mailed. */
export function mailConfigured(from = env): boolean {
  return from.SMTP_URL !== '';
}

type Transport = { sendMail(mail: { from: string; to: string; subject: string; text: string }): Promise<unknown> };
let transport: Promise<Transport> | undefined;

/**
 * Sends a plain-text mail.
 * @throws AppError mail_refused where the server rejects the address, mail_unavailable for any other failure
 */
export async function sendMail(to: string, subject: string, text: string): Promise<void> {
  transport ??= import('nodemailer').then(({ createTransport }) => createTransport(env.SMTP_URL) as Transport);
  try {
    await (await transport).sendMail({ from: env.MAIL_FROM, to, subject, text });
  } catch (error) {
    const { code, responseCode = 0, command } = error as { code?: string; responseCode?: number; command?: string };
    // The server's reply may contain the address, which must not be logged.
    logger.warn({ subject, code, responseCode, command }, 'mail not sent');
    if (command !== 'RCPT TO' || responseCode < 500) throw new AppError('mail_unavailable');
    throw new AppError('mail_refused', {}, { fields: { email: 'The mail server refused this address.' } });
  }
  logger.info({ subject }, 'mail sent');
}
