const MAX_CHARACTERS = 80;

/** A title as a file name holds it: letters, digits and a few marks, cut between words; `otherwise` where none is left. */
export function nameOfTitle(title: string, otherwise: string): string {
  const plain = title
    .normalize('NFC')
    .replace(/[^\p{L}\p{N} .,()-]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[. ]+/, '')
    .trim();
  if (plain.length <= MAX_CHARACTERS) return plain || otherwise;
  const cut = plain.slice(0, MAX_CHARACTERS).toWellFormed();
  return cut.slice(0, cut.lastIndexOf(' ') + 1).trim() || cut;
}
