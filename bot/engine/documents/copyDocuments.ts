import { ConnectorScope } from '../../../models/connectorScope.ts';
import { LIMITS } from '../../../models/contracts/limits.ts';
import { type FileRow, StoredFile } from '../../../models/file.ts';
import { plainFileName } from '../../../models/fileName.ts';
import { deleteFile, keepFile } from '../../../models/files.ts';
import { logger } from '../../../models/logger.ts';
import { changing } from '../../../models/store/revisions.ts';
import type { Access, DocumentSource, RemoteDocument, ScopeValues } from '../connectors/connector.ts';
import { CursorRefused, isRefused } from '../connectors/failure.ts';
import { readChoice } from '../connectors/scope.ts';
import type { Workspace } from './workspace.ts';

/** What a listing says of a workspace. */
type Listing = {
  documents: RemoteDocument[];
  gone: string[];
  /** False: only what changed is listed. */
  isComplete: boolean;
  /** Cursor for the next listing; null where that has to be a complete one. */
  mark: string | null;
};

async function readListing(source: DocumentSource, access: Access, values: ScopeValues, mark: string | null) {
  const documents = new Map<string, RemoteDocument>();
  const gone = new Set<string>();
  const isComplete = mark === null;
  const listing = (next: string | null): Listing => ({
    documents: [...documents.values()],
    gone: [...gone],
    isComplete,
    mark: next,
  });
  for (let cursor = mark; ; ) {
    const page = await source.list(access, values, cursor);
    // What is listed twice changed meanwhile: the later one counts.
    for (const document of page.documents) {
      documents.set(document.id, document);
      gone.delete(document.id);
    }
    for (const id of page.gone ?? []) {
      gone.add(id);
      documents.delete(id);
    }
    cursor = page.next;
    if (cursor === null) return listing(page.mark ?? null);
    if (isComplete && documents.size >= LIMITS.documents.count) return listing(null);
  }
}

/** What changed since the mark, where the workspace still accepts it, else everything. */
const listFrom = (source: DocumentSource, access: Access, values: ScopeValues, mark: string | null): Promise<Listing> =>
  readListing(source, access, values, mark).catch((error: unknown) => {
    if (mark === null || !(error instanceof CursorRefused)) throw error;
    return readListing(source, access, values, null);
  });

const keyOf = (service: string, id: string, version = '') => `document:${service}:${id}:${version}`;
const isOf = (service: string, id: string) => {
  const start = keyOf(service, id);
  return ({ key }: Pick<FileRow, 'key'>) => key.startsWith(start);
};

/** What became of a document: `left` where the workspace refuses it, `over` where the choice ended meanwhile. */
type Copied = 'kept' | 'left' | 'over';

async function copyDocument(
  accountId: number,
  access: Access,
  { id: service, name, source, values, query, choice }: Workspace,
  document: RemoteDocument,
): Promise<Copied> {
  try {
    const { fileName, type, bytes } = await source.read(access, document, values);
    return await changing(accountId, ['integrations'], async () => {
      const row = await keepFile({
        ...{ accountId, key: keyOf(service, document.id, document.version), name: plainFileName(fileName) },
        ...{ kind: 'document', type, bytes, addedBy: { userId: null, name } },
        source: { service, name, query, syncedAt: new Date(), count: 1, url: document.url },
      });
      // Disconnecting deletes the choice first and then what was read: what came later than that is deleted here.
      const standing = await readChoice(accountId, service);
      if (standing?.setAt.getTime() === choice.setAt.getTime()) return 'kept';
      await deleteFile(row);
      return 'over';
    });
  } catch (error) {
    // One that can't be read keeps the others from nothing.
    if (!isRefused(error)) throw error;
    logger.warn({ account: accountId, connector: service, what: error.message }, 'a document was not read');
    return 'left';
  }
}

/** Rows of documents that the workspace no longer has, or no longer lets Arc read. */
async function findGone(
  access: Access,
  { id: service, source, values }: Workspace,
  held: readonly FileRow[],
  { documents, gone, isComplete }: Listing,
): Promise<FileRow[]> {
  if (!isComplete) return held.filter((row) => gone.some((id) => isOf(service, id)(row)));
  const missing = held.filter((row) => !documents.some(({ id }) => isOf(service, id)(row)));
  if (!source.isGone) return missing;
  const found: FileRow[] = [];
  for (const row of missing) {
    const [, , id = ''] = row.key.split(':');
    if (await source.isGone(access, values, id)) found.push(row);
  }
  return found;
}

/**
 * Copies the documents of a connected workspace: what is new or changed is kept with its link, what is gone there is
 * deleted here. A changed document replaces its copy once it is read.
 * @param signal ends the reading after the document that is being read
 * @throws AppError where the workspace can't be reached
 */
export async function copyDocuments(accountId: number, workspace: Workspace, signal?: AbortSignal): Promise<void> {
  const { id: service, source, values, connection, choice } = workspace;
  await connection.use(accountId, async (access) => {
    const mark = choice.mark ?? null;
    const listing = await listFrom(source, access, values, mark);
    const held = await StoredFile.find({ accountId, kind: 'document', 'source.service': service }).lean();
    const drop = async (rows: readonly FileRow[]) => {
      signal?.throwIfAborted();
      for (const row of rows) await changing(accountId, ['integrations'], () => deleteFile(row));
    };

    const gone = await findGone(access, workspace, held, listing);
    const fitting = listing.documents.filter(({ bytes }) => bytes === null || bytes <= LIMITS.uploadBytes);
    const kept = held.filter((row) => !gone.includes(row));
    const others = kept.filter((row) => !listing.documents.some(({ id }) => isOf(service, id)(row)));
    const taken = fitting.slice(0, Math.max(0, LIMITS.documents.count - others.length));
    const left = listing.documents.filter((document) => !taken.includes(document));
    const outgrown = kept.filter((row) => left.some(({ id }) => isOf(service, id)(row)));
    await drop([...gone, ...outgrown]);

    let isAll = taken.length === fitting.length;
    for (const document of taken) {
      const key = keyOf(service, document.id, document.version);
      if (kept.some((row) => row.key === key)) continue;
      signal?.throwIfAborted();
      const copied = await copyDocument(accountId, access, workspace, document);
      if (copied === 'over') return;
      if (copied === 'left') isAll = false;
      else await drop(kept.filter(isOf(service, document.id)));
    }
    const next = isAll ? listing.mark : null;
    // Of another choice, made meanwhile, nothing is read yet; another reading may have come further.
    const of = { accountId, connector: service, setAt: choice.setAt, mark };
    if (next !== mark) await ConnectorScope.updateOne(of, { $set: { mark: next } });
  });
}
