import { ConnectorGrant } from '../../../models/connectorGrant.ts';
import { LIMITS } from '../../../models/contracts/limits.ts';
import { StoredFile } from '../../../models/file.ts';
import { plainFileName } from '../../../models/fileName.ts';
import { deleteFile, keepFile } from '../../../models/files.ts';
import { logger } from '../../../models/logger.ts';
import { dangerouslyRunInEveryAccount, runInAccount } from '../../../models/store/context.ts';
import { changing } from '../../../models/store/revisions.ts';
import type { RemoteDocument } from '../connectors/connector.ts';
import { registeredConnectors } from '../connectors/registry.ts';
import { readWorkspaces } from './workspace.ts';

const keyOf = (service: string, { id, version }: RemoteDocument) => `document:${service}:${id}:${version}`;

/**
 * Reads the documents of an account's connected workspaces: what is new or changed is kept as a document with its link,
 * what is gone there is deleted here. A workspace that fails keeps what was read of it.
 */
export async function syncDocuments(accountId: number): Promise<void> {
  for (const workspace of await readWorkspaces(accountId)) {
    await syncWorkspace(accountId, workspace).catch((error: Error) =>
      logger.warn({ account: accountId, connector: workspace.id, what: error.message }, 'documents were not read'),
    );
  }
}

/** Reads the documents of every account with a connected workspace, one account after the other. */
export async function syncEveryAccount(): Promise<void> {
  const services = registeredConnectors().flatMap(({ card, documents }) => (documents ? [card.id] : []));
  const connected = await dangerouslyRunInEveryAccount(() =>
    ConnectorGrant.find({ connector: { $in: services }, revokedAt: null }, { accountId: 1 }).lean(),
  );
  for (const accountId of new Set(connected.map((grant) => grant.accountId)))
    await runInAccount(accountId, () => syncDocuments(accountId));
}

type Workspace = Awaited<ReturnType<typeof readWorkspaces>>[number];

async function syncWorkspace(
  accountId: number,
  { id: service, name, source, values, query, connection }: Workspace,
): Promise<void> {
  await connection.use(accountId, async (access) => {
    const listed: RemoteDocument[] = [];
    for (let cursor: string | null = null; ; ) {
      const page: Awaited<ReturnType<typeof source.list>> = await source.list(access, values, cursor);
      listed.push(...page.documents);
      cursor = page.next;
      if (cursor === null || listed.length >= LIMITS.documents.count) break;
    }
    const taken = listed
      .filter(({ bytes }) => bytes === null || bytes <= LIMITS.uploadBytes)
      .slice(0, LIMITS.documents.count);
    const wanted = new Map(taken.map((document) => [keyOf(service, document), document]));
    const held = await StoredFile.find({ accountId, kind: 'document', 'source.service': service }).lean();
    for (const row of held) {
      if (!wanted.has(row.key)) await changing(accountId, ['integrations'], () => deleteFile(row));
    }
    const known = new Set(held.map(({ key }) => key));
    for (const [key, document] of wanted) {
      if (known.has(key)) continue;
      const { fileName, type, bytes } = await source.read(access, document);
      await changing(accountId, ['integrations'], () =>
        keepFile({
          ...{ accountId, key, name: plainFileName(fileName), kind: 'document', type, bytes },
          addedBy: { userId: null, name },
          source: { service, name, query, syncedAt: new Date(), count: 1, url: document.url },
        }),
      );
    }
  });
}
