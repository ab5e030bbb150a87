import type { AgentId } from '../../../models/contracts/catalogueAgent.ts';
import type { ConsentMode } from '../../../models/contracts/preferences.ts';
import type { ConversationRow } from '../../../models/conversation.ts';
import type { FileRow } from '../../../models/file.ts';
import type { Who } from '../../../models/policies/who.ts';
import type { UserAgentRow } from '../../../models/userAgent.ts';
import type { Call } from '../calls/call.ts';
import type { QuestionKind } from '../questions/kinds/kind.ts';
import type { Beginning, Workflow } from '../workflows/workflow.ts';

/** What is to be done about something a person said. */
export type Route = Beginning & {
  /** The tool that it needs, where that is not the workflow's. */
  tool?: string | undefined;
};

export type Heard = { text: string; conversation: ConversationRow; userAgent: UserAgentRow; messageId: string };

/** Scheduled work whose time has come; the words are those of its schedule, or none. */
export type Scheduled = Pick<Heard, 'text' | 'conversation' | 'userAgent'>;

/** A file as a person dropped it. */
export type DroppedFile = { fileName: string; bytes: Uint8Array };

/** A file that an agent is given, with the SHA-256 of its bytes. */
export type GivenFile = DroppedFile & { digest: string };

/** A file that an agent took, and what it saw in it. */
export type TakenAs = { file: FileRow; seen: { kind: FileRow['kind']; fileName: string; rowCount: number } };

/** Something that a search of an agent's shows, as far as it may leave. */
export type FoundThing = {
  /** What people call it. */
  id: string;
  /** In one line; null where that may not leave. */
  title: string | null;
  /** Its words; null where they stay in Arc. */
  text: string | null;
  /** How it stands, in a few words. */
  state: string;
};

/** What an agent can say to a visitor's goal from its knowledge and its rules alone. */
export type Contribution = { thinking: string; output: string };

/** What an agent does with files. */
export type AgentFiles = {
  /** Whether a file is of a kind that it takes. */
  knows(file: DroppedFile): boolean;
  /**
   * Takes a file that was dropped into a conversation, and says there what it is.
   * @param drop names this drop: the same again says nothing twice
   * @throws AppError invalid_file, once it has been said in the conversation
   */
  accept(conversation: ConversationRow, file: GivenFile, drop?: string): Promise<TakenAs>;
  /** The files that work asked for in a conversation would be done on, each by what it is to the agent. */
  ready(conversation: ConversationRow): Promise<Record<string, FileRow['_id'] | null>>;
};

/** An agent, whole: what it does, what it asks, and what it takes. Its card stands in the catalogue. */
export type Agent = {
  id: AgentId;
  /** Its work, each by a name of its own. */
  workflows: readonly Workflow[];
  /** Kinds of question that it alone asks. */
  questionKinds?: readonly QuestionKind[];
  /** Calls of its own. */
  calls?: readonly Call[];
  /** What is begun for each action of its card that can be scheduled. */
  schedules?: Record<string, (due: Scheduled) => Promise<Route> | Route>;
  /** Whether words ask for this agent's own work, so that it takes them where nobody is named. */
  asksFor?(text: string): boolean;
  /** Which of its workflows a person's words ask for. */
  route(heard: Heard): Promise<Route> | Route;
  /**
   * What the words that came with files ask for; null where they only cover them, as in "here is our log". Absent where
   * every word is a request.
   */
  askedBeside?(text: string): string | null;
  /** The files that it works on; absent where it takes none. */
  files?: AgentFiles;
  /** Makes an export that a name stands for; null where it is none of this agent's, or not of this account. */
  makeExport?(accountId: number, name: string): Promise<FileRow | null>;
  /** Whether a name is that of an export of this agent's: such a name holds no word of a company. */
  isExport?(name: string): boolean;
  /** All that its search finds, as far as the mode lets it leave; how the search is called stands on its card. */
  search?(accountId: number, mode: ConsentMode): Promise<FoundThing[]>;
  /** Takes part in a visitor's collaboration; absent where the agent does not. */
  contribute?(goal: string): Contribution;
  /** Does the work by which a demo company shows the agent; absent where it shows none. */
  demonstrate?(who: Who, hired: UserAgentRow): Promise<void>;
  /** Ends what the agent holds, such as worker threads, once nothing is worked any more. */
  close?(): Promise<void>;
};

/** Declares an agent: its file reads like a table of contents. */
export const defineAgent = (agent: Agent): Agent => agent;
