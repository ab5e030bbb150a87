import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Request, Response } from 'express';

/** Shorter texts fit into one packet: compressed they arrive no sooner. */
const MIN_BYTES = 1200;

const brotli = promisify(brotliCompress);
/** Brotli's own default takes a hundred times as long as this quality for a tenth less. */
const QUALITY = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };
/** In order of preference, as for the files of the build. */
const ENCODINGS = [
  { name: 'br', pack: (bytes: Buffer) => brotli(bytes, QUALITY) },
  { name: 'gzip', pack: promisify<Buffer, Buffer>(gzip) },
] as const;

/** Sends a text in the best encoding that the caller accepts. The caller sets its type and status before. */
export async function sendCompressed(request: Request, response: Response, text: string | Buffer): Promise<void> {
  response.vary('Accept-Encoding');
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  const encoding =
    bytes.length < MIN_BYTES ? undefined : ENCODINGS.find(({ name }) => request.acceptsEncodings(name) === name);
  if (!encoding) {
    response.send(bytes);
    return;
  }
  const packed = await encoding.pack(bytes);
  response.set('Content-Encoding', encoding.name).send(packed);
}
