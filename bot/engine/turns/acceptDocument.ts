import { AppError } from '../../../models/contracts/errors.ts';
import { readFileBytes } from '../../../models/files.ts';
import type { Who } from '../../../models/policies/who.ts';
import type { TakenAs } from '../agents/agent.ts';
import { openChat } from '../conversations/threads.ts';
import { isAnalysable } from '../documents/documentType.ts';
import { findDocument } from '../documents/sandbox.ts';
import { acceptFile } from './acceptFile.ts';

/**
 * Gives a document of the sandbox workspace to the agents in the person's arc-chat.
 * @throws AppError file_not_found, expired, invalid_file_type for a document that no agent reads, invalid_file
 */
export async function acceptDocument(who: Who, id: string): Promise<TakenAs> {
  const row = await findDocument(who.accountId, id);
  if (!isAnalysable(row.originalName)) throw new AppError('invalid_file_type');
  const conversation = await openChat(who);
  const bytes = new Uint8Array(await readFileBytes(row));
  return acceptFile(conversation, { fileName: row.originalName, bytes });
}
