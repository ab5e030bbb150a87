import type { Address } from '../../../models/contracts/turn.ts';

/** A conversation's place in Slack: the installation's key, the channel, and the thread, if any. */
export type SlackPlace = { key: string; channel: string; thread: string | null };

/** The engine's address of a place. */
export const addressOf = ({ key, channel, thread }: SlackPlace): Address => ({
  channel: 'slack',
  conversation: `${key}:${channel}`,
  thread,
});

/** The place of an address that {@link addressOf} made. */
export function placeOf({ conversation, thread }: Address): SlackPlace {
  const at = conversation.indexOf(':');
  return { key: conversation.slice(0, at), channel: conversation.slice(at + 1), thread };
}

/** Ids of direct messages begin with D. */
export const isDirect = (channel: string) => channel.startsWith('D');
