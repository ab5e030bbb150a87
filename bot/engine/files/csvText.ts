import { neutralise } from './neutralise.ts';

/** A field of CSV (RFC 4180), in quotation marks where it needs them. */
function fieldOf(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const safe = neutralise(value);
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/**
 * Rows as the text of a CSV file that Excel opens as UTF-8: with a byte order mark, lines ended by CR LF, and nothing that
 * is read as a formula.
 */
export const csvText = (rows: readonly (readonly (string | number)[])[]): string =>
  `\uFEFF${rows.map((row) => `${row.map(fieldOf).join(',')}\r\n`).join('')}`;
