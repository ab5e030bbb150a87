import { createHash } from 'node:crypto';
import type { ConnectorScopeRow } from '../../../models/connectorScope.ts';
import { baseUrl } from '../../../models/env.ts';
import { logger } from '../../../models/logger.ts';
import { readIntegrations } from '../accounts/integrations.ts';
import type { DocumentSource, RemoteDraft, ScopeValues } from '../connectors/connector.ts';
import { connectionTo, registeredConnectors } from '../connectors/registry.ts';
import { rememberSaved, savedLink } from '../connectors/savedDrafts.ts';
import { readChoice } from '../connectors/scope.ts';
import { textOf } from './documentText.ts';

/** A connected workspace of documents, with what of it was chosen. */
export type Workspace = {
  id: string;
  name: string;
  source: DocumentSource;
  values: ScopeValues;
  choice: ConnectorScopeRow;
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
      const choice = isOn ? await readChoice(accountId, id) : null;
      if (!documents || !scope || !connection || !choice) return [];
      const { values } = choice;
      return [{ id, name, source: documents, values, choice, query: scope.describe(values), connection }];
    }),
  );
  return found.flat();
}

/** The workspace that takes drafts; null where none is connected. */
export const findWorkspace = async (accountId: number): Promise<Workspace | null> =>
  (await readWorkspaces(accountId))[0] ?? null;

/** A draft as a workspace gets it: with its text, and a link back to Arc that no other draft has. */
async function toRemote(accountId: number, draft: Pick<RemoteDraft, 'key' | 'name' | 'type' | 'bytes'>) {
  const key = createHash('sha256').update(`${accountId}:${draft.key}`).digest('hex').slice(0, 40);
  const isTable = /\.xls[xm]$/i.test(draft.name);
  const text = isTable ? null : await textOf(draft.name, draft.bytes);
  return { ...draft, key, text, link: `${baseUrl()}/workspace?draft=${key}` } satisfies RemoteDraft;
}

/**
 * Saves a draft in a connected workspace. A failure is logged and not thrown: the draft is kept in Arc anyway.
 * @returns a sentence with the link; null where it could not be saved
 */
export async function saveInWorkspace(
  accountId: number,
  { id, name, source, values, choice, connection }: Workspace,
  given: Pick<RemoteDraft, 'key' | 'name' | 'type' | 'bytes'>,
): Promise<string | null> {
  const draft = await toRemote(accountId, given);
  const known = savedLink(choice, draft.key);
  if (known) return `A copy is in ${name}: ${known}`;
  try {
    const url = await connection.use(accountId, (access) => source.save(access, values, draft));
    await rememberSaved(choice, draft.key, url);
    return `A copy is in ${name}: ${url}`;
  } catch (error) {
    logger.warn({ account: accountId, connector: id, what: (error as Error).message }, 'a draft was not saved');
    return null;
  }
}
