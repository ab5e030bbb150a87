import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';
import type { FileRow } from '../../models/file.ts';
import { ANSWERED } from './bind.ts';

/**
 * Answers with a stored file as a download under its name, kept by no cache.
 * @param bytes of the file, opened by the caller: what is no longer kept is refused before the audit says downloaded
 */
export async function sendFile(response: Response, file: FileRow, bytes: Readable): Promise<typeof ANSWERED> {
  response.attachment(file.name).type(file.type);
  response.set({
    'Content-Length': String(file.size),
    'Cache-Control': 'private, no-store',
    'X-Content-Type-Options': 'nosniff',
  });
  await pipeline(bytes, response);
  return ANSWERED;
}
