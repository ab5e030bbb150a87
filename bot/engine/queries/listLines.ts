/** Most rows, and most groups, in one answer. */
export const MAX_LISTED = 12;

/** A bullet list of the first twelve lines, with a count of the rest. */
export function listLines(lines: readonly string[]): string {
  const shown = lines.slice(0, MAX_LISTED).map((line) => `• ${line}`);
  return [...shown, ...(lines.length > MAX_LISTED ? [`… and ${lines.length - MAX_LISTED} more.`] : [])].join('\n');
}
