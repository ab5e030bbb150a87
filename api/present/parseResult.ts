import type { TakenAs } from '../../bot/engine/agents/agent.ts';
import type { ParseResult } from '../../models/contracts/chat.ts';

/** What the agent that took a file saw in it. */
export const presentParseResult = ({ seen: { kind, fileName, rowCount } }: TakenAs): ParseResult => ({
  kind,
  fileName,
  rowCount,
});
