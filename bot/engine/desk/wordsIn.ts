/** The words of a search, in lower case, numbers without their "#"; each once. */
export const wordsOf = (text: string): string[] => [
  ...new Set(
    text
      .toLowerCase()
      .split(/\s+/)
      .map((word) => word.replace(/^#(?=\d)/, ''))
      .filter(Boolean),
  ),
];

/** How well a row matches: 0 where its id is what was typed, then by the title, then by any text; null where it does not. */
function rankOf(words: readonly string[], id: string, title: string, text: string): number | null {
  const [lowerId, lowerTitle] = [id.toLowerCase(), title.toLowerCase()];
  if (words.length === 1 && words[0] === lowerId) return 0;
  const named = `${lowerId} ${lowerTitle}`;
  if (words.every((word) => named.includes(word))) return 1;
  const all = `${named} ${text.toLowerCase()}`;
  return words.every((word) => all.includes(word)) ? 2 : null;
}

/**
 * The rows that contain every word, best first, at most `most`; rows that match equally well keep their order.
 * @param kind names of this kind of row, in lower case: these words match each of them, so "question 2" is the one with
 *   the id 2
 * @param read a row's id, title and further text
 */
export function bestRows<Row>(
  rows: readonly Row[],
  words: readonly string[],
  kind: readonly string[],
  most: number,
  read: (row: Row) => readonly [id: string, title: string, text: string],
): Row[] {
  const ranks: Row[][] = [[], [], []];
  const wanted = words.filter((word) => !kind.includes(word));
  for (const row of rows) {
    const rank = rankOf(wanted, ...read(row));
    if (rank !== null) ranks[rank]?.push(row);
  }
  return ranks.flat().slice(0, most);
}
