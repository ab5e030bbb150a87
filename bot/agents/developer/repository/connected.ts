import { CODE_TOOL } from '../../../../models/contracts/developer/card.ts';
import { AppError } from '../../../../models/contracts/errors.ts';
import type { ScopeValues } from '../../../engine/connectors/connector.ts';
import { type ConnectedTool, findTool } from '../../../engine/connectors/toolOf.ts';

type CodeTool = ConnectedTool<'code'> & { values: ScopeValues; repository: string };

const HOW = `The owner can connect ${CODE_TOOL.name} under Integrations and choose a repository with its code`;

/** The account's connected repository, of which code was chosen; null where there is none. */
async function findRepository(accountId: number): Promise<CodeTool | null> {
  const tool = await findTool(accountId, 'code');
  if (!tool?.values || !tool.source.isChosen(tool.values)) return null;
  return { ...tool, values: tool.values, repository: tool.source.nameOf(tool.values) };
}

/** @param what what did not happen without it. @throws AppError not_configured */
export async function requireRepository(accountId: number, what: string): Promise<CodeTool> {
  const tool = await findRepository(accountId);
  if (tool) return tool;
  throw new AppError('not_configured', {
    text: `No repository with its code is connected, so ${what}. ${HOW}; until then the archive is the way.`,
  });
}

/** What to do with a finished app: the way to a pull request. */
export async function describeWayToRepository(accountId: number): Promise<string> {
  const tool = await findRepository(accountId);
  return tool
    ? `Say “Open a pull request” to propose it to ${tool.repository}.`
    : `To get it as a pull request: ${HOW.charAt(0).toLowerCase()}${HOW.slice(1)}.`;
}
