import { randomUUID } from 'node:crypto';
import { OWN_CHANNEL } from '../../../models/contracts/channels.ts';
import type { Who } from '../../../models/policies/who.ts';
import type { UserAgentRow } from '../../../models/userAgent.ts';
import { arcAddress, openConversation } from '../conversations/conversations.ts';
import { acceptTurn } from './acceptTurn.ts';

/**
 * What a signed-in member says in arc-chat, by call or by socket: stored, then acknowledged.
 * @param clientId made by the page; the same again is the same message
 * @returns the message's id
 */
export const hearMember = (who: Who, text: string, clientId?: string): Promise<string> => hear(who, text, { clientId });

/**
 * A task for one agent, given in arc-chat: that agent does it, whoever else its words would fit, and from then on is the
 * one spoken to.
 * @returns the message's id
 */
export const hearTask = (who: Who, { _id }: Pick<UserAgentRow, '_id'>, text: string): Promise<string> =>
  hear(who, text, { taskFor: _id });

type Given = { clientId?: string | undefined; taskFor?: number };

async function hear(who: Who, text: string, { clientId, taskFor }: Given): Promise<string> {
  const conversation = await openConversation(who.accountId, arcAddress(who.userId));
  const { turn } = await acceptTurn(
    conversation,
    {
      channel: OWN_CHANNEL,
      address: conversation.address,
      speaker: { userId: who.userId, platformId: null, name: who.name },
      text,
      manner: 'said',
      files: [],
      eventId: `${who.accountId}:${who.userId}:${clientId ?? randomUUID()}`,
    },
    { clientId: clientId ?? null, taskFor: taskFor ?? null },
  );
  return String(turn._id);
}
