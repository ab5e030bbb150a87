import type { ComponentType } from 'react';
import type { SessionUser } from '../../models/contracts/auth.ts';
import type { AgentId } from '../../models/contracts/catalogueAgent.ts';
import type { ChatMessage } from '../../models/contracts/chat.ts';
import type { Interrupt } from '../../models/contracts/interrupts.ts';
import type { UserAgent } from '../../models/contracts/userAgents.ts';
import type { History } from '../data/chat.ts';

/** What the next steps of an agent go by. */
export type StepsProps = {
  history: History;
  interrupts: readonly Interrupt[];
  /** The agents that are onboarded. */
  agents: readonly UserAgent[];
  user: SessionUser;
  onReview: (interruptId: number) => void;
};

/** Files on their way to an agent, as the pages send them. */
export type FilesProps = {
  /** What its work would be done on, by what it is to the agent. */
  ready: Record<string, string | null> | null;
  uploading: { busy: boolean; choose: () => void; dropTarget: object };
  sampling: boolean;
  /** Null where the sample is offered beside already. */
  onSample: (() => void) | null;
};

/** The words by which files are asked for. */
export type FileWords = {
  /** In an empty chat. */
  invitation: string;
  /** While something is dragged over the chat. */
  drop: string;
  /** Of the button, and of the browser's own dialog. */
  attach: string;
  choose: string;
  /** Where none was chosen. */
  none: string;
  /** What files are called by what was seen in them: "Tickets". */
  kinds: Record<string, string>;
};

/** What an agent brings to the pages; none of it is needed. */
export type WebAgent = {
  id: AgentId;
  /** Where it works, on its card in the workspace. */
  Panel?: ComponentType<{ agent: UserAgent; user: SessionUser }>;
  /** True where tasks are given in its panel, and nowhere else on its card. */
  hasOwnTasks?: boolean;
  /** How a task from its card is sent and what is then shown, where this differs from other agents. */
  tasks?: {
    assign(agent: UserAgent, objective: string): Promise<void>;
    done: string;
    failed: string;
  };
  /** What the conversation has made possible, over the box of the chat. */
  NextSteps?: ComponentType<StepsProps>;
  /** What stands behind a message of its, one click below the figures. */
  result?: {
    isIn(message: ChatMessage): boolean;
    Evidence: ComponentType<{ message: ChatMessage }>;
    /** Opens it, and leads to all of it. */
    Links: ComponentType<{ message: ChatMessage; isOpen: boolean; onToggle: () => void }>;
  };
  /** What it does with files: the panel beside the chat, and the words by which they are asked for. */
  files?: FileWords & { Panel: ComponentType<FilesProps> };
};
