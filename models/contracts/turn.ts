import { z } from 'zod';

export const channelName = z.enum(['arc', 'slack', 'teams']);
export type ChannelName = z.infer<typeof channelName>;

/** Where an answer goes back to; only the channel itself reads what is inside. */
export const address = z.object({ channel: channelName, conversation: z.string(), thread: z.string().nullable() });
export type Address = z.infer<typeof address>;

/** Something a person said or did on a channel, free of any platform. Stored before it is acknowledged. */
export const turn = z.object({
  channel: channelName,
  address,
  /** A member (arc) or a platform user yet to be matched. */
  speaker: z.object({ userId: z.number().int().nullable(), platformId: z.string().nullable(), name: z.string() }),
  text: z.string(),
  /** How it came to the agent; absent: said to it, in its own chat or with its name. */
  manner: z.enum(['overheard', 'handed-over']).optional(),
  files: z.array(z.object({ fileId: z.string(), name: z.string() })),
  /** Unique per channel: the same event stored twice is one turn. */
  eventId: z.string(),
});
export type Turn = z.infer<typeof turn>;
