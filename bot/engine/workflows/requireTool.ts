import { findAgent } from '../../../models/contracts/catalogue.ts';
import { AppError } from '../../../models/contracts/errors.ts';
import { findTool } from '../../../models/contracts/tools.ts';
import type { UserAgentRow } from '../../../models/userAgent.ts';

/**
 * Refuses work with a tool that is switched off for an agent, or that it does not have.
 * @param tool null where the work needs none
 * @throws AppError tool_off
 */
export function requireTool({ agentId, tools }: Pick<UserAgentRow, 'agentId' | 'tools'>, tool: string | null): void {
  if (tool === null || tools.some(({ id, enabled }) => id === tool && enabled)) return;
  throw new AppError('tool_off', {
    tool: findTool(tool)?.name ?? tool,
    agent: findAgent(agentId)?.displayName ?? agentId,
  });
}
