import type { Address } from '../../../models/contracts/turn.ts';
import type { Who } from '../../../models/policies/who.ts';

/** A command from a member on a channel. */
export type SaidCommand = {
  who: Who;
  address: Address;
  /** The text after the command's name. */
  rest: string;
  /** Formats a command as people write it on this channel: “status”. */
  write(word: string): string;
  /** Where to answer on this channel: "Answer in the Home tab of this app." */
  answerAt: string;
};

/** The reply to a command, in the engine's light markup. */
export type CommandReply = {
  text: string;
  /**
   * False where the rest of the text does not belong to the command: a channel without a command prefix then gives the
   * message to the agent.
   */
  isMeant: boolean;
};
