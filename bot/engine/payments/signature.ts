import { createHmac } from 'node:crypto';
import { LIMITS } from '../../../models/contracts/limits.ts';
import { isSameText } from '../../../models/sameText.ts';

/**
 * Whether a message was signed with the webhook's secret at most five minutes ago
 * (https://docs.stripe.com/webhooks#verify-manually). While a secret is being replaced there are two signatures.
 * @param header `t=SECONDS,v1=HEX,v1=HEX`
 * @param body the bytes as they came
 * @param now in milliseconds
 */
export function isSigned(header: string | undefined, body: Buffer, secret: string, now = Date.now()): boolean {
  const parts = (header ?? '').split(',').map((part) => part.trim().split('='));
  const seconds = parts.find(([name]) => name === 't')?.[1] ?? '';
  if (!/^\d{1,12}$/.test(seconds)) return false;
  if (Math.abs(now / 1000 - Number(seconds)) > LIMITS.payments.signatureSeconds) return false;
  const wanted = createHmac('sha256', secret).update(`${seconds}.`).update(body).digest('hex');
  return parts.some(([name, value = '']) => name === 'v1' && isSameText(value, wanted));
}
