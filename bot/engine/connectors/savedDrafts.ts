import { ConnectorScope, type ConnectorScopeRow } from '../../../models/connectorScope.ts';
import { readChoice } from './scope.ts';

/** Drafts whose links are remembered, of each tool. */
const MAX_SAVED = 200;

/** The link to a draft that was saved in a tool before; undefined where none is remembered. */
export const savedLink = ({ saved }: ConnectorScopeRow, key: string): string | undefined =>
  saved?.find((one) => one.key === key)?.url;

/** Remembers the link to a draft, so that a repetition asks the tool nothing. */
export async function rememberSaved(
  { accountId, connector, setAt }: ConnectorScopeRow,
  key: string,
  url: string,
): Promise<void> {
  const before = (await readChoice(accountId, connector))?.saved ?? [];
  const saved = [...before, { key, url }].slice(-MAX_SAVED);
  await ConnectorScope.updateOne({ accountId, connector, setAt }, { $set: { saved } });
}
