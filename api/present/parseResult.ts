import type { TakenAs } from '../../bot/engine/agents/agent.ts';
import type { ParseResult } from '../../models/contracts/chat.ts';

/** What an agent recognised in a file. */
export const presentParseResult = ({ seen: { kind, fileName, rowCount } }: TakenAs): ParseResult => ({
  kind,
  fileName,
  rowCount,
});
