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
  /** The reader opens something inside a message: the list stays where it is. */
  onExpand: () => void;
};
