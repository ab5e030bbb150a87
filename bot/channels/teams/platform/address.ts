import type { Address } from '../../../../models/contracts/turn.ts';

/** The path that Teams sends activities to. */
export const MESSAGES_PATH = '/api/messages';

/**
 * A conversation's place in Teams: the installation's key, the conversation without its thread, and the first message
 * of a channel's thread.
 */
export type TeamsPlace = { key: string; conversationId: string; thread: string | null };

const THREAD = ';messageid=';

/** The key of an app in a tenant; both ids are GUIDs. */
export const installationKeyOf = (appId: string, tenantId: string) => `${appId}/${tenantId}`.toLowerCase();

/** The place of a conversation id from Teams, which may include a thread. */
export function placeOfConversation(key: string, conversationId: string): TeamsPlace {
  const [id = '', thread] = conversationId.split(THREAD);
  return { key, conversationId: id, thread: thread ?? null };
}

/** The engine's address of a place. */
export const addressOf = ({ key, conversationId, thread }: TeamsPlace): Address => ({
  channel: 'teams',
  conversation: `${key}/${conversationId}`,
  thread,
});

/** The place of an address that {@link addressOf} made. */
export function placeOf({ conversation, thread }: Address): TeamsPlace {
  const [appId = '', tenantId = '', ...rest] = conversation.split('/');
  return { key: `${appId}/${tenantId}`, conversationId: rest.join('/'), thread };
}

/** The conversation id for the connector, including the thread. */
export const conversationIdOf = ({ conversationId, thread }: TeamsPlace) =>
  thread ? `${conversationId}${THREAD}${thread}` : conversationId;

/** The engine's id of a Teams user. */
export const platformIdOf = (key: string, userId: string) => `${key}/${userId}`;
export const userIdOf = (platformId: string) => platformId.split('/').slice(2).join('/');
