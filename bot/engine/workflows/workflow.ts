import type { z } from 'zod';
import type { CatalogueAgent } from '../../../models/contracts/catalogueAgent.ts';
import type { ConversationRow } from '../../../models/conversation.ts';
import type { InterruptRow } from '../../../models/interrupt.ts';
import type { MessageRow } from '../../../models/message.ts';
import type { RunRow } from '../../../models/run.ts';
import type { Saying } from '../delivery/say.ts';
import type { Question } from '../interrupts/question.ts';

/** How a step ends: on to another, with a question first, or done. `state` is merged into the run's. */
export type StepResult<State = Record<string, unknown>> = { state?: Partial<State>; cost?: number } & (
  | { next: string }
  | { ask: Question; next: string }
  | { done: { output: string } }
);

/** What a step may use. Any step may run again after a crash: whatever it does outside carries a key. */
export type StepContext<State = unknown> = {
  run: Omit<RunRow, 'state'>;
  /** What the run has kept so far, as its workflow reads it. */
  state: State;
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

export type Step<State = unknown> = (context: StepContext<State>) => Promise<StepResult>;

/** The words about work of which a conversation has one at a time. */
export type Exclusive = {
  /** What it is called: "analysis", as in "a new analysis". */
  noun: string;
  /** Said after a newer one took its place: what becomes of it. */
  replaced: string;
  /** Said before one is replaced in which decisions were made: what becomes of them. */
  keeps: string;
};

type NamedStep<State> = {
  label: string;
  run(context: StepContext<State>): Promise<StepResult<State extends object ? State : Record<string, unknown>>>;
  /** Takes a moment: a new exclusive run waits for it instead of being refused. */
  brief?: boolean;
};

type Declaration<State> = {
  name: string;
  first: string;
  /** Shown on the workspace and on the progress card; null for a plain answer, which has neither. */
  title: string | null;
  steps: Record<string, NamedStep<State>>;
  /** Set where a conversation has one of these at a time; a new one takes the place of one that waits. */
  exclusive?: Exclusive;
  /** The tool of the agent that it works with: while that is switched off, none begins. */
  tool?: string;
  /** Credits set aside at the start. */
  reserve: number;
  /** Undoes what should not stay when the run is cancelled or has failed. Runs at least once. */
  ended?(context: { run: RunRow; status: 'failed' | 'cancelled' }): Promise<void>;
};

/** Work in durable steps. `Start` is the state that a run of it begins with. */
export type Workflow<Start = unknown> = Declaration<unknown> & {
  /** Reads a run's state as it was saved; absent where no step reads it. */
  state?: z.ZodType<unknown, Start>;
};

/**
 * Declares a workflow whose steps read their run's state as one type. What was saved is read by the schema before each
 * step: a state that does not fit, e.g. of an older release, fails the run instead of misleading a step.
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

/** Work that is to begin, and the state it begins with. */
export type Beginning = {
  workflow: string;
  /** What people read as its goal. */
  goal: string;
  state: Record<string, unknown>;
};

/** A run of a workflow, with all that its state must begin with. */
export const beginWith = <Start>(
  { name }: Workflow<Start>,
  goal: string,
  state: NoInfer<Start> & Record<string, unknown>,
): Beginning => ({ workflow: name, goal, state });

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
