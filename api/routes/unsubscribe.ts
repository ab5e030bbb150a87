import type { Router } from 'express';
import { stopQuestionMail } from '../../bot/engine/accounts/unsubscribe.ts';
import * as contract from '../../models/contracts/members.ts';
import { bind } from '../middleware/bind.ts';

/** Stops mails by the link in one. Bind it where no session is read: the link alone says whose mails. */
export function unsubscribeRoute(router: Router): void {
  bind(router, contract.stopQuestionMail, async ({ params }) => ({
    success: true as const,
    companyName: await stopQuestionMail(params.token),
  }));
}
