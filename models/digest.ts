import { webcrypto } from 'node:crypto';

/** SHA-256 of bytes, in hexadecimal. Computed off the main thread: a file of 10 MB takes tens of milliseconds. */
export const digestOf = async (bytes: Uint8Array): Promise<string> =>
  Buffer.from(await webcrypto.subtle.digest('SHA-256', bytes)).toString('hex');
