/** A longer number is not a counter. */
const MAX_DIGITS = 9;

/** Splits an id into its text and its final number; null where it does not end with one. */
export function splitNumber(id: string): { prefix: string; digits: string } | null {
  let start = id.length;
  while (/\d/.test(id[start - 1] ?? '')) start -= 1;
  const digits = id.slice(start);
  return digits && digits.length <= MAX_DIGITS ? { prefix: id.slice(0, start), digits } : null;
}

/** The next free ids in the log's own pattern: NRL12 after NRL11, H10 after H09, 53 after 52. */
export function nextIds(existing: string[], count: number): string[] {
  const patterns = new Map<string, { prefix: string; width: number; highest: number; uses: number }>();
  for (const id of existing) {
    const parts = splitNumber(id.trim());
    if (!parts || parts.prefix === 'row ') continue;
    const { prefix, digits } = parts;
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
