import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseCsv } from '../../bot/agents/clinical_safety/reading/csv.ts';
import { decodeText } from '../../bot/agents/clinical_safety/reading/decodeText.ts';

/** A ticket with what a reader said of it. */
export type LabelledTicket = { key: string; summary: string; description: string; relevant: boolean; kbIds: string[] };

const here = dirname(fileURLToPath(import.meta.url));
/** Labels that are not part of the repository; measured against where they are at hand. */
export const OUTSIDE_LABELS = join(here, '../../../shared/data/labels/silver_tickets_dev.csv');

/** The labelled set of the repository: made-up tickets of several products. */
export function readOwnLabels(): LabelledTicket[] {
  const parsed: LabelledTicket[] = JSON.parse(readFileSync(join(here, 'tickets.json'), 'utf8'));
  return parsed;
}

/** The labels outside the repository; null where they are absent. */
export function readOutsideLabels(): LabelledTicket[] | null {
  if (!existsSync(OUTSIDE_LABELS)) return null;
  const [, ...records] = parseCsv(decodeText(readFileSync(OUTSIDE_LABELS)), ',');
  return records
    .filter(({ length }) => length >= 4)
    .map(([key = '', summary = '', description = '', relevant = '', kbIds = '']) => ({
      key,
      summary,
      description,
      relevant: relevant.trim() === '1',
      kbIds: kbIds
        .split('|')
        .map((id) => id.trim())
        .filter(Boolean),
    }));
}
