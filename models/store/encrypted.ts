import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { loadSecrets } from '../secrets.ts';

/** A secret at rest: AES-256-GCM, with the id of the key that sealed it, so that keys can rotate. */
export type Sealed = { keyId: string; nonce: string; tag: string; text: string };

const keyIdOf = (key: Buffer) => createHash('sha256').update(key).digest('hex').slice(0, 8);
let current: { id: string; key: Buffer } | undefined;

function currentKey() {
  if (!current) {
    const key = Buffer.from(loadSecrets().encryptionKey, 'hex');
    current = { id: keyIdOf(key), key };
  }
  return current;
}

/** Seals a value as JSON. `context` is bound to it: sealed for one purpose, it opens for no other. */
export function seal(value: unknown, context: string): Sealed {
  const { id, key } = currentKey();
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context));
  const text = Buffer.concat([cipher.update(JSON.stringify(value), 'utf8'), cipher.final()]);
  return {
    keyId: id,
    nonce: nonce.toString('base64'),
    tag: cipher.getAuthTag().toString('base64'),
    text: text.toString('base64'),
  };
}

/** Opens what {@link seal} sealed. @throws where the key is another, the context differs or a byte was changed */
export function unseal<T>(sealed: Sealed, context: string): T {
  const { id, key } = currentKey();
  if (sealed.keyId !== id) throw new Error(`Sealed with key ${sealed.keyId}, which this process does not hold.`);
  const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(sealed.nonce, 'base64'))
    .setAAD(Buffer.from(context))
    .setAuthTag(Buffer.from(sealed.tag, 'base64'));
  const text = Buffer.concat([decipher.update(Buffer.from(sealed.text, 'base64')), decipher.final()]);
  return JSON.parse(text.toString('utf8')) as T;
}
