import type { AgentId } from '../../../models/contracts/catalogue.ts';
import type { ConversationRow } from '../../../models/conversation.ts';
import type { FileRow } from '../../../models/file.ts';
import type { UserAgentRow } from '../../../models/userAgent.ts';

/** What is to be done about something a person said. */
export type Route = {
  workflow: string;
  goal: string;
  state: Record<string, unknown>;
  /** The open question that the person asked to withdraw for it. */
  withdraws?: number | undefined;
};

export type Heard = { text: string; conversation: ConversationRow; userAgent: UserAgentRow; messageId: string };

/** A file as a person dropped it. */
export type TakenFile = { fileName: string; bytes: Uint8Array };

/** An agent's own part: it says which of its workflows a person's words ask for, and what it does with files. */
export type Agent = {
  id: AgentId;
  route(heard: Heard): Promise<Route> | Route;
  /**
   * What the words that came with files ask for; null where they only cover them, as in "here is our log". Absent where
   * every word is a request.
   */
  askedBeside?(text: string): string | null;
  /**
   * Takes a file that was dropped into a conversation, and says there what it is; absent where the agent takes none.
   * @param drop names this drop: the same again says nothing twice
   * @throws AppError invalid_file, once it has been said in the conversation
   */
  acceptFile?(conversation: ConversationRow, file: TakenFile, drop?: string): Promise<unknown>;
  /** Makes an export that a name stands for; null where it is none of this agent's, or not of this account. */
  makeExport?(accountId: number, name: string): Promise<FileRow | null>;
};
