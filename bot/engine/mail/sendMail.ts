import { env } from '../../../models/env.ts';
import { logger } from '../../../models/logger.ts';

/** Whether mail can be sent at all; without it sign-up falls back and resets can't be mailed. */
export function mailConfigured(): boolean {
  return env.SMTP_URL !== '';
}

type Transport = { sendMail(mail: { from: string; to: string; subject: string; text: string }): Promise<unknown> };
let transport: Promise<Transport> | undefined;

/** Sends a plain-text mail. @throws where the server refuses; the caller decides what that means to the person */
export async function sendMail(to: string, subject: string, text: string): Promise<void> {
  transport ??= import('nodemailer').then(({ createTransport }) => createTransport(env.SMTP_URL) as Transport);
  await (await transport).sendMail({ from: env.MAIL_FROM, to, subject, text });
  logger.info({ subject }, 'mail sent');
}
