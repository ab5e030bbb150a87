import { createHmac } from 'node:crypto';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { addressFault, lookupPublic, RefusedAddress } from '../network/address.ts';

const TIMEOUT_MS = 10_000;

/**
 * The headers of a signed webhook, by the Standard Webhooks specification (https://www.standardwebhooks.com).
 * @param secret `whsec_` and the key in base64
 * @param id the same for each attempt, so that a receiver can tell a repeat
 * @param seconds since 1970
 */
export function signatureHeaders(secret: string, id: string, seconds: number, body: string): Record<string, string> {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': String(seconds), 'webhook-signature': `v1,${signature}` };
}

/**
 * Posts a signed body once. Redirects are not followed, and what is answered is not read.
 * @returns the HTTP status
 * @throws RefusedAddress, or the network's error
 */
export async function postSigned(
  url: string,
  secret: string,
  { id, body }: { id: string; body: string },
): Promise<number> {
  const fault = addressFault(url);
  if (fault) throw new RefusedAddress(fault);
  const signed = signatureHeaders(secret, id, Math.floor(Date.now() / 1000), body);
  const send = url.startsWith('https:') ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const call = send(
      url,
      {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
          'user-agent': 'Arc',
          ...signed,
        },
        lookup: lookupPublic(),
        // A kept connection would skip the check of the address.
        agent: false,
        signal: AbortSignal.timeout(TIMEOUT_MS),
      },
      (answer) => {
        resolve(answer.statusCode ?? 0);
        answer.destroy();
      },
    );
    call.on('error', reject);
    call.end(body);
  });
}
