import { type Claims, ISSUER, type Keys } from './keys.ts';
import type { FakeTeams } from './server.ts';
import { baseOf, type Conversation, nextId, type Posted, type TeamsUser, type Tenant } from './tenant.ts';

export type Sent = {
  status: number;
  text: string;
  body: Record<string, never> | null;
  milliseconds: number;
  id: string;
};
type Overrides = { id?: string; claims?: Claims; token?: string | null; more?: Record<string, unknown> };
type Place = { tenant: Tenant; user: TeamsUser; conversation: Conversation; thread?: string };

/** The claims of a Microsoft token. */
export const claimsFor = (tenant: Tenant, serviceUrl: string): Claims => ({
  iss: ISSUER,
  aud: tenant.appId,
  serviceurl: serviceUrl,
  nbf: Math.floor(Date.now() / 1000) - 60,
  exp: Math.floor(Date.now() / 1000) + 3600,
});

/**
 * Teams' side of the conversation with the app: what people do there, sent with signed tokens to the app's endpoint.
 */
export function makeSender(teams: FakeTeams, appUrl: () => string) {
  const keys: Keys = teams.keys;

  /** Like Microsoft, signs one token and uses it for many activities. */
  const tokens = new Map<string, Promise<string>>();
  function tokenFor(tenant: Tenant, claims?: Claims): Promise<string> {
    const sign = () => keys.sign({ ...claimsFor(tenant, teams.serviceUrl), ...claims });
    if (claims) return sign();
    const kept = tokens.get(tenant.appId) ?? sign();
    tokens.set(tenant.appId, kept);
    return kept;
  }

  async function send(activity: Record<string, unknown>, tenant: Tenant, overrides: Overrides = {}): Promise<Sent> {
    const token = overrides.token === undefined ? await tokenFor(tenant, overrides.claims) : overrides.token;
    const begun = performance.now();
    const answer = await fetch(`${appUrl()}/api/messages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(token === null ? {} : { authorization: `Bearer ${token}` }) },
      body: JSON.stringify({ ...activity, ...overrides.more }),
    });
    const text = await answer.text();
    const milliseconds = performance.now() - begun;
    const body = text.startsWith('{') ? JSON.parse(text) : null;
    return { status: answer.status, text, body, milliseconds, id: String(activity.id) };
  }

  /** The fields that every activity of Teams has. */
  function envelope({ tenant, user, conversation, thread }: Place, type: string, id = nextId()) {
    const { teamId } = conversation;
    return {
      type,
      id,
      timestamp: new Date().toISOString(),
      localTimestamp: new Date().toISOString(),
      serviceUrl: teams.serviceUrl,
      channelId: 'msteams',
      from: { id: user.id, name: user.name, aadObjectId: user.aadObjectId },
      recipient: { id: `28:${tenant.appId}`, name: 'Arc' },
      conversation: {
        id: thread ? `${conversation.id};messageid=${thread}` : conversation.id,
        conversationType: conversation.type,
        tenantId: tenant.id,
        ...(conversation.type === 'personal' ? {} : { isGroup: true }),
      },
      entities: [{ locale: 'en-GB', country: 'GB', platform: 'Web', timezone: 'Europe/London', type: 'clientInfo' }],
      channelData: {
        tenant: { id: tenant.id },
        ...(teamId ? { team: { id: teamId }, channel: { id: conversation.id }, teamsTeamId: teamId } : {}),
      },
    };
  }

  const invoke = (place: Place, name: string, value: unknown, more: Record<string, unknown> = {}) =>
    send({ ...envelope(place, 'invoke'), name, value, ...more }, place.tenant);

  return {
    send,
    envelope,
    invoke,
    /** The app is added to a conversation, or removed from it. */
    async install(place: Place, action: 'add' | 'remove' = 'add') {
      place.conversation.installed = action === 'add';
      const sent = await send({ ...envelope(place, 'installationUpdate'), action }, place.tenant);
      const members = [{ id: `28:${place.tenant.appId}` }];
      await send(
        {
          ...envelope(place, 'conversationUpdate'),
          ...(action === 'add' ? { membersAdded: members } : { membersRemoved: members }),
        },
        place.tenant,
      );
      return sent;
    },
    /** Sends a person's message: plain in the personal chat, with a mention of the app elsewhere. */
    message(place: Place, words: string, overrides: Overrides = {}) {
      const personal = place.conversation.type === 'personal';
      const id = overrides.id ?? nextId();
      const where =
        personal || place.conversation.type === 'groupChat' ? place : { ...place, thread: place.thread ?? id };
      const it = envelope(where, 'message', id);
      const mention = {
        type: 'mention',
        text: '<at>Arc</at>',
        mentioned: { id: `28:${place.tenant.appId}`, name: 'Arc' },
      };
      return send(
        {
          ...it,
          textFormat: 'plain',
          text: personal ? words : `<at>Arc</at>&nbsp;${words}\n`,
          attachments: [{ contentType: 'text/html', content: `<div>${words}</div>` }],
          entities: personal ? it.entities : [...it.entities, mention],
        },
        place.tenant,
        overrides,
      );
    },
    /** Drops a file into the personal chat. */
    drop(place: Place, name: string, bytes: Uint8Array, words = '', more: Record<string, unknown> = {}) {
      const key = `${nextId()}-file`;
      place.tenant.files.set(key, Buffer.from(bytes));
      const content = {
        downloadUrl: `${teams.url}/files/${place.tenant.id}/${key}`,
        uniqueId: key,
        fileType: name.split('.').pop(),
      };
      return send(
        {
          ...envelope(place, 'message'),
          text: words,
          attachments: [
            {
              contentType: 'application/vnd.microsoft.teams.file.download.info',
              name,
              content: { ...content, ...more },
            },
          ],
        },
        place.tenant,
      );
    },
    /** Presses a button that is answered in place (Action.Execute). */
    execute: (place: Place, verb: string, data: Record<string, unknown>, replyToId = '1') =>
      invoke(
        place,
        'adaptiveCard/action',
        { action: { type: 'Action.Execute', verb, data: { ...data, verb } }, trigger: 'manual' },
        { replyToId },
      ),
    /** The same from a client that supports only Action.Submit. */
    submit: (place: Place, data: Record<string, unknown>, replyToId = '1') =>
      send({ ...envelope(place, 'message'), value: data, replyToId }, place.tenant),
    /** What a person sees of a card: their own version, if the card asks for one to be fetched. */
    async view(place: Place, post: Posted): Promise<Record<string, unknown> | null> {
      const refresh = post.card?.refresh as { action: { verb: string; data: object }; userIds?: string[] } | undefined;
      if (!refresh || (refresh.userIds && !refresh.userIds.includes(place.user.id))) return post.card;
      const { verb, data } = refresh.action;
      const value = { action: { type: 'Action.Execute', verb, data }, trigger: 'automatic' };
      const { body } = await invoke(place, 'adaptiveCard/action', value, { replyToId: post.id });
      const answer = body as { type?: string; value?: Record<string, unknown> } | null;
      return answer?.type === 'application/vnd.microsoft.card.adaptive' ? (answer.value ?? null) : post.card;
    },
    /** Sends Teams' form below a message's thumbs. */
    judge: (place: Place, reaction: string, words: string, replyToId: string) =>
      invoke(
        place,
        'message/submitAction',
        { actionName: 'feedback', actionValue: { reaction, feedback: JSON.stringify({ feedbackText: words }) } },
        { replyToId },
      ),
    openDialog: (place: Place, data: Record<string, unknown>) =>
      invoke(place, 'task/fetch', { data: { ...data, type: 'task/fetch' }, context: { theme: 'default' } }),
    sendDialog: (place: Place, data: Record<string, unknown>) => invoke(place, 'task/submit', { data }),
    baseOf,
  };
}
export type TeamsSender = ReturnType<typeof makeSender>;
export type { Place };
