import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { Readable, Transform } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { addressFault, lookupPublic, RefusedAddress } from './address.ts';

/** Statuses whose response has no body. */
const EMPTY = new Set([204, 205, 304]);
const isRedirect = (status: number) => status >= 300 && status < 400 && status !== 304;

type Bounds = {
  /** Most bytes of an answer's body. */
  maxBytes: number;
  /** An origin that whoever runs this server has set: it may be inside its own network. */
  trustedOrigin?: string;
};

/** Ends a body that is larger than the limit. */
const limitBytes = (most: number) => {
  let bytes = 0;
  return new Transform({
    transform(part: Buffer, _encoding, done) {
      bytes += part.length;
      if (bytes > most) done(new Error('The server sent more than it may.'));
      else done(null, part);
    },
  });
};

function toResponse(answer: IncomingMessage, maxBytes: number): Response {
  const status = answer.statusCode ?? 0;
  const headers = new Headers();
  for (const [name, value] of Object.entries(answer.headersDistinct)) headers.set(name, (value ?? []).join(', '));
  if (EMPTY.has(status) || isRedirect(status)) {
    answer.resume();
    return new Response(null, { status, headers });
  }
  const body = limitBytes(maxBytes);
  answer.on('error', (error) => body.destroy(error));
  answer.on('close', () => answer.complete || body.destroy(new Error('The server closed the connection.')));
  body.on('close', () => answer.destroy());
  answer.pipe(body);
  return new Response(Readable.toWeb(body) as ReadableStream<Uint8Array<ArrayBuffer>> as BodyInit, { status, headers });
}

/** The bytes to send: texts, forms and bytes; streams are not sent. */
function bytesOf(body: RequestInit['body']): Uint8Array {
  if (typeof body === 'string' || body instanceof URLSearchParams) return Buffer.from(String(body));
  return body instanceof Uint8Array ? body : new Uint8Array();
}

/**
 * A `fetch` for servers outside: to public addresses only, checked for each connection; a body is limited in bytes.
 * Redirects are refused, or returned unread with `redirect: 'manual'`.
 * @throws RefusedAddress, or the network's error
 */
export async function fetchPublic(
  url: string | URL,
  init: RequestInit,
  { maxBytes, trustedOrigin }: Bounds,
): Promise<Response> {
  const address = String(url);
  const isTrusted = trustedOrigin !== undefined && new URL(address).origin === trustedOrigin;
  const fault = isTrusted ? null : addressFault(address);
  if (fault) throw new RefusedAddress(fault);
  const send = address.startsWith('https:') ? requestHttps : requestHttp;
  const body = bytesOf(init.body);
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
          ...(body.byteLength > 0 ? { 'content-length': body.byteLength } : {}),
        },
        ...(isTrusted ? {} : { lookup: lookupPublic() }),
        // A kept connection would skip the check of the address.
        agent: false,
        ...(init.signal ? { signal: init.signal } : {}),
      },
      (answer) => {
        if (isRedirect(answer.statusCode ?? 0) && init.redirect !== 'manual') {
          answer.destroy();
          reject(new RefusedAddress('The server leads to another address.'));
        } else resolve(toResponse(answer, maxBytes));
      },
    );
    call.on('error', reject);
    call.end(body);
  });
}
