import { createPrivateKey, createPublicKey, hkdfSync, type KeyObject, sign } from 'node:crypto';
import { digestOf } from './digest.ts';
import { loadSecrets } from './secrets.ts';

/** PKCS #8 of an Ed25519 key before its 32 bytes (RFC 8410). */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

let key: KeyObject | undefined;
/** The key that signs release files, derived from the deployment's encryption key, for this purpose alone. */
function privateKey(): KeyObject {
  if (key) return key;
  const seed = Buffer.from(hkdfSync('sha256', Buffer.from(loadSecrets().encryptionKey, 'hex'), '', 'arc release', 32));
  key = createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' });
  return key;
}

const publicBytes = () => createPublicKey(privateKey()).export({ format: 'der', type: 'spki' });

/** The public key, as SPKI in base64. */
export const releasePublicKey = (): string => publicBytes().toString('base64');

/** SHA-256 of the public key, in hexadecimal: what an outsider compares with what the company told them. */
export const releaseFingerprint = (): Promise<string> => digestOf(publicBytes());

/** The Ed25519 signature of bytes, in base64. */
export const signRelease = (bytes: Uint8Array): string => sign(null, bytes, privateKey()).toString('base64');
