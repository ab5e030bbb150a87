import { hash, verify } from '@node-rs/argon2';

/** OWASP's second recommended setting of argon2id: 19 MiB, two passes, one lane. */
const SETTING = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** argon2id hash of a password, in its own encoded form. */
export function hashPassword(password: string): Promise<string> {
  return hash(password, SETTING);
}

/** A hash of nothing anyone knows, so that an unknown e-mail takes as long as a wrong password. */
let decoy: Promise<string> | undefined;

/** Whether the password fits. A null hash (unknown user, provider-only user) is always no, in the same time. */
export async function fitsPassword(passwordHash: string | null, password: string): Promise<boolean> {
  decoy ??= hashPassword(crypto.randomUUID());
  const fits = await verify(passwordHash ?? (await decoy), password).catch(() => false);
  return fits && passwordHash !== null;
}
