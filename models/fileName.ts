const MAX_LENGTH = 200;
/** Control characters, line breaks of every kind, and marks that change the direction of text. */
const INVISIBLE = /[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]+/gu;
/** One half of a character of two UTF-16 units, without the other: sent so, or cut in two. */
const HALF = /\p{Cs}/gu;

/** A file's name as people read it: without folders, on one line, at most 200 characters; "upload" where none is left. */
export function plainFileName(name: string): string {
  return (
    name
      .replace(/^.*[\\/]/s, '')
      .replace(INVISIBLE, ' ')
      .trim()
      .slice(-MAX_LENGTH)
      // Half of a character can't be written into a URL.
      .replace(HALF, '') || 'upload'
  );
}
