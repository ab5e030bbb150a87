/**
 * Characters of a request that its intent is read from. Patterns with gaps take the square or the cube of a text's
 * length, and every message of everybody is tried by each agent.
 */
const MAX_OPENING = 400;

/** The first line of a request without its courtesies, as far as its intent is read from it. */
export const openingOf = (text: string, courtesies: RegExp): string =>
  (text.trim().replace(courtesies, '').split('\n', 1)[0] ?? '').slice(0, MAX_OPENING);
