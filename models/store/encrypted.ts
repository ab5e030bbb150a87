import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { env } from '../env.ts';
import { loadSecrets } from '../secrets.ts';

/** A value encrypted with AES-256-GCM; `keyId` names the key, so that keys can rotate. Binary fields are base64. */
export type Sealed = { keyId: string; nonce: string; tag: string; text: string };

const keyIdOf = (key: Buffer) => createHash('sha256').update(key).digest('hex').slice(0, 8);

/**
 * Encrypts with one key; decrypts with that key and retired ones.
 * @param current key to encrypt with, 64 hexadecimal digits
 * @param retired keys that only decrypt
 */
export function makeSealer(current: string, retired: readonly string[] = []) {
  const [key, ...others] = [current, ...retired].map((it) => Buffer.from(it, 'hex')) as [Buffer, ...Buffer[]];
  const keyId = keyIdOf(key);
  const keys = new Map([key, ...others].map((it) => [keyIdOf(it), it]));
  return {
    /** The id of the key that encrypts. */
    keyId,
    /** Whether this server has the key of a value. */
    hasKey: ({ keyId }: Pick<Sealed, 'keyId'>): boolean => keys.has(keyId),
    seal(value: unknown, context: string): Sealed {
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context));
      const text = Buffer.concat([cipher.update(JSON.stringify(value), 'utf8'), cipher.final()]);
      return {
        keyId,
        nonce: nonce.toString('base64'),
        tag: cipher.getAuthTag().toString('base64'),
        text: text.toString('base64'),
      };
    },
    unseal<T>(sealed: Sealed, context: string): T {
      const opens = keys.get(sealed.keyId);
      if (!opens)
        throw new Error(
          `Encrypted with key ${sealed.keyId}, which this server does not have. Add it to ENCRYPTION_KEYS_RETIRED.`,
        );
      const decipher = createDecipheriv('aes-256-gcm', opens, Buffer.from(sealed.nonce, 'base64'))
        .setAAD(Buffer.from(context))
        .setAuthTag(Buffer.from(sealed.tag, 'base64'));
      const text = Buffer.concat([decipher.update(Buffer.from(sealed.text, 'base64')), decipher.final()]);
      return JSON.parse(text.toString('utf8')) as T;
    },
  };
}

let made: ReturnType<typeof makeSealer> | undefined;
function sealer() {
  made ??= makeSealer(loadSecrets().encryptionKey, env.ENCRYPTION_KEYS_RETIRED);
  return made;
}

/** Encrypts a value as JSON. `context` is authenticated with it: decryption requires the same context. */
export const seal = (value: unknown, context: string): Sealed => sealer().seal(value, context);

/** Whether this server has the key that a value was encrypted with. */
export const hasKeyOf = (sealed: Pick<Sealed, 'keyId'>): boolean => sealer().hasKey(sealed);

/**
 * Decrypts a value of {@link seal}.
 * @throws where the key is missing, the context differs or a byte was changed
 */
export const unseal = <T>(sealed: Sealed, context: string): T => sealer().unseal<T>(sealed, context);

/** The id of the key that values are encrypted with now. */
export const currentKeyId = (): string => sealer().keyId;
