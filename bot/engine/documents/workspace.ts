import { createHash } from 'node:crypto';
import { logger } from '../../../models/logger.ts';
import { readIntegrations } from '../accounts/integrations.ts';
import type { DocumentSource, ScopeValues } from '../connectors/connector.ts';
import { connectionTo, registeredConnectors } from '../connectors/registry.ts';
import { readScopeValues } from '../connectors/scope.ts';

/** A connected workspace of documents, with what of it was chosen. */
type Workspace = {
  id: string;
  name: string;
  source: DocumentSource;
  values: ScopeValues;
  /** What is read, in a few words. */
  query: string;
  connection: NonNullable<ReturnType<typeof connectionTo>>;
};

/** Every connected workspace of an account that is switched on and of which something was chosen. */
export async function readWorkspaces(accountId: number): Promise<Workspace[]> {
  const connectors = registeredConnectors().filter(({ documents }) => documents);
  if (connectors.length === 0) return [];
  const states = await readIntegrations(accountId);
  const found = await Promise.all(
    connectors.map(async ({ card: { id, name }, documents, scope }): Promise<Workspace[]> => {
      const isOn = states[id]?.authenticated && states[id].enabled;
      const connection = connectionTo(id);
      const values = isOn ? await readScopeValues(accountId, id) : null;
      if (!documents || !scope || !connection || !values) return [];
      return [{ id, name, source: documents, values, query: scope.describe(values), connection }];
    }),
  );
  return found.flat();
}

/** The workspace that takes drafts; null where none is connected. */
export const findWorkspace = async (accountId: number): Promise<Workspace | null> =>
  (await readWorkspaces(accountId))[0] ?? null;

/**
 * Saves a draft in a connected workspace. A failure is logged and not thrown: the draft is kept in Arc anyway.
 * @returns a sentence with the link; null where it could not be saved
 */
export async function saveInWorkspace(
  accountId: number,
  { id, name, source, values, connection }: Workspace,
  draft: { key: string; name: string; type: string; bytes: Uint8Array },
): Promise<string | null> {
  const key = createHash('sha256').update(`${accountId}:${draft.key}`).digest('hex').slice(0, 40);
  try {
    const url = await connection.use(accountId, (access) => source.save(access, values, { ...draft, key }));
    return `A copy is in ${name}: ${url}`;
  } catch (error) {
    logger.warn({ account: accountId, connector: id, what: (error as Error).message }, 'a draft was not saved');
    return null;
  }
}
