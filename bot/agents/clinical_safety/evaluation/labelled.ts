import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseCsv } from '../reading/csv.ts';
import { decodeText } from '../reading/decodeText.ts';
import office from './office.json' with { type: 'json' };
import tickets from './tickets.json' with { type: 'json' };

/** A ticket with a reader's judgement: whether it is relevant to safety, and the knowledge-base entries that fit. */
export type LabelledTicket = { key: string; summary: string; description: string; relevant: boolean; kbIds: string[] };

/** File of the labels that are not part of the repository, below the folder of such sets. */
export const OUTSIDE_LABELS = 'labels/silver_tickets_dev.csv';

/** The labelled set of the repository: invented tickets of several products. */
export const OWN_LABELS: readonly LabelledTicket[] = tickets;

/**
 * Tickets in the words of an office (invoices, staff, rooms, web pages), most of which concern nobody's safety. Written
 * by who fitted to them.
 */
export const OFFICE_LABELS: readonly LabelledTicket[] = office;

/** The labels outside the repository; null where they are absent. */
export function readOutsideLabels(folder: string): LabelledTicket[] | null {
  const file = join(folder, OUTSIDE_LABELS);
  if (!existsSync(file)) return null;
  const [, ...records] = parseCsv(decodeText(readFileSync(file)), ',');
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
