import { hash, verify } from '@node-rs/argon2';
import { isStrongPassword, PASSWORD_RULE } from '../../../models/contracts/auth.ts';
import { AppError } from '../../../models/contracts/errors.ts';
import { env, SAFE_PASSWORD_MEMORY_KIB } from '../../../models/env.ts';

/** OWASP's second recommended setting of argon2id: 19 MiB, two passes, one lane; tests take what costs least. */
export const settingOf = (memoryCost: number) => ({
  memoryCost,
  timeCost: memoryCost >= SAFE_PASSWORD_MEMORY_KIB ? 2 : 1,
  parallelism: 1,
});
const SETTING = settingOf(env.PASSWORD_MEMORY_KIB);

const COMMON =
  'Password too weak: it is one of those that are guessed first. Choose one that nobody else would think of.';

/** The commonest passwords that the rule lets through; read when the first password is set. */
let common: Promise<ReadonlySet<string>> | undefined;
const readCommon = async () => {
  const { default: list } = await import('../../../models/commonPasswords.generated.json', { with: { type: 'json' } });
  return new Set(list.words.split(' '));
};

/** @throws AppError bad_request for a password that is too short, too plain, or among the commonest */
export async function requireStrongPassword(password: string): Promise<void> {
  const refuse = (text: string) => new AppError('bad_request', {}, { fields: { password: text } });
  if (!isStrongPassword(password)) throw refuse(PASSWORD_RULE);
  common ??= readCommon();
  const given = password.toLowerCase();
  const words = await common;
  // Exclamation marks around it make no common password a rare one.
  const bare = given.replace(/^[^\p{L}\p{N}]{1,200}/u, '').replace(/[^\p{L}\p{N}]{1,200}$/u, '');
  if (words.has(given) || words.has(bare)) throw refuse(COMMON);
}

/** argon2id hash of a new password, in its own encoded form. @throws AppError bad_request where it is too weak */
export async function hashPassword(password: string): Promise<string> {
  await requireStrongPassword(password);
  return hash(password, SETTING);
}

/** A hash of nothing anyone knows, so that an unknown e-mail takes as long as a wrong password. */
let decoy: Promise<string> | undefined;

/** Whether the password fits. A null hash (unknown user, provider-only user) is always no, in the same time. */
export async function fitsPassword(passwordHash: string | null, password: string): Promise<boolean> {
  decoy ??= hash(crypto.randomUUID(), SETTING);
  const fits = await verify(passwordHash ?? (await decoy), password).catch(() => false);
  return fits && passwordHash !== null;
}
