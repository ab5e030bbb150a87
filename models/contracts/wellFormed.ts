/** Deepest nesting of a body; deeper ones would overflow recursive code. */
const MAX_DEPTH = 64;

const isWellFormedText = (text: string) => !text.includes('\0') && text.isWellFormed();

/**
 * Whether all strings and keys can be stored and sent: no NUL (it ends keys in BSON), no lone surrogate (not valid
 * UTF-8), nested at most 64 deep.
 */
export function isWellFormed(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return isWellFormedText(value);
  if (typeof value !== 'object' || value === null) return true;
  if (depth >= MAX_DEPTH) return false;
  if (Array.isArray(value)) return value.every((one) => isWellFormed(one, depth + 1));
  return Object.entries(value).every(([key, one]) => isWellFormedText(key) && isWellFormed(one, depth + 1));
}
