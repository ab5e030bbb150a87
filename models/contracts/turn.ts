import { z } from 'zod';
import { CHANNEL_NAMES } from './channels.ts';

export const channelName = z.enum(CHANNEL_NAMES);

/** Where to send replies; only the channel interprets the contents. */
const address = z.object({ channel: channelName, conversation: z.string(), thread: z.string().nullable() });
export type Address = z.infer<typeof address>;

/**
 * How a message reached the agent. said: addressed to the agent; overheard: addressed to other people; handed-over:
 * forwarded, possibly written by somebody else. Only `said` may answer a question.
 */
const manner = z.enum(['said', 'overheard', 'handed-over']);
export type Manner = z.infer<typeof manner>;

/** A platform-independent message or event from a person. */
const turn = z.object({
  channel: channelName,
  address,
  /** A member (arc), or a platform user who is matched later. */
  speaker: z.object({ userId: z.number().int().nullable(), platformId: z.string().nullable(), name: z.string() }),
  text: z.string(),
  /** Required, so that a channel that omits it does not compile. */
  manner,
  files: z.array(z.object({ fileId: z.string(), name: z.string() })),
  /** Idempotency key within the channel. */
  eventId: z.string(),
});
export type Turn = z.infer<typeof turn>;
