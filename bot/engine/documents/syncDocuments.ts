import { ConnectorGrant } from '../../../models/connectorGrant.ts';
import { logger } from '../../../models/logger.ts';
import { dangerouslyRunInEveryAccount, runInAccount } from '../../../models/store/context.ts';
import { registeredConnectors } from '../connectors/registry.ts';
import { copyDocuments } from './copyDocuments.ts';
import { readWorkspaces } from './workspace.ts';

/** Copies the documents of an account's connected workspaces. A workspace that fails keeps what was read of it. */
export async function syncDocuments(accountId: number): Promise<void> {
  for (const workspace of await readWorkspaces(accountId)) {
    await copyDocuments(accountId, workspace).catch((error: Error) =>
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
