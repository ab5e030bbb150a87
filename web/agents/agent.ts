import type { ComponentType } from 'react';
import type { SessionUser } from '../../models/contracts/auth.ts';
import type { AgentId } from '../../models/contracts/catalogueAgent.ts';
import type { ChatMessage } from '../../models/contracts/chat.ts';
import type { Interrupt } from '../../models/contracts/interrupts.ts';
import type { UserAgent } from '../../models/contracts/userAgents.ts';
import type { History } from '../data/chat.ts';
import type { Later } from '../parts/later.tsx';

/** Props of an agent's `NextSteps`. */
export type StepsProps = {
  history: History;
  interrupts: readonly Interrupt[];
  /** Onboarded agents only. */
  agents: readonly UserAgent[];
  user: SessionUser;
  /** While a file is uploaded nothing is started that would read the one before it. */
  isUploading: boolean;
  onReview: (interruptId: number) => void;
};

/** Props of an agent's files panel. */
export type FilesProps = {
  /** File names that the next run would read, by kind; null while loading. */
  ready: Record<string, string | null> | null;
  /** What those were read from that Arc read from a connected tool, by kind. */
  sources: History['sources'];
  /** Whether an agent works in this conversation now. */
  isWorking: boolean;
  uploading: { busy: boolean; choose: () => void; dropTarget: object };
  sampling: boolean;
  /** Adds the sample files; null if the page already offers them elsewhere. */
  onSample: (() => void) | null;
};

/** Texts of an agent's file upload. */
export type FileWords = {
  /** Shown in an empty chat. */
  invitation: string;
  /** Shown while a file is dragged over the chat. */
  drop: string;
  /** Label of the button in the message box. */
  attach: string;
  /** Label of the file input. */
  choose: string;
  /** Error message if no file was chosen. */
  none: string;
  /** Display name by kind of file: "Tickets". */
  kinds: Record<string, string>;
};

/** An agent's own parts of the pages; all but `id` are optional. */
export type WebAgent = {
  id: AgentId;
  /** Shown on the agent's card in the workspace. */
  Panel?: ComponentType<{ agent: UserAgent; user: SessionUser }>;
  /** True if the panel takes tasks itself, so that the card shows no task input. */
  hasOwnTasks?: boolean;
  /** Sends a task from the card, with the toast titles; only if this differs from other agents. */
  tasks?: {
    assign(agent: UserAgent, objective: string): Promise<void>;
    done: string;
    failed: string;
  };
  /** Buttons above the message box for the next possible steps. */
  NextSteps?: ComponentType<StepsProps>;
  /** Evidence for a result message, one click below its figures. */
  result?: {
    isIn(message: ChatMessage): boolean;
    Evidence: ComponentType<{ message: ChatMessage }>;
    /** Toggles the evidence and links to the full result. */
    Links: ComponentType<{ message: ChatMessage; isOpen: boolean; onToggle: () => void }>;
  };
  /** Pages of its own, at /agents/<id>/<path>; the agent's card links to them. */
  pages?: readonly {
    path: string;
    title: string;
    /** What the page shows, for people who have to sign in first. */
    subject: string;
    Page: ComponentType<{ user: SessionUser }>;
  }[];
  /**
   * Pages at addresses of their own beside the product's, e.g. `things/:id`. The product's own addresses win. They load
   * when one is first opened.
   */
  routes?: readonly {
    path: string;
    title: string;
    /** As of `pages`. */
    subject: string;
    Page: Later<{ user: SessionUser; params: Readonly<Record<string, string | undefined>> }>;
  }[];
  /** Draws a result that a link shows to people without an account. */
  Shared?: ComponentType<{ result: unknown }>;
  /** What the search finds in its results, in lower case and the plural. */
  finds?: readonly string[];
  /** A sample that shows somebody new a first result, from the dashboard. */
  firstResult?: {
    title: string;
    text: string;
    button: string;
    /** Does all that is needed; the result appears in the chat. */
    start(): Promise<void>;
  };
  /** Panel beside the chat, and the texts of the upload. */
  files?: FileWords & { Panel: ComponentType<FilesProps> };
};
