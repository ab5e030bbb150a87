/** Whoever takes part in a conversation. Ids of people begin with `29:`, those of apps with `28:`. */
type ChannelAccount = { id: string; name?: string; aadObjectId?: string };

type ConversationKind = 'personal' | 'groupChat' | 'channel';

/** A card, a file or its announcement, by its content type. */
export type Attachment = { contentType: string; content?: unknown; contentUrl?: string; name?: string };

/** What belongs to an activity beside its words: mentions, how a stream goes on. Fields beyond `type` vary by it. */
export type Entity = { type: string } & Record<string, unknown>;

/** An activity of the Bot Framework protocol, as far as Arc reads or writes it; free of any library. */
export type Activity = {
  type: string;
  id?: string;
  name?: string;
  /** When it happened, by the platform's clock. */
  timestamp?: string;
  action?: string;
  channelId?: string;
  serviceUrl?: string;
  from?: ChannelAccount;
  recipient?: ChannelAccount;
  conversation?: { id: string; tenantId?: string; conversationType?: string; name?: string };
  text?: string;
  textFormat?: 'markdown' | 'plain';
  summary?: string;
  value?: unknown;
  replyToId?: string;
  entities?: Entity[];
  attachments?: Attachment[];
  membersAdded?: ChannelAccount[];
  membersRemoved?: ChannelAccount[];
  channelData?: {
    tenant?: { id?: string };
    team?: { id?: string; aadGroupId?: string };
    channel?: { id?: string };
    eventType?: string;
    [more: string]: unknown;
  };
};

/** An activity that came in: what a guard has found to be there. */
export type Received = Activity &
  Required<Pick<Activity, 'type' | 'id' | 'serviceUrl' | 'from' | 'recipient' | 'conversation'>>;

/** What an invoke is answered with: an HTTP status and a body. */
export type InvokeAnswer = { status: number; body?: unknown };

/** A member as the roster has them. */
export type RosterMember = {
  id: string;
  name?: string;
  email?: string;
  userPrincipalName?: string;
  aadObjectId?: string;
  tenantId?: string;
  userRole?: string;
};

/** Which connector is called, and as which app of which tenant: its secret is the tenant's. */
export type Caller = { appId: string; tenantId: string; serviceUrl: string };

/** Where an activity goes. */
export type Target = Caller & { conversationId: string };

const isRecord = (it: unknown): it is Record<string, unknown> => typeof it === 'object' && it !== null;
const hasId = (it: unknown) => isRecord(it) && typeof it.id === 'string' && it.id !== '';

/**
 * Whether a body is an activity of Teams that can be worked with; anything else would reach the library, which trips
 * over a missing type or text. Lists that are none are refused too.
 */
export function isActivity(body: unknown): body is Received {
  if (!isRecord(body) || typeof body.type !== 'string' || body.type === '') return false;
  const { tenantId } = (body.conversation ?? {}) as Record<string, unknown>;
  const { tenant, team, channel } = (body.channelData ?? {}) as Record<string, Record<string, unknown> | null>;
  // By these a conversation is found: nothing but a word is looked for.
  const ids = [tenantId, tenant?.id, team?.id, channel?.id];
  const words = [body.timestamp, body.text, body.name, body.action, body.replyToId];
  const lists = [body.entities, body.attachments, body.membersAdded, body.membersRemoved];
  return (
    body.channelId === 'msteams' &&
    typeof body.id === 'string' &&
    body.id !== '' &&
    typeof body.serviceUrl === 'string' &&
    URL.canParse(body.serviceUrl) &&
    [body.from, body.recipient, body.conversation].every(hasId) &&
    ids.every((id) => id === undefined || id === null || typeof id === 'string') &&
    words.every((word) => word === undefined || typeof word === 'string') &&
    lists.every((list) => list === undefined || (Array.isArray(list) && list.every(isRecord)))
  );
}

/** A body without the fields that hold nothing: a sender may write them as null, or leave them out. */
export const withoutNulls = (body: unknown): unknown =>
  isRecord(body) && !Array.isArray(body)
    ? Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null))
    : body;

/** When an activity happened, by the platform's clock; now where it does not say. */
export function happenedAt({ timestamp }: Received): Date {
  const at = Date.parse(timestamp ?? '');
  return Number.isNaN(at) ? new Date() : new Date(at);
}

/** The tenant in which it was said. */
export const tenantOf = ({ conversation, channelData }: Received) =>
  conversation.tenantId ?? channelData?.tenant?.id ?? '';

/** What kind of conversation it was said in; Teams leaves it out of some events of teams. */
export function kindOf({ conversation, channelData }: Received): ConversationKind {
  const { conversationType } = conversation;
  if (conversationType === 'personal' || conversationType === 'groupChat' || conversationType === 'channel')
    return conversationType;
  return channelData?.team ? 'channel' : conversation.id.startsWith('a:') ? 'personal' : 'groupChat';
}
