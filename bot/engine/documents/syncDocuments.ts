import { ConnectorScope, type ConnectorScopeRow } from '../../../models/connectorScope.ts';
import { logger } from '../../../models/logger.ts';
import { scheduleSweep } from '../../../models/store/dueTimers.ts';
import { defineWork } from '../../../models/store/work.ts';
import { registeredConnectors } from '../connectors/registry.ts';
import { copyDocuments } from './copyDocuments.ts';
import { indexDocuments } from './documentIndex.ts';
import { readWorkspaces } from './workspace.ts';

/** Milliseconds from one complete reading of a workspace to the next. */
const PAUSE_MS = 10 * 60_000;

/** The connectors that bring documents. */
export const servicesOfDocuments = () =>
  registeredConnectors().flatMap(({ card, documents }) => (documents ? [card.id] : []));

/**
 * Readings of connected workspaces as work that is due again and again. One that fails is tried for about half a day,
 * and then given up until somebody chooses what is read, or an administrator retries it.
 */
export const syncs = defineWork<ConnectorScopeRow>({
  name: 'syncs',
  rows: ConnectorScope,
  // Connectors are registered at the start, after this was read.
  get open() {
    return { connector: { $in: servicesOfDocuments() }, readingStatus: null };
  },
  asRead: ({ setAt }) => ({ setAt }),
  dead: { readingStatus: 'failed' },
  dropped: { readingStatus: 'dropped' },
  // Rows of the release before have no time.
  due: (now) => ({ dueAt: { $not: { $gt: now } } }),
  lanes: [{}],
  leaseMs: 60_000,
  retry: { attempts: 16, firstWait: 60_000, longestWait: 3_600_000, jitter: 0.25 },
  // Each document that is kept is a durable write, and the write of somebody's message waits behind those before it.
  atOnce: 2,
  groupOf: () => null,
});

/**
 * Reads what is due of every account's workspaces.
 * @returns the number of workspaces claimed
 */
export const sweepSyncs = (): Promise<number> =>
  syncs.sweep({ handle: readDocuments, tellSetAside: async () => undefined });

/** Reads the documents of a claimed workspace; where it is switched off or no longer connected, there is nothing to read. */
async function readDocuments(row: ConnectorScopeRow): Promise<void> {
  const { accountId, connector } = row;
  await syncs.hold(row, async (signal) => {
    try {
      const workspace = (await readWorkspaces(accountId)).find(({ id }) => id === connector);
      if (workspace) {
        await copyDocuments(accountId, workspace, signal);
        await indexDocuments(accountId, signal);
      }
      const dueAt = new Date(Date.now() + PAUSE_MS);
      if (await syncs.complete(row, { dueAt, attempts: 0 })) scheduleSweep('syncs', dueAt);
    } catch (error) {
      logger.warn({ account: accountId, connector, what: (error as Error).message }, 'documents were not read');
      await syncs.fail(row, error);
    }
  });
}

/** Makes the readings of an account's workspaces due now, with all attempts, those included that were given up. */
export async function makeSyncsDue(accountId: number): Promise<void> {
  const now = { dueAt: new Date(), readingStatus: null, attempts: 0, error: null };
  await ConnectorScope.updateMany({ accountId, lease: null }, { $set: now });
}

/** Reads the documents of an account's workspaces now, and what else is due. One that is being read is left to that. */
export async function syncDocuments(accountId: number): Promise<void> {
  await makeSyncsDue(accountId);
  await sweepSyncs();
}
