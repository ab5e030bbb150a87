import type { Reading } from './reading.ts';

/** Words that point at an earlier answer, where the question has no noun of its own. */
const POINTING = new Set(['them', 'those', 'these', 'they']);

/**
 * Whether a question without a noun of its own is about the rows of an earlier answer. "The open ones" may be, "open
 * ones of Dr Ahmed" says enough; "nobody keeps it" ends with the row, and "does it leak" begins with another.
 */
export function isOfEarlier<Row>({ tokens, parts, sort, group }: Reading<Row>): boolean {
  const isLittle = parts.length + (sort || group ? 1 : 0) < 2;
  return tokens.some(
    ({ words }, at) =>
      POINTING.has(words) ||
      (words === 'ones' && isLittle) ||
      (words === 'it' && (isLittle || at < tokens.length - 1)) ||
      (words === 'that' && at < 2),
  );
}
