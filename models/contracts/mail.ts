import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { LIMITS } from './limits.ts';

export const reportBounces = endpoint({
  method: 'post',
  path: '/api/mail/bounces',
  summary:
    'Mails that came back: a raw mail with a delivery status report (RFC 3464), or the addresses. For the mail server, with MAIL_BOUNCE_TOKEN',
  policy: 'public',
  rate: 'mailBounces',
  body: z.union([
    z.string(),
    z.object({ recipients: z.array(z.string().min(3).max(320)).min(1).max(LIMITS.bounces.recipients) }),
  ]),
  answer: z.object({ received: z.literal(true) }),
});
