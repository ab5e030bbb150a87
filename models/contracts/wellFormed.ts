/** How deep a body may nest; deeper is no call of this product, and would end a recursion elsewhere. */
const MAX_DEPTH = 64;

const isWellFormedText = (text: string) => !text.includes('\0') && text.isWellFormed();

/**
 * Whether every text and every key in a value can be stored and sent on as it is: none holds a NUL, which ends keys in
 * BSON, or half of a surrogate pair, which is no character in UTF-8; and the value nests no deeper than 64.
 */
export function isWellFormed(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return isWellFormedText(value);
  if (typeof value !== 'object' || value === null) return true;
  if (depth >= MAX_DEPTH) return false;
  if (Array.isArray(value)) return value.every((one) => isWellFormed(one, depth + 1));
  return Object.entries(value).every(([key, one]) => isWellFormedText(key) && isWellFormed(one, depth + 1));
}
