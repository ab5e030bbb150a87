import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { Readable, Transform } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { LIMITS } from '../../../models/contracts/limits.ts';
import { lookupPublic, RefusedAddress, webhookFault } from '../webhooks/address.ts';

/** Statuses whose response has no body. */
const EMPTY = new Set([204, 205, 304]);

/** Ends a body that is larger than the limit. */
const limitBytes = () => {
  let bytes = 0;
  return new Transform({
    transform(part: Buffer, _encoding, done) {
      bytes += part.length;
      if (bytes > LIMITS.toolServers.bytes) done(new Error('The server sent more than it may.'));
      else done(null, part);
    },
  });
};

function toResponse(answer: IncomingMessage): Response {
  const status = answer.statusCode ?? 0;
  const headers = new Headers();
  for (const [name, value] of Object.entries(answer.headersDistinct)) headers.set(name, (value ?? []).join(', '));
  if (EMPTY.has(status)) {
    answer.resume();
    return new Response(null, { status, headers });
  }
  const body = limitBytes();
  answer.on('error', (error) => body.destroy(error));
  answer.on('close', () => answer.complete || body.destroy(new Error('The server closed the connection.')));
  body.on('close', () => answer.destroy());
  answer.pipe(body);
  return new Response(Readable.toWeb(body) as ReadableStream<Uint8Array<ArrayBuffer>> as BodyInit, { status, headers });
}

/**
 * A `fetch` for servers of a company: to public addresses only, checked for each connection; redirects are refused, and
 * a body is limited in bytes.
 * @throws RefusedAddress, or the network's error
 */
export async function fetchPublic(url: string | URL, init: RequestInit = {}): Promise<Response> {
  const address = String(url);
  const fault = webhookFault(address);
  if (fault) throw new RefusedAddress(fault);
  const send = address.startsWith('https:') ? requestHttps : requestHttp;
  const body = typeof init.body === 'string' ? init.body : '';
  const headers = Object.fromEntries(new Headers(init.headers));
  return new Promise((resolve, reject) => {
    const call = send(
      address,
      {
        method: init.method ?? 'GET',
        headers: {
          ...headers,
          'user-agent': 'Arc',
          'accept-encoding': 'identity',
          ...(body ? { 'content-length': Buffer.byteLength(body) } : {}),
        },
        lookup: lookupPublic(),
        // A kept connection would skip the check of the address.
        agent: false,
        ...(init.signal ? { signal: init.signal } : {}),
      },
      (answer) => {
        const status = answer.statusCode ?? 0;
        if (status >= 300 && status < 400 && status !== 304) {
          answer.destroy();
          reject(new RefusedAddress('The server leads to another address.'));
        } else resolve(toResponse(answer));
      },
    );
    call.on('error', reject);
    call.end(body);
  });
}
