const MAX_LENGTH = 200;
/** Control characters, line breaks of every kind, and marks that change the direction of text. */
const INVISIBLE = /[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]+/gu;

/** A file's name as people read it: without folders, on one line, at most 200 characters; "upload" where none is left. */
export function plainFileName(name: string): string {
  return (
    name
      .replace(/^.*[\\/]/s, '')
      .replace(INVISIBLE, ' ')
      .trim()
      .slice(-MAX_LENGTH) || 'upload'
  );
}
