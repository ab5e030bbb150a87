import type { Types } from 'mongoose';
import type { Query } from '../../../models/contracts/askedQuery.ts';
import type { AgentId } from '../../../models/contracts/catalogueAgent.ts';
import type { AssignedWork, FoundRow, NewestResult } from '../../../models/contracts/desk.ts';
import type { PageLoad } from '../../../models/contracts/pageLoad.ts';
import type { ConsentMode } from '../../../models/contracts/preferences.ts';
import type { ConversationRow } from '../../../models/conversation.ts';
import type { FileRow, FileSource } from '../../../models/file.ts';
import type { Who } from '../../../models/policies/who.ts';
import type { UserAgentRow } from '../../../models/userAgent.ts';
import type { SubjectReader } from '../audit/subjectNames.ts';
import type { Call } from '../calls/call.ts';
import type { Answered } from '../queries/answerQuery.ts';
import type { QuestionKind } from '../questions/kinds/kind.ts';
import type { Tool } from '../thinking/tool.ts';
import type { Beginning, Workflow } from '../workflows/workflow.ts';
import type { ProgramTool } from './programTool.ts';

/** The workflow to start for a message. */
export type Route = Beginning & {
  /** The required tool, where it differs from the workflow's. */
  tool?: string | undefined;
};

type Heard = { text: string; conversation: ConversationRow; userAgent: UserAgentRow; messageId: string };

/** Scheduled work that is due; `text` is the schedule's prompt and may be empty. */
export type Scheduled = Pick<Heard, 'text' | 'conversation' | 'userAgent'>;

/** A file as it was dropped. */
export type DroppedFile = { fileName: string; bytes: Uint8Array };

/** A dropped file with the SHA-256 of its bytes, or one that was read from a connected tool. */
export type GivenFile = DroppedFile & { digest: string; source?: FileSource };

/** A file that an agent accepted, and what it recognised. */
export type TakenAs = { file: FileRow; seen: { kind: FileRow['kind']; fileName: string; rowCount: number } };

/** A search result, reduced to what the consent mode allows. */
export type FoundThing = {
  /** Display id. */
  id: string;
  /** One-line title; null where consent withholds it. */
  title: string | null;
  /** Its text; null where consent withholds it. */
  text: string | null;
  /** Its state, in a few words. */
  state: string;
};

/** An agent's contribution to a visitor's goal, from its built-in knowledge alone. */
export type Contribution = { thinking: string; output: string };

/** How an agent handles files. */
export type AgentFiles = {
  /** Whether the agent accepts this kind of file. */
  knows(file: DroppedFile): boolean;
  /**
   * Accepts a file that was dropped into a conversation, and reports there what it is.
   * @param drop idempotency key of the drop: a repeat posts no second message
   * @throws AppError invalid_file, after the conversation was told
   */
  accept(conversation: ConversationRow, file: GivenFile, drop?: string): Promise<TakenAs>;
  /** Ids of the files that new work in a conversation would use, by kind; kinds without one may be absent. */
  ready(conversation: ConversationRow): Promise<Record<string, FileRow['_id'] | null>>;
};

/** The outcome of an agent's evaluation. */
export type Evaluation = {
  /** Figures and remarks, in order. */
  lines: string[];
  /** Figures below their bar, each with its set. */
  below: string[];
  /** Sets that are absent and were not measured. */
  notRun: string[];
};

/** The results of an agent that a link may show to people without an account. */
export type SharedResults = {
  /** Checks that there is a result to show. @throws AppError not_found, no_result */
  require(accountId: number, resultId: number): Promise<void>;
  /**
   * The JSON text of a result as its page draws it, and the digest of what it says.
   * @throws AppError not_found, no_result, expired
   */
  read(accountId: number, resultId: number): Promise<{ json: Buffer; digest: string }>;
};

/** The declaration of an agent. Its card is in the catalogue. */
export type Agent = {
  id: AgentId;
  /** Its workflows; names are unique across agents. */
  workflows: readonly Workflow[];
  /** Kinds of question of its own. */
  questionKinds?: readonly QuestionKind[];
  /** API calls of its own. */
  calls?: readonly Call[];
  /** What it may use while it thinks with a language model. */
  thinkingTools?: readonly Tool[];
  /** What programs outside Arc may call with an access token, at /mcp. */
  programTools?: readonly ProgramTool[];
  /** The workflow to start for each schedulable action of its card. */
  schedules?: Record<string, (due: Scheduled) => Promise<Route> | Route>;
  /** Whether a message asks for this agent's work, so that it gets messages that name nobody. */
  asksFor?(text: string): boolean;
  /** The workflow that a message asks for. */
  route(heard: Heard): Promise<Route> | Route;
  /**
   * The request in a text that came with files; null where it only introduces them ("here is our log"). Absent where
   * every text is a request.
   */
  askedBeside?(text: string): string | null;
  /** File handling; absent where it accepts none. */
  files?: AgentFiles;
  /** Creates the export with this name; null where the name is not one of its exports, or not of this account. */
  makeExport?(accountId: number, name: string): Promise<FileRow | null>;
  /** Whether this is a name of one of its exports: such a name contains no customer content. */
  isExport?(name: string): boolean;
  /** All searchable items, reduced to what the consent mode allows; its card names the search. */
  search?(accountId: number, mode: ConsentMode): Promise<FoundThing[]>;
  /**
   * The rows of its results that contain every word, for the search of the pages: the best first, at most
   * `LIMITS.search.ofKind` of a kind. The caller is a member, who may read all of them.
   */
  find?(who: Who, agent: UserAgentRow, words: readonly string[]): Promise<FoundRow[]>;
  /** Its newest result, for the dashboard's strip; null where there is none. */
  newestResult?(who: Who): Promise<NewestResult | null>;
  /** What of its results is assigned to a member and still open, for the dashboard's strip; null where nothing is. */
  assignedTo?(who: Who): Promise<AssignedWork | null>;
  /**
   * Answers a changed query of one of its answers; null where it has no such rows. Absent where its answers carry none.
   * @param of the result that the answer was of (`AskedQuery.of`)
   * @throws AppError not_found where the account has no such result
   */
  askAgain?(accountId: number, query: Query, of?: number): Promise<Answered | null>;
  /** Paths of the pages that show what runs of it made, by the run's id. Absent where it has no such pages. */
  workPages?(accountId: number, runIds: readonly Types.ObjectId[]): Promise<Map<string, string>>;
  /** What its pages in `web/agents/<id>` need first, so that it loads beside the entry script. */
  pageLoads?: readonly PageLoad[];
  /** How the audit page names what rows of this agent are about, by the subject's kind: `finding`. */
  auditSubjects?: Readonly<Record<string, SubjectReader>>;
  /** What links show; absent where it shares nothing. */
  shared?: SharedResults;
  /** Contributes to a visitor's collaboration; absent where the agent does not take part. */
  contribute?(goal: string): Contribution;
  /** Creates example work for a demo company; absent where the agent has none. */
  demonstrate?(who: Who, hired: UserAgentRow): Promise<void>;
  /**
   * Measures its answers on labelled sets; `npm run eval` prints the outcome.
   * @param folder labelled sets that are not part of the repository
   */
  evaluate?(folder: string): Promise<Evaluation>;
  /** Releases resources such as worker threads, after all work has stopped. */
  close?(): Promise<void>;
};

/** Declares an agent. */
export const defineAgent = (agent: Agent): Agent => agent;
