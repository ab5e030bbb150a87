import { baseOf, type Conversation, nextId, type Posted, type Tenant } from './tenant.ts';

export type Answer = { status: number; body?: unknown; headers?: Record<string, string> };
type Body = Record<string, unknown>;

/** Maximum size of a message in bytes (docs/platforms.md). */
const MAX_MESSAGE_BYTES = 28 * 1024;
/** Teams accepts an update of a stream once a second; the fake allows slightly less. */
const STREAM_INTERVAL_MS = 900;

const refuse = (status: number, code: string, message = code): Answer => ({
  status,
  body: { error: { code, message } },
});

const streamOf = (entities: unknown) =>
  (Array.isArray(entities) ? entities : []).find((it) => it?.type === 'streaminfo') as
    | { streamType?: string; streamId?: string; streamSequence?: number }
    | undefined;

type Citation = { position?: number; appearance?: { name?: string; abstract?: string } };

/** What Teams refuses in the label and the citations of generated text; null where it is in order. */
function faultOfLabels({ entities }: Body): string | null {
  const all = (Array.isArray(entities) ? entities : []) as { type?: string; citation?: Citation[] }[];
  const labels = all.filter(({ type }) => type === 'https://schema.org/Message');
  if (labels.length > 1) return 'Multiple root message entities';
  const citations = labels[0]?.citation ?? [];
  if (citations.length > 20) return 'Bot message with more than 20 citations';
  const isFit = citations.every(({ position, appearance: { name, abstract = '' } = {} }) =>
    Boolean(position && name && name.length <= 80 && abstract.length <= 160),
  );
  return isFit ? null : 'Error while parsing citation entity';
}

/** The connector's REST calls for one tenant. */
export function connectorRoutes(tenant: Tenant, method: string, path: string, body: Body, bytes: number): Answer {
  if (method === 'POST' && path === '/v3/conversations') return createConversation(tenant, body);
  const [, , , id = '', part = '', item] = path.split('/');
  const conversation = tenant.conversations.get(baseOf(id)) ?? (/members$/.test(part) ? teamOf(tenant, id) : undefined);
  if (!conversation) return refuse(404, 'ConversationNotFound');
  if (!conversation.installed) return refuse(403, 'BotNotInConversationRoster');
  if (bytes > MAX_MESSAGE_BYTES) return refuse(413, 'MessageSizeTooBig');
  // The people of a channel are those of its team.
  if (/members$/.test(part) && conversation.teamId && id !== conversation.teamId) return refuse(404, 'NotFound');
  if (part === 'members' && method === 'GET') return readMember(tenant, conversation, item ?? '');
  if (part === 'pagedmembers' && method === 'GET') return readMembers(tenant, conversation);
  if (part !== 'activities') return refuse(404, 'NotFound');
  if (method === 'POST' && item === undefined) return post(tenant, conversation, id, body);
  const posted = tenant.posts.get(item ?? '');
  if (!posted || posted.conversationId !== id) return refuse(404, 'ActivityNotFoundInConversation');
  if (method === 'PUT') {
    tenant.posts.set(posted.id, { ...makePost(posted.id, id, body), updates: posted.updates + 1 });
    return { status: 200, body: { id: posted.id } };
  }
  if (method === 'DELETE') {
    tenant.posts.delete(posted.id);
    return { status: 200 };
  }
  return refuse(405, 'MethodNotAllowed');
}

const teamOf = (tenant: Tenant, id: string) => [...tenant.conversations.values()].find(({ teamId }) => teamId === id);

function createConversation(tenant: Tenant, body: Body): Answer {
  const [member] = (body.members ?? []) as { id: string }[];
  const user = member && tenant.users.get(member.id);
  // The app must be installed for the person, or for a team or chat that they are in.
  const shared = [...tenant.conversations.values()].some((one) => user && one.installed && one.members.has(user.id));
  if (!user || !shared || body.tenantId !== tenant.id) return refuse(403, 'BotNotInConversationRoster');
  const known = [...tenant.conversations.values()].find(
    ({ type, members }) => type === 'personal' && members.has(user.id),
  );
  const id = known?.id ?? `a:opened-${user.id.slice(3)}`;
  tenant.conversations.set(id, { id, type: 'personal', teamId: null, members: new Set([user.id]), installed: true });
  return { status: 201, body: { id } };
}

function readMember(tenant: Tenant, conversation: Conversation, id: string): Answer {
  const user = [...tenant.users.values()].find((one) => one.id === id || one.aadObjectId === id);
  return user && conversation.members.has(user.id)
    ? { status: 200, body: user }
    : refuse(404, 'MemberNotFoundInConversation');
}

function readMembers(tenant: Tenant, conversation: Conversation): Answer {
  const members = [...tenant.users.values()].filter(({ id }) => conversation.members.has(id));
  return { status: 200, body: { members } };
}

function makePost(id: string, conversationId: string, body: Body): Posted {
  const cards = ((body.attachments ?? []) as { contentType: string; content?: unknown }[]).filter(
    ({ contentType }) => contentType === 'application/vnd.microsoft.card.adaptive',
  );
  const card = (cards[0]?.content ?? null) as Posted['card'];
  return {
    id,
    conversationId,
    type: String(body.type),
    text: String(body.text ?? ''),
    card,
    activity: body,
    updates: 0,
  };
}

function post(tenant: Tenant, conversation: Conversation, id: string, body: Body): Answer {
  const fault = faultOfLabels(body);
  if (fault) return refuse(400, 'BadRequest', fault);
  const stream = streamOf(body.entities);
  if (stream) return takeStream(tenant, conversation, id, body, stream);
  if (body.type === 'typing') {
    tenant.typing.push({ conversationId: id, entities: [], text: '', at: Date.now() });
    return { status: 201, body: { id: nextId() } };
  }
  if (body.type !== 'message' || (!body.text && !Array.isArray(body.attachments))) return refuse(400, 'BadArgument');
  const made = makePost(nextId(), id, body);
  tenant.posts.set(made.id, made);
  return { status: 201, body: { id: made.id } };
}

/**
 * Checks an update of a stream: in order, containing the text so far, not too fast; a normal message ends the stream.
 */
function takeStream(
  tenant: Tenant,
  conversation: Conversation,
  id: string,
  body: Body,
  stream: NonNullable<ReturnType<typeof streamOf>>,
): Answer {
  if (conversation.type !== 'personal') return refuse(400, 'BadArgument', 'Streaming api is not enabled');
  if (!tenant.streams) return refuse(403, 'ContentStreamNotAllowed', 'Content stream is not allowed');
  const { streamId = nextId(), streamType, streamSequence } = stream;
  const before = tenant.typing.filter(({ entities }) => streamOf(entities)?.streamId === streamId);
  const text = String(body.text ?? '');
  const last = before.at(-1);
  const isInformative = streamType === 'informative';
  // Informative updates are no part of the message.
  const lastText = before.filter(({ entities }) => streamOf(entities)?.streamType !== 'informative').at(-1)?.text;
  if (tenant.posts.has(streamId))
    return refuse(
      403,
      'ContentStreamNotAllowed',
      'Content stream is not allowed on an already completed streamed message',
    );
  if (tenant.endStreams && before.length >= tenant.endStreams.after)
    return refuse(403, 'ContentStreamNotAllowed', tenant.endStreams.words);
  if (last && Date.now() - last.at < STREAM_INTERVAL_MS) return refuse(429, 'ContentStreamTooFast');
  if (!text) return refuse(400, 'BadRequest', 'Start streaming activities should include text');
  if (isInformative && (text.length > 1000 || lastText !== undefined)) return refuse(400, 'BadRequest');
  if (lastText !== undefined && !text.startsWith(lastText)) return refuse(400, 'ContentStreamContentNotIncremental');
  if (streamType === 'final') {
    if (before.length === 0 || streamSequence !== undefined || body.type !== 'message')
      return refuse(400, 'ContentStreamSequenceOrderPreConditionFailed');
    tenant.posts.set(streamId, makePost(streamId, id, body));
    return { status: 202, body: { id: streamId } };
  }
  // The first update is number 1; later ones increase.
  const lastNumber = streamOf(last?.entities)?.streamSequence;
  const isInOrder = lastNumber === undefined ? streamSequence === 1 : (streamSequence ?? 0) > lastNumber;
  if (body.type !== 'typing' || !isInOrder) return refuse(400, 'ContentStreamSequenceOrderPreConditionFailed');
  tenant.typing.push({
    conversationId: id,
    entities: [{ ...stream, streamId, type: 'streaminfo' }],
    text,
    at: Date.now(),
  });
  return { status: 201, body: { id: streamId } };
}
