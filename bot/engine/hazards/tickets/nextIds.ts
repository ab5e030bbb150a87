/** The next free ids in the log's own pattern: after NRL11 comes NRL12, after H09 H10, after 52 53. */
export function nextIds(existing: string[], count: number): string[] {
  const patterns = new Map<string, { prefix: string; width: number; highest: number; uses: number }>();
  for (const id of existing) {
    const match = /^(.*?)(\d+)\s*$/.exec(id.trim());
    if (!match || match[2] === undefined || match[1] === undefined || /^row $/.test(match[1])) continue;
    const [prefix, digits] = [match[1], match[2]];
    const pattern = patterns.get(prefix) ?? { prefix, width: 0, highest: 0, uses: 0 };
    pattern.uses += 1;
    pattern.highest = Math.max(pattern.highest, Number(digits));
    if (digits.startsWith('0') || pattern.width === 0)
      pattern.width = Math.max(pattern.width, digits.startsWith('0') ? digits.length : 1);
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
