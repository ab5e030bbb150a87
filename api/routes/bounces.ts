import type { Router } from 'express';
import { noteBounces, readGivenUp } from '../../bot/engine/mail/bounces.ts';
import { AppError } from '../../models/contracts/errors.ts';
import * as contract from '../../models/contracts/mail.ts';
import { env } from '../../models/env.ts';
import { isSameText } from '../../models/sameText.ts';
import { bind } from '../middleware/bind.ts';

/**
 * Reports of mails that came back. Bind it where no session is read and texts are parsed. The answer is the same for
 * addresses of users and of nobody.
 */
export function bounceRoute(router: Router): void {
  bind(router, contract.reportBounces, async ({ body, request }) => {
    if (env.MAIL_BOUNCE_TOKEN === '') throw new AppError('not_found');
    const given = /^Bearer (\S+)$/i.exec(request.get('authorization') ?? '')?.[1] ?? '';
    if (!isSameText(given, env.MAIL_BOUNCE_TOKEN)) throw new AppError('bad_token');
    await noteBounces(typeof body === 'string' ? readGivenUp(body) : body.recipients);
    return { received: true as const };
  });
}
