import { createHmac, randomUUID } from 'node:crypto';
import { nextTs, type Workspace } from './methods.ts';

export const SIGNING_SECRET = '8f742231b10e8888abcd99yyyzzz85a5';

type Overrides = { secret?: string; timestamp?: number; headers?: Record<string, string> };
export type Sent = { status: number; text: string; milliseconds: number };

/** Slack's side of the conversation with the app: what people do there, sent signed to the app's one address. */
export function makeSender(appUrl: () => string, responseUrl: () => string) {
  async function send(body: string, type: string, overrides: Overrides = {}): Promise<Sent> {
    const { secret = SIGNING_SECRET, timestamp = Math.floor(Date.now() / 1000), headers = {} } = overrides;
    const signature = `v0=${createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex')}`;
    const begun = performance.now();
    const answer = await fetch(`${appUrl()}/slack/events`, {
      method: 'POST',
      headers: {
        'content-type': type,
        'X-Slack-Signature': signature,
        'X-Slack-Request-Timestamp': String(timestamp),
        ...headers,
      },
      body,
    });
    return { status: answer.status, text: await answer.text(), milliseconds: performance.now() - begun };
  }
  const sendJson = (value: object, overrides?: Overrides) => send(JSON.stringify(value), 'application/json', overrides);
  const sendForm = (fields: Record<string, string>, overrides?: Overrides) =>
    send(new URLSearchParams(fields).toString(), 'application/x-www-form-urlencoded', overrides);
  const sendPayload = (payload: object) => sendForm({ payload: JSON.stringify(payload) });
  const trigger = () => `trigger-${randomUUID()}`;

  function event(workspace: Workspace, inner: Record<string, unknown>, overrides?: Overrides & { eventId?: string }) {
    const envelope = {
      token: 'x',
      team_id: workspace.team,
      ...(workspace.enterprise ? { enterprise_id: workspace.enterprise } : {}),
      api_app_id: 'A1',
      type: 'event_callback',
      event_id: overrides?.eventId ?? `Ev${randomUUID()}`,
      event_time: Math.floor(Date.now() / 1000),
      authorizations: [
        {
          enterprise_id: workspace.enterprise ?? null,
          team_id: workspace.team,
          user_id: `UBOT${workspace.team}`,
          is_bot: true,
          is_enterprise_install: workspace.enterprise !== undefined,
        },
      ],
      event: { event_ts: inner.ts ?? nextTs(), ...inner },
    };
    return sendJson(envelope, overrides);
  }

  return {
    event,
    verify: (overrides?: Overrides) => sendJson({ type: 'url_verification', challenge: 'word', token: 'x' }, overrides),
    /** A post that mentions the app. @returns what it was acknowledged with, and its timestamp */
    async mention(
      workspace: Workspace,
      user: string,
      channel: string,
      words: string,
      more: Record<string, unknown> = {},
      overrides?: Overrides,
    ) {
      const ts = String(more.ts ?? nextTs());
      const sent = await event(
        workspace,
        { type: 'app_mention', user, channel, text: `<@UBOT${workspace.team}> ${words}`, ts, ...more },
        overrides,
      );
      return { ...sent, ts };
    },
    /** A post as a `message` event. */
    async message(
      workspace: Workspace,
      user: string,
      channel: string,
      words: string,
      more: Record<string, unknown> = {},
      overrides?: Overrides,
    ) {
      const ts = String(more.ts ?? nextTs());
      const channelType = channel.startsWith('D') ? 'im' : 'channel';
      const sent = await event(
        workspace,
        { type: 'message', channel_type: channelType, user, channel, text: words, ts, ...more },
        overrides,
      );
      return { ...sent, ts };
    },
    click: (
      workspace: Workspace,
      user: string,
      actionId: string,
      value: string,
      where: { channel: string; ts: string; thread?: string | null } | 'home',
    ) =>
      sendPayload({
        type: 'block_actions',
        team: { id: workspace.team, domain: 'x' },
        user: { id: user, team_id: workspace.team },
        api_app_id: 'A1',
        trigger_id: trigger(),
        response_url: responseUrl(),
        is_enterprise_install: false,
        enterprise: null,
        ...(where === 'home'
          ? { container: { type: 'view' }, view: { id: 'VH', type: 'home' } }
          : {
              container: { type: 'message' },
              channel: { id: where.channel },
              message: { ts: where.ts, ...(where.thread ? { thread_ts: where.thread } : {}) },
            }),
        actions: [{ action_id: actionId, block_id: 'b', type: 'button', value, action_ts: nextTs() }],
      }),
    submit: (
      workspace: Workspace,
      user: string,
      view: Record<string, unknown>,
      values: Record<string, Record<string, unknown>>,
    ) =>
      sendPayload({
        type: 'view_submission',
        team: { id: workspace.team, domain: 'x' },
        user: { id: user, team_id: workspace.team },
        api_app_id: 'A1',
        is_enterprise_install: false,
        enterprise: null,
        view: { id: 'V1', type: 'modal', ...view, state: { values } },
      }),
    command: (workspace: Workspace, user: string, channel: string, words: string) =>
      sendForm({
        command: '/arc',
        text: words,
        team_id: workspace.team,
        user_id: user,
        channel_id: channel,
        trigger_id: trigger(),
        response_url: responseUrl(),
        api_app_id: 'A1',
        is_enterprise_install: 'false',
      }),
    shortcut: (workspace: Workspace, user: string, channel: string, message: Record<string, unknown>) =>
      sendPayload({
        type: 'message_action',
        callback_id: 'send_to_arc',
        team: { id: workspace.team, domain: 'x' },
        user: { id: user, team_id: workspace.team },
        channel: { id: channel },
        message,
        trigger_id: trigger(),
        response_url: responseUrl(),
        action_ts: nextTs(),
        message_ts: message.ts,
        is_enterprise_install: false,
        enterprise: null,
      }),
  };
}
export type SlackSender = ReturnType<typeof makeSender>;
