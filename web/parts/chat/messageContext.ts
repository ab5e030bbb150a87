import type { Interrupt } from '../../../models/contracts/interrupts.ts';
import type { UserAgent } from '../../../models/contracts/userAgents.ts';

export type MessageContext = {
  interrupts: readonly Interrupt[];
  agents: readonly UserAgent[];
  onReview: (interruptId: number) => void;
  onUpload: () => void;
  onSample: () => void;
  /** Id of the newest message. */
  newest: string | undefined;
  /** The person's own message before each answer, by the answer's id; null where answers are only shown. */
  askedBefore: ReadonlyMap<string, string> | null;
  /** Called when the reader expands part of a message, so that the list does not scroll to its end. */
  onExpand: () => void;
};
