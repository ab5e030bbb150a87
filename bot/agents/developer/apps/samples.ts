import type { App, Field } from './app.ts';

const ROWS = 6;
/** Which answer each row has: some come more often, so that a chart shows it. */
const SPREAD = [0, 1, 0, 2, 0, 1];

/** A made-up value of a field, for a row from 0. */
function sampleOf({ type, label, options, min, max }: Field, row: number): string | boolean {
  const number = (row + 1) * 7 + 3;
  const held = Math.max(min ?? number, Math.min(max ?? number, number));
  const values: Record<Field['type'], string | boolean> = {
    text: `${label} ${row + 1}`,
    long: `Example ${row + 1}`,
    number: String(held),
    date: `2026-01-${String(row * 4 + 5).padStart(2, '0')}`,
    time: `${String(8 + row).padStart(2, '0')}:30`,
    email: `person${row + 1}@example.org`,
    phone: `020 7946 000${row + 1}`,
    choice: options[(SPREAD[row] ?? 0) % Math.max(1, options.length)] ?? '',
    check: row % 2 === 0,
  };
  return values[type];
}

/** Made-up rows for the kinds of app that show rows; the app says that they are made up. */
export const sampleRows = ({ kind, fields }: App): Record<string, string | boolean>[] =>
  kind === 'list' || kind === 'dashboard'
    ? Array.from({ length: ROWS }, (_, row) =>
        Object.fromEntries(fields.map((field) => [field.id, sampleOf(field, row)])),
      )
    : [];
