import { createHmac, timingSafeEqual } from 'node:crypto';
import { Account } from '../../../models/account.ts';
import { AppError } from '../../../models/contracts/errors.ts';
import { baseUrl } from '../../../models/env.ts';
import { Member } from '../../../models/member.ts';
import { loadSecrets } from '../../../models/secrets.ts';
import { changing } from '../../../models/store/revisions.ts';

type Membership = { accountId: number; userId: number };

/** A derived key, so that nothing else signed with the session secret stops a mail. */
const key = () => createHmac('sha256', loadSecrets().sessionSecret).update('arc:unsubscribe').digest();
const sign = ({ accountId, userId }: Membership) =>
  createHmac('sha256', key()).update(`${accountId}.${userId}`).digest('base64url');

/**
 * The page on which a member stops the mails on questions of a company, signed in or not. A mail program's one-click
 * request (RFC 8058) goes to the same address.
 */
export const unsubscribePage = (it: Membership): string =>
  `${baseUrl()}/unsubscribe/${it.accountId}.${it.userId}.${sign(it)}`;

/**
 * Stops the mails on questions for the member that a page's address names.
 * @returns the company's name
 * @throws AppError not_found where the address is none of ours, or the membership has ended
 */
export async function stopQuestionMail(token: string): Promise<string> {
  const [account, user, signature = ''] = token.split('.');
  const it = { accountId: Number(account), userId: Number(user) };
  const [given, expected] = [Buffer.from(signature), Buffer.from(sign(it))];
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) throw new AppError('not_found');
  const stop = () => Member.updateOne(it, { $set: { questionMail: 'never' } });
  const { matchedCount } = await changing(it.accountId, ['account'], stop);
  if (matchedCount !== 1) throw new AppError('not_found');
  return (await Account.findById(it.accountId, { name: 1 }).lean())?.name ?? '';
}
