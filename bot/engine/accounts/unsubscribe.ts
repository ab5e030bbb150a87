import { createHmac } from 'node:crypto';
import { Account } from '../../../models/account.ts';
import { AppError } from '../../../models/contracts/errors.ts';
import { baseUrl } from '../../../models/env.ts';
import { Member } from '../../../models/member.ts';
import { isSameText } from '../../../models/sameText.ts';
import { loadSecrets } from '../../../models/secrets.ts';
import { changing } from '../../../models/store/revisions.ts';

type Membership = { accountId: number; userId: number };

/** A derived key, so that no other signature made with the session secret is valid here. */
const key = () => createHmac('sha256', loadSecrets().sessionSecret).update('arc:unsubscribe').digest();
const sign = ({ accountId, userId }: Membership) =>
  createHmac('sha256', key()).update(`${accountId}.${userId}`).digest('base64url');

/**
 * URL of the page that stops a company's question mails to a member. It works without signing in, does not expire, and
 * accepts one-click requests of mail programs (RFC 8058).
 */
export const unsubscribePage = (it: Membership): string =>
  `${baseUrl()}/unsubscribe/${it.accountId}.${it.userId}.${sign(it)}`;

/**
 * Stops question mails to the member that the token names.
 * @param token last part of the URL of {@link unsubscribePage}
 * @returns the company's name
 * @throws AppError not_found if the signature is wrong or the membership has ended
 */
export async function stopQuestionMail(token: string): Promise<string> {
  const [account, user, signature = ''] = token.split('.');
  const it = { accountId: Number(account), userId: Number(user) };
  if (!isSameText(signature, sign(it))) throw new AppError('not_found');
  const stop = () => Member.updateOne(it, { $set: { questionMail: 'never' } });
  const { matchedCount } = await changing(it.accountId, ['account'], stop);
  if (matchedCount !== 1) throw new AppError('not_found');
  return (await Account.findById(it.accountId, { name: 1 }).lean())?.name ?? '';
}
