import type { Address } from '../../../../models/contracts/turn.ts';

/** Where Teams sends what happens there. */
export const MESSAGES_PATH = '/api/messages';

/**
 * Where in Teams a conversation is: the installation's key, the conversation without its thread, and the message that a
 * channel's thread hangs on.
 */
export type TeamsPlace = { key: string; conversationId: string; thread: string | null };

const THREAD = ';messageid=';

/** An app in a tenant; both are GUIDs. */
export const installationKeyOf = (appId: string, tenantId: string) => `${appId}/${tenantId}`.toLowerCase();

/** The place of a conversation's id as Teams gives it. */
export function placeOfConversation(key: string, conversationId: string): TeamsPlace {
  const [id = '', thread] = conversationId.split(THREAD);
  return { key, conversationId: id, thread: thread ?? null };
}

/** A place as the engine keeps it. */
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

/** The conversation's id as the connector takes it. */
export const conversationIdOf = ({ conversationId, thread }: TeamsPlace) =>
  thread ? `${conversationId}${THREAD}${thread}` : conversationId;

/** A person on the platform, with the installation that knows them. */
export const platformIdOf = (key: string, userId: string) => `${key}/${userId}`;
export const userIdOf = (platformId: string) => platformId.split('/').slice(2).join('/');
