import type { CatalogueAgent } from '../../../models/contracts/catalogueAgent.ts';
import type { ConversationRow } from '../../../models/conversation.ts';
import type { InterruptRow } from '../../../models/interrupt.ts';
import type { RunRow } from '../../../models/run.ts';
import type { Workflow } from './workflow.ts';

/** A run and its conversation; null where it has none. */
export type PlacedRun = { run: RunRow; conversation: ConversationRow | null };

/** A run that this process executes, with what its steps need. */
export type Execution = PlacedRun & {
  workflow: Workflow;
  agent: CatalogueAgent;
  /** Aborted when the run is cancelled. */
  signal: AbortSignal;
  /** The answered question that resumed the run, where it is at hand. */
  answered?: InterruptRow | undefined;
};
