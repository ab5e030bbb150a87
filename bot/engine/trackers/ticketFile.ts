import { AppError } from '../../../models/contracts/errors.ts';
import { LIMITS } from '../../../models/contracts/limits.ts';
import { plainFileName } from '../../../models/fileName.ts';
import { TrackedTicket } from '../../../models/trackedTicket.ts';
import type { Ticket } from '../connectors/connector.ts';
import { requireTracker } from './tracker.ts';

const HEADINGS = ['Issue key', 'Summary', 'Description', 'Issue Type', 'Labels', 'Status', 'Updated', 'URL'];

/**
 * A field of a CSV file. A space before anything that a spreadsheet could compute keeps it a text; whoever reads
 * tickets trims it.
 */
const field = (text: string): string => `"${(/^\s*[=+\-@]/.test(text) ? ` ${text}` : text).replaceAll('"', '""')}"`;

/** Tickets as a CSV file, in the order given. */
function writeTickets(tickets: readonly Ticket[]): Uint8Array {
  const rows = tickets.map(({ key, summary, description, type, labels, status, changedAt, url }) => [
    ...[key, summary, description, type, labels.join(', '), status, changedAt.toISOString(), url],
  ]);
  const lines = [HEADINGS, ...rows].map((row) => row.map(field).join(','));
  return Buffer.from(`${lines.join('\r\n')}\r\n`, 'utf8');
}

/** "NRL-9" before "NRL-10". */
const inOrder = new Intl.Collator('en', { numeric: true });

/**
 * The tickets of a tracker as they were last read, as a file. The same tickets give the same bytes.
 * @throws AppError not_found, no_tickets where there are none, not_available where they are more than a file may hold
 */
export async function makeTicketFile(
  accountId: number,
  service: string,
  query: string,
): Promise<{ fileName: string; bytes: Uint8Array }> {
  const { id, name } = requireTracker(service);
  const tickets = await TrackedTicket.find({ accountId, connector: id }).lean();
  if (tickets.length === 0) {
    throw new AppError('not_available', { text: `${name} has no tickets in what is read (${query}).` });
  }
  const bytes = writeTickets(tickets.sort((one, other) => inOrder.compare(one.key, other.key)));
  if (bytes.byteLength > LIMITS.uploadBytes) {
    const text = `The tickets are more than ${LIMITS.uploadBytes / 2 ** 20} MB. Choose less of ${name} under Integrations.`;
    throw new AppError('not_available', { text });
  }
  return { fileName: plainFileName(`${name} ${query}.csv`.replaceAll(/[\\/]/g, '-')), bytes };
}
