/** A participant of a conversation. Ids of people begin with `29:`, those of apps with `28:`. */
type ChannelAccount = { id: string; name?: string; aadObjectId?: string };

type ConversationKind = 'personal' | 'groupChat' | 'channel';

/** A card, a file or its announcement, by its content type. */
export type Attachment = { contentType: string; content?: unknown; contentUrl?: string; name?: string };

/** Metadata of an activity, e.g. a mention or the state of a stream. The other fields depend on `type`. */
type Entity = { type: string } & Record<string, unknown>;

/** An activity of the Bot Framework protocol: the fields that Arc reads or writes, without the library's types. */
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

/** A received activity with the fields that {@link isActivity} has checked. */
export type Received = Activity &
  Required<Pick<Activity, 'type' | 'id' | 'serviceUrl' | 'from' | 'recipient' | 'conversation'>>;

/** The answer to an invoke: an HTTP status and a body. */
export type InvokeAnswer = { status: number; body?: unknown };

/** A member in the roster. */
export type RosterMember = {
  id: string;
  name?: string;
  email?: string;
  userPrincipalName?: string;
  aadObjectId?: string;
  tenantId?: string;
  userRole?: string;
};

/** A connector and the app that calls it. The app's secret depends on the tenant. */
export type Caller = { appId: string; tenantId: string; serviceUrl: string };

/** The conversation that an activity is sent to. */
export type Target = Caller & { conversationId: string };

const isRecord = (it: unknown): it is Record<string, unknown> => typeof it === 'object' && it !== null;
const hasId = (it: unknown) => isRecord(it) && typeof it.id === 'string' && it.id !== '';

/**
 * Whether a body is a well-formed activity of Teams. The library would fail on a missing type or text, so malformed
 * bodies, lists included, are refused before it sees them.
 */
export function isActivity(body: unknown): body is Received {
  if (!isRecord(body) || typeof body.type !== 'string' || body.type === '') return false;
  const { tenantId } = (body.conversation ?? {}) as Record<string, unknown>;
  const { tenant, team, channel } = (body.channelData ?? {}) as Record<string, Record<string, unknown> | null>;
  // These ids go into queries, so only strings are accepted.
  const ids = [tenantId, tenant?.id, team?.id, channel?.id];
  const texts = [body.timestamp, body.text, body.name, body.action, body.replyToId];
  const lists = [body.entities, body.attachments, body.membersAdded, body.membersRemoved];
  return (
    body.channelId === 'msteams' &&
    typeof body.id === 'string' &&
    body.id !== '' &&
    typeof body.serviceUrl === 'string' &&
    URL.canParse(body.serviceUrl) &&
    [body.from, body.recipient, body.conversation].every(hasId) &&
    ids.every((id) => id === undefined || id === null || typeof id === 'string') &&
    texts.every((text) => text === undefined || typeof text === 'string') &&
    lists.every((list) => list === undefined || (Array.isArray(list) && list.every(isRecord)))
  );
}

/** A body without its null fields; senders may write null or leave a field out. */
export const withoutNulls = (body: unknown): unknown =>
  isRecord(body) && !Array.isArray(body)
    ? Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null))
    : body;

/** The time of an activity by the platform's clock; now where it has none. */
export function happenedAt({ timestamp }: Received): Date {
  const at = Date.parse(timestamp ?? '');
  return Number.isNaN(at) ? new Date() : new Date(at);
}

/** The tenant that an activity comes from. */
export const tenantOf = ({ conversation, channelData }: Received) =>
  conversation.tenantId ?? channelData?.tenant?.id ?? '';

/** The kind of an activity's conversation, which Teams leaves out of some events of teams. */
export function kindOf({ conversation, channelData }: Received): ConversationKind {
  const { conversationType } = conversation;
  if (conversationType === 'personal' || conversationType === 'groupChat' || conversationType === 'channel')
    return conversationType;
  return channelData?.team ? 'channel' : conversation.id.startsWith('a:') ? 'personal' : 'groupChat';
}
