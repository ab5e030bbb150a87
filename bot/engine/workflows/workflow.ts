import type { CatalogueAgent } from '../../../models/contracts/catalogueAgent.ts';
import type { ConversationRow } from '../../../models/conversation.ts';
import type { InterruptRow } from '../../../models/interrupt.ts';
import type { MessageRow } from '../../../models/message.ts';
import type { RunRow } from '../../../models/run.ts';
import type { Saying } from '../delivery/say.ts';
import type { Question } from '../interrupts/question.ts';

/** How a step ends: on to another, with a question first, or done. `state` is merged into the run's. */
export type StepResult =
  | { next: string; state?: Record<string, unknown>; cost?: number }
  | { ask: Question; next: string; state?: Record<string, unknown>; cost?: number }
  | { done: { output: string }; state?: Record<string, unknown>; cost?: number };

/** What a step may use. Any step may run again after a crash: whatever it does outside carries a key. */
export type StepContext = {
  run: RunRow;
  agent: CatalogueAgent;
  conversation: ConversationRow | null;
  /** Raised when the run is cancelled. */
  signal: AbortSignal;
  /** Says something, keyed by the run and the given word. */
  say(saying: Omit<Saying, 'agent' | 'key'> & { key: string }): Promise<MessageRow | null>;
  /** Tells who watches how far it is. */
  progress(label: string, done: number, total: number): void;
  /** The answer that the run waited for. @throws where it never asked */
  answer(): Promise<InterruptRow>;
};

export type Step = (context: StepContext) => Promise<StepResult>;

export type Workflow = {
  name: string;
  first: string;
  /** Shown on the workspace and on the progress card; null for a plain answer, which has neither. */
  title: string | null;
  steps: Record<
    string,
    {
      label: string;
      run: Step;
      /** Takes a moment: a new exclusive run waits for it instead of being refused. */
      brief?: boolean;
    }
  >;
  /** True where a conversation has one of these at a time; a new one takes the place of one that waits. */
  exclusive?: boolean;
  /** The tool of the agent that it works with: while that is switched off, none begins. */
  tool?: string;
  /** Credits set aside at the start. */
  reserve: number;
  /** Undoes what should not stay when the run is cancelled or has failed. Runs at least once. */
  ended?(context: { run: RunRow; status: 'failed' | 'cancelled' }): Promise<void>;
};

const workflows = new Map<string, Workflow>();

export function registerWorkflow(workflow: Workflow): void {
  workflows.set(workflow.name, workflow);
}

/** @throws where no such workflow is registered: a defect */
export function workflowNamed(name: string): Workflow {
  const workflow = workflows.get(name);
  if (!workflow) throw new Error(`No workflow is called ${name}.`);
  return workflow;
}
