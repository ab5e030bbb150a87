import type { z } from 'zod';
import type { CatalogueAgent } from '../../../models/contracts/catalogueAgent.ts';
import type { ConversationRow } from '../../../models/conversation.ts';
import type { InterruptRow } from '../../../models/interrupt.ts';
import type { MessageRow } from '../../../models/message.ts';
import type { RunRow } from '../../../models/run.ts';
import type { Saying } from '../delivery/say.ts';
import type { Question } from '../interrupts/question.ts';
import type { Written } from './drafts.ts';

/**
 * A step's result: go to the next step, ask a question first, or end. `state` is merged into the run's state; `cost` is
 * in credits; `reserved` is all that is reserved for the run by now, where the step reserved more.
 */
export type StepResult<State = Record<string, unknown>> = {
  state?: Partial<State>;
  cost?: number;
  reserved?: number;
} & ({ next: string } | { ask: Question; next: string } | { done: { output: string } });

/** What a step gets. A step may run again after a crash, so its side effects must be idempotent. */
export type StepContext<State = unknown> = {
  run: Omit<RunRow, 'state'>;
  /** The run's saved state, parsed by the workflow's schema. */
  state: State;
  agent: CatalogueAgent;
  conversation: ConversationRow | null;
  /** Aborted when the run is cancelled. */
  signal: AbortSignal;
  /** Posts a message to the run's conversation; `key` is unique within the run. */
  say(saying: Omit<Saying, 'agent' | 'key'> & { key: string }): Promise<MessageRow | null>;
  /** Reports progress, with what the agent has written so far of its answer. */
  progress(label: string, done: number, total: number, written?: Written): void;
  /**
   * The answered question that the run waited for.
   * @throws where it never asked
   */
  answer(): Promise<InterruptRow>;
};

export type Step<State = unknown> = (context: StepContext<State>) => Promise<StepResult>;

/** Texts of an exclusive workflow, of which a conversation has one run at a time. */
export type Exclusive = {
  /** Noun for the work: "analysis", as in "a new analysis". */
  noun: string;
  /** Posted after a newer run has replaced one: what happens to its results. */
  replaced: string;
  /** Shown before a run with decisions is replaced: what happens to the decisions. */
  keeps: string;
};

type NamedStep<State> = {
  label: string;
  run(context: StepContext<State>): Promise<StepResult<State extends object ? State : Record<string, unknown>>>;
  /** Short step: a new exclusive run waits for it instead of being refused. */
  brief?: boolean;
  /** Set where the run can be cancelled in this step, also after a question was answered. */
  cancellable?: boolean;
};

type Declaration<State> = {
  name: string;
  first: string;
  /** Title of the workspace and of the progress card; null for plain answers, which have neither. */
  title: string | null;
  steps: Record<string, NamedStep<State>>;
  /** Set where a conversation has one run at a time; a new one replaces one that waits. */
  exclusive?: Exclusive;
  /** Set where an untitled run shows its progress and can be stopped, also after a question was answered. */
  showsProgress?: boolean;
  /** The agent's tool that it requires: while that is off, no run starts. */
  tool?: string;
  /** Credits set aside at the start. */
  reserve: number;
  /**
   * Output of a run that had recorded its result when its last question was withdrawn: such a run is completed, not
   * cancelled. Null where nothing was recorded yet.
   */
  recordedOutput?(state: RunRow['state']): string | null;
  /** Whether it has changed something that a cancel does not take back. */
  hasChanged?(state: RunRow['state']): boolean;
  /** Cleans up after a run that was cancelled or failed. Called at least once. */
  ended?(context: { run: RunRow; status: 'failed' | 'cancelled' }): Promise<void>;
};

/** Work in durable steps. `Start` is the initial state of a run. */
export type Workflow<Start = unknown> = Declaration<unknown> & {
  /** Parses a saved state; absent where no step reads it. */
  state?: z.ZodType<unknown, Start>;
};

/**
 * Declares a workflow with a typed state. The schema parses the saved state before each step: a state that does not
 * match, e.g. from an older release, fails the run.
 */
export function defineWorkflow<State, Start>({
  steps,
  ...rest
}: Declaration<State> & { state: z.ZodType<State, Start> }): Workflow<Start> {
  const read = (context: StepContext): StepContext<State> => ({ ...context, state: rest.state.parse(context.state) });
  return {
    ...rest,
    steps: Object.fromEntries(
      Object.entries(steps).map(([name, step]) => [name, { ...step, run: (context) => step.run(read(context)) }]),
    ),
  };
}

/** Whether people see that a run of this workflow is in progress. */
export const showsProgress = ({ title, showsProgress = false }: Pick<Workflow, 'title' | 'showsProgress'>): boolean =>
  title !== null || showsProgress;

/** A workflow to start, with its initial state. */
export type Beginning = {
  workflow: string;
  /** The goal, as people read it. */
  goal: string;
  state: Record<string, unknown>;
};

/** A start of a workflow with the initial state that it requires. */
export const beginWith = <Start>(
  { name }: Workflow<Start>,
  goal: string,
  state: NoInfer<Start> & Record<string, unknown>,
): Beginning => ({ workflow: name, goal, state });

const workflows = new Map<string, Workflow>();

export function registerWorkflow(workflow: Workflow): void {
  workflows.set(workflow.name, workflow);
}

/** @throws where the workflow is not registered, a defect */
export function workflowNamed(name: string): Workflow {
  const workflow = workflows.get(name);
  if (!workflow) throw new Error(`No workflow is called ${name}.`);
  return workflow;
}

/** Whether a run can be cancelled also after a question of it was answered. */
export function staysCancellable({ workflow, step }: Pick<RunRow, 'workflow' | 'step'>): boolean {
  const { showsProgress: throughout, steps } = workflowNamed(workflow);
  return throughout === true || steps[step]?.cancellable === true;
}
