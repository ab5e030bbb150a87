import { HazardFileError } from '../errors.ts';
import type { Grid } from '../ooxml/sheetScanner.ts';
import { normaliseHeader } from '../reading/headerWords.ts';
import { type OpenedFile, openFile } from '../reading/openFile.ts';
import type { TicketRecord } from '../worker/jobs.ts';

type TicketTable = {
  sheet: string;
  records: TicketRecord[];
  duplicates: number;
  empty: number;
  /** Whether the headings can only be those of a ticket export. */
  sure: boolean;
};

type Field = 'key' | 'summary' | 'description' | 'type' | 'labels';

/**
 * Names of columns in trackers' exports, best first (Jira, Linear, GitHub, Azure DevOps, ServiceNow). No name is in two
 * lists.
 */
const FIELD_HEADERS: Record<Field, string[]> = {
  key: [
    'issue key',
    'key',
    'ticket key',
    'identifier',
    'ticket id',
    'ticket number',
    'ticket',
    'issue',
    'issue id',
    'id',
    'work item id',
    'number',
    'ref',
    'reference',
  ],
  summary: ['summary', 'title', 'issue summary', 'subject', 'ticket title', 'short description', 'name'],
  description: [
    'description',
    'body',
    'details',
    'issue description',
    'text',
    'long description',
    'custom field description',
  ],
  type: ['issue type', 'issuetype', 'work item type', 'type', 'ticket type', 'tracker'],
  labels: ['labels', 'components', 'tags', 'component s', 'component', 'label'],
};
const TRACKER_HEADERS = new Set([
  'issue key',
  'issue type',
  'issue id',
  'assignee',
  'reporter',
  'story points',
  'sprint',
  'project key',
  'cycle name',
  'resolution',
  'work item type',
  'created',
  'updated',
  'priority',
  'team',
  'creator',
  'estimate',
  'parent id',
]);
/** A longer text is a sentence, not a heading. */
const MAX_HEADING_LENGTH = 120;
const KEY = /^[A-Z][A-Z0-9_]{0,9}-\d{1,7}$/i;

function findHeader(grid: Grid): { row: number; columns: Map<Field, number>; sure: boolean } | null {
  for (let row = 1, looked = 0; row < grid.rows.length && looked < 30; row += 1) {
    const cells = grid.rows[row];
    if (!cells?.length) continue;
    looked += 1;
    const headers = new Map<string, number>();
    for (const [column, cell] of cells.entries()) {
      const text = (cell?.text.length ?? 0) > MAX_HEADING_LENGTH ? '' : normaliseHeader(cell?.text ?? '');
      if (!headers.has(text)) headers.set(text, column);
    }
    const columns = new Map<Field, number>();
    for (const [field, names] of Object.entries(FIELD_HEADERS) as [Field, string[]][]) {
      const name = names.find((candidate) => headers.has(candidate));
      const column = name === undefined ? undefined : headers.get(name);
      if (column !== undefined) columns.set(field, column);
    }
    const keyColumn = columns.get('key');
    if (!columns.has('summary') || keyColumn === undefined) continue;
    const trackerHeaders = [...headers.keys()].filter((name) => TRACKER_HEADERS.has(name)).length;
    const values = grid.rows.slice(row + 1, row + 40).flatMap((cell) => cell?.[keyColumn]?.text.trim() || []);
    const hasKeys = values.length > 0 && values.filter((value) => KEY.test(value)).length >= values.length * 0.6;
    const hasTrackerName = headers.has('summary') || headers.has('issue key') || headers.has('issue type');
    if (!hasKeys && trackerHeaders < 2 && !(hasTrackerName && columns.has('description'))) continue;
    return {
      row,
      columns,
      sure:
        headers.has('issue key') || headers.has('issue type') || (hasKeys && (hasTrackerName || trackerHeaders >= 1)),
    };
  }
  return null;
}

/** Removes tickets without text and repeated keys; the first ticket of a key stays, with the longest description. */
export function cleanTickets(tickets: TicketRecord[]): { records: TicketRecord[]; duplicates: number; empty: number } {
  const byKey = new Map<string, TicketRecord>();
  let duplicates = 0;
  let empty = 0;
  for (const [at, ticket] of tickets.entries()) {
    const summary = ticket.summary.trim();
    const description = ticket.description.trim();
    if (!summary && !description) {
      empty += 1;
      continue;
    }
    const key = ticket.key.trim() || `row ${at + 1}`;
    const known = byKey.get(key.toUpperCase());
    if (known) {
      duplicates += 1;
      if (description.length > known.description.length) known.description = description;
      continue;
    }
    byKey.set(key.toUpperCase(), {
      ...ticket,
      key,
      summary: summary || (description.split('\n')[0] ?? '').slice(0, 160),
      description,
    });
  }
  return { records: [...byKey.values()], duplicates, empty };
}

/** Reads a ticket export from an opened file; null where no sheet looks like one. */
export function readTicketsFrom(opened: OpenedFile): TicketTable | null {
  for (const grid of opened.grids) {
    const header = findHeader(grid);
    if (!header) continue;
    const raw: TicketRecord[] = [];
    for (let row = header.row + 1; row < grid.rows.length; row += 1) {
      const cells = grid.rows[row];
      if (!cells?.length) continue;
      const text = (field: Field) => {
        const column = header.columns.get(field);
        return column === undefined ? '' : (cells[column]?.text ?? '');
      };
      raw.push({
        key: text('key'),
        summary: text('summary'),
        description: text('description'),
        type: text('type'),
        labels: text('labels'),
      });
    }
    return { sheet: grid.name, sure: header.sure, ...cleanTickets(raw) };
  }
  return null;
}

/**
 * Reads a ticket export.
 * @throws HazardFileError
 */
export async function readTickets(bytes: Uint8Array, fileName: string): Promise<TicketTable> {
  const table = readTicketsFrom(await openFile(bytes, fileName));
  if (!table)
    throw new HazardFileError(
      'not_tickets',
      'No tickets were found in this file. It needs a heading row with a key (or id) and a summary (or title). Export the tickets again as CSV or Excel and try again.',
    );
  return table;
}
