import type { CatalogueAgent } from '../../../models/contracts/catalogueAgent.ts';
import type { ConversationRow } from '../../../models/conversation.ts';
import type { InterruptRow } from '../../../models/interrupt.ts';
import type { RunRow } from '../../../models/run.ts';
import type { Workflow } from './workflow.ts';

/** A run and the conversation that it speaks in; null where it speaks nowhere. */
export type PlacedRun = { run: RunRow; conversation: ConversationRow | null };

/** A run that this process executes, with what its steps need. */
export type Execution = PlacedRun & {
  workflow: Workflow;
  agent: CatalogueAgent;
  /** Raised when the run is cancelled. */
  signal: AbortSignal;
  /** The question whose answer resumed the run, where this process has it at hand. */
  answered?: InterruptRow | undefined;
};
