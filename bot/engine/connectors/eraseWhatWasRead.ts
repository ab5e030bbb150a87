import { ConnectorScope } from '../../../models/connectorScope.ts';
import { StoredFile } from '../../../models/file.ts';
import { deleteFile } from '../../../models/files.ts';
import { changing } from '../../../models/store/revisions.ts';
import { TicketReading } from '../../../models/ticketReading.ts';
import { TrackedTicket } from '../../../models/trackedTicket.ts';

/**
 * Deletes what was read with a connection that has ended, and what was chosen to be read. Files that were made of it
 * stay for as long as uploads do: analyses rest on them.
 */
export async function eraseWhatWasRead(accountId: number, connector: string): Promise<void> {
  const of = { accountId, connector };
  // The tickets last: without its reading nobody uses them.
  await ConnectorScope.deleteMany(of);
  await TicketReading.deleteMany(of);
  await TrackedTicket.deleteMany(of);
  const documents = await StoredFile.find({ accountId, kind: 'document', 'source.service': connector }).lean();
  await changing(accountId, ['integrations'], async () => {
    for (const row of documents) await deleteFile(row);
  });
}
