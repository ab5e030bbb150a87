import { hash, verify } from '@node-rs/argon2';
import { isStrongPassword, PASSWORD_RULE } from '../../../models/contracts/auth.ts';
import { AppError } from '../../../models/contracts/errors.ts';
import { env, SAFE_PASSWORD_MEMORY_KIB } from '../../../models/env.ts';

/** OWASP's second recommendation for argon2id: 19 MiB, two passes, parallelism 1. With less memory (tests) one pass. */
export const settingOf = (memoryCost: number) => ({
  memoryCost,
  timeCost: memoryCost >= SAFE_PASSWORD_MEMORY_KIB ? 2 : 1,
  parallelism: 1,
});
const SETTING = settingOf(env.PASSWORD_MEMORY_KIB);

const COMMON = 'Password too weak: it is a common password. Choose one that nobody else would think of.';

/** Common passwords that the rule would accept; loaded when the first password is set. */
let common: Promise<ReadonlySet<string>> | undefined;
const readCommon = async () => {
  const { default: list } = await import('../../../models/commonPasswords.generated.json', { with: { type: 'json' } });
  return new Set(list.words.split(' '));
};

/** @throws AppError bad_request for a password that is too short, too simple or common */
export async function requireStrongPassword(password: string): Promise<void> {
  const refuse = (text: string) => new AppError('bad_request', {}, { fields: { password: text } });
  if (!isStrongPassword(password)) throw refuse(PASSWORD_RULE);
  common ??= readCommon();
  const given = password.toLowerCase();
  const words = await common;
  // Punctuation around a common password does not make it rare.
  const bare = given.replace(/^[^\p{L}\p{N}]{1,200}/u, '').replace(/[^\p{L}\p{N}]{1,200}$/u, '');
  if (words.has(given) || words.has(bare)) throw refuse(COMMON);
}

/**
 * The encoded argon2id hash of a new password.
 * @throws AppError bad_request where it is too weak
 */
export async function hashPassword(password: string): Promise<string> {
  await requireStrongPassword(password);
  return hash(password, SETTING);
}

/** Hash of a random value, verified for unknown e-mails so that they take as long as a wrong password. */
let decoy: Promise<string> | undefined;

/** Whether the password matches. A null hash (unknown user, or no password) never matches, and takes the same time. */
export async function fitsPassword(passwordHash: string | null, password: string): Promise<boolean> {
  decoy ??= hash(crypto.randomUUID(), SETTING);
  const fits = await verify(passwordHash ?? (await decoy), password).catch(() => false);
  return fits && passwordHash !== null;
}
