import { AppError } from '../../../models/contracts/errors.ts';
import { digestOf } from '../../../models/digest.ts';
import { env } from '../../../models/env.ts';
import { logger } from '../../../models/logger.ts';
import { countEvent } from '../../../models/metrics.ts';
import { onWorkers } from '../handover/handover.ts';
import { type Mail, writeHtml, writeText } from './mail.ts';

/** Whether mail is configured. Without it, sign-up creates unverified accounts and reset codes can't be mailed. */
export function mailConfigured(from = env): boolean {
  return from.SMTP_URL !== '';
}

type Message = {
  from: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  messageId?: string;
  headers: Record<string, string>;
};
type Transport = { sendMail(mail: Message): Promise<unknown> };
let transport: Promise<Transport> | undefined;

/**
 * Sends a mail; in a web process, by a worker.
 * @param key idempotency key of a stored mail: the Message-ID is derived from it, so that the reader's mail server
 *   can drop a mail that is sent again after a crash
 * @throws AppError mail_refused where the server rejects the address, mail_unavailable for any other failure
 */
export const sendMail = (to: string, mail: Mail, key?: string): Promise<void> => handToServer({ to, mail, key }, null);

/** A mail server that does not answer is given up after this time. */
const MAX_WAIT_MS = 20_000;

const handToServer = onWorkers<{ to: string; mail: Mail; key?: string | undefined }, void>({
  name: 'mail',
  waitMs: () => MAX_WAIT_MS,
  run: ({ to, mail, key }) => post(to, mail, key),
});

async function post(to: string, mail: Mail, key: string | undefined): Promise<void> {
  transport ??= import('nodemailer').then(({ createTransport }) => createTransport(env.SMTP_URL) as Transport);
  const { subject, unsubscribe } = mail;
  try {
    await (await transport).sendMail({
      from: env.MAIL_FROM,
      to,
      subject,
      text: writeText(mail),
      html: writeHtml(mail),
      ...(key === undefined ? {} : { messageId: await messageIdOf(key) }),
      headers: {
        'Auto-Submitted': 'auto-generated',
        // One-click unsubscription (RFC 8058).
        ...(unsubscribe
          ? {
              'List-Unsubscribe': `<${unsubscribe}>`,
              'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
            }
          : {}),
      },
    });
  } catch (error) {
    const { code, responseCode = 0, command } = error as { code?: string; responseCode?: number; command?: string };
    // The server's reply may contain the address, and the subject may hold a company's name: neither is logged.
    logger.warn({ code, responseCode, command }, 'mail not sent');
    const isRefused = command === 'RCPT TO' && responseCode >= 500;
    countEvent('mails', [isRefused ? 'refused' : 'failed']);
    if (!isRefused) throw new AppError('mail_unavailable');
    throw new AppError('mail_refused', {}, { fields: { email: 'The mail server refused this address.' } });
  }
  countEvent('mails', ['sent']);
  logger.info({ key: key ?? null }, 'mail sent');
}

/** A Message-ID at the domain of the sender. */
async function messageIdOf(key: string): Promise<string> {
  const domain = /@([\w.-]+)/.exec(env.MAIL_FROM)?.[1] ?? 'localhost';
  return `<${(await digestOf(Buffer.from(key))).slice(0, 32)}@${domain}>`;
}
