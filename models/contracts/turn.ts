import { z } from 'zod';
import { CHANNEL_NAMES } from './channels.ts';

export const channelName = z.enum(CHANNEL_NAMES);

/** Where an answer goes back to; only the channel itself reads what is inside. */
export const address = z.object({ channel: channelName, conversation: z.string(), thread: z.string().nullable() });
export type Address = z.infer<typeof address>;

/**
 * How words came to the agent. said: by the speaker, to the agent; overheard: by the speaker, to other people;
 * handed-over: passed on by the speaker, and perhaps another person's. Only what was said answers a question.
 */
export const manner = z.enum(['said', 'overheard', 'handed-over']);
export type Manner = z.infer<typeof manner>;

/** Something a person said or did on a channel, free of any platform. Stored before it is acknowledged. */
export const turn = z.object({
  channel: channelName,
  address,
  /** A member (arc) or a platform user yet to be matched. */
  speaker: z.object({ userId: z.number().int().nullable(), platformId: z.string().nullable(), name: z.string() }),
  text: z.string(),
  /** Required, so that a channel that does not say it fails to compile. */
  manner,
  files: z.array(z.object({ fileId: z.string(), name: z.string() })),
  /** Unique per channel: the same event stored twice is one turn. */
  eventId: z.string(),
});
export type Turn = z.infer<typeof turn>;
