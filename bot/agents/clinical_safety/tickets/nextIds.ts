/** So many digits a number of an id has at most; what is longer is counted by nobody. */
const MOST_DIGITS = 9;

/** The text of an id and the number that it ends with; null where it ends with none. */
export function splitNumber(id: string): { prefix: string; digits: string } | null {
  let start = id.length;
  while (/\d/.test(id[start - 1] ?? '')) start -= 1;
  const digits = id.slice(start);
  return digits && digits.length <= MOST_DIGITS ? { prefix: id.slice(0, start), digits } : null;
}

/** The next free ids in the log's own pattern: after NRL11 comes NRL12, after H09 H10, after 52 53. */
export function nextIds(existing: string[], count: number): string[] {
  const patterns = new Map<string, { prefix: string; width: number; highest: number; uses: number }>();
  for (const id of existing) {
    const parted = splitNumber(id.trim());
    if (!parted || parted.prefix === 'row ') continue;
    const { prefix, digits } = parted;
    const pattern = patterns.get(prefix) ?? { prefix, width: 0, highest: 0, uses: 0 };
    pattern.uses += 1;
    pattern.highest = Math.max(pattern.highest, Number(digits));
    if (digits.startsWith('0')) pattern.width = Math.max(pattern.width, digits.length);
    patterns.set(prefix, pattern);
  }
  const [pattern] = [...patterns.values()].sort((a, b) => b.uses - a.uses || b.highest - a.highest);
  const { prefix, width, highest } = pattern ?? { prefix: 'H', width: 2, highest: 0 };
  const taken = new Set(existing.map((id) => id.replace(/\s+/g, '').toUpperCase()));
  const ids: string[] = [];
  for (let number = highest + 1; ids.length < count; number += 1) {
    const id = prefix + String(number).padStart(width, '0');
    if (!taken.has(id.replace(/\s+/g, '').toUpperCase())) ids.push(id);
  }
  return ids;
}
