import { createHmac, randomUUID } from 'node:crypto';
import { checkView, nextTs, type Workspace } from './methods.ts';

export const SIGNING_SECRET = '8f742231b10e8888abcd99yyyzzz85a5';

/** Slack waits three seconds for an answer; the tests allow ten times that, because the machine is busy. */
const ANSWER_TIMEOUT_MS = 30_000;

type Overrides = { secret?: string; timestamp?: number; headers?: Record<string, string> };
export type Sent = { status: number; text: string; milliseconds: number };

/** Values of a modal's inputs, by block and action. */
export type Values = Record<string, Record<string, unknown>>;
/** What an app may answer to a submitted modal. */
export type Reply = { response_action?: string; errors?: Record<string, string>; view?: Record<string, unknown> };
/** Where a person acts: on a message, at App Home, or in a modal with the values they entered. */
export type Where =
  | 'home'
  | { channel: string; ts: string; thread?: string | null }
  | { modal: Workspace['views'][number]; values?: Values };

type Input = {
  type: string;
  block_id?: string;
  element?: { type: string; action_id: string; initial_value?: string; initial_option?: object };
};

/** A view's state as Slack sends it: every input is present, with its initial value if nobody changed it. */
function stateOf({ view }: Workspace['views'][number], given: Values): { values: Values } {
  const values: Values = {};
  for (const { type, block_id: id = '', element } of view.blocks as Input[]) {
    if (type !== 'input' || !element) continue;
    const { action_id: action, initial_option: option = null, initial_value: value = null } = element;
    values[id] = given[id] ?? {
      [action]: element.type === 'plain_text_input' ? { value } : { selected_option: option },
    };
  }
  return {
    values,
  };
}

function placeOf(where: Where): object {
  if (where === 'home') return { container: { type: 'view' }, view: { id: 'VH', type: 'home' } };
  if ('modal' in where) {
    const { id, hash, view } = where.modal;
    return {
      container: { type: 'view', view_id: id },
      view: { ...view, id, hash, state: stateOf(where.modal, where.values ?? {}) },
    };
  }
  return {
    container: { type: 'message' },
    channel: { id: where.channel },
    message: { ts: where.ts, ...(where.thread ? { thread_ts: where.thread } : {}) },
  };
}

/** Slack's side of the conversation with the app: what people do there, signed and sent to the app's endpoint. */
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
      signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
    });
    return { status: answer.status, text: await answer.text(), milliseconds: performance.now() - begun };
  }
  const sendJson = (value: object, overrides?: Overrides) => send(JSON.stringify(value), 'application/json', overrides);
  const sendForm = (fields: Record<string, string>, overrides?: Overrides) =>
    send(new URLSearchParams(fields).toString(), 'application/x-www-form-urlencoded', overrides);
  const sendPayload = (payload: object) => sendForm({ payload: JSON.stringify(payload) });
  const trigger = () => `trigger-${randomUUID()}`;
  const responseOf = ({ team }: Workspace) => `${responseUrl()}/${team}`;

  function event(
    workspace: Workspace,
    inner: Record<string, unknown>,
    overrides?: Overrides & { eventId?: string; authorizations?: object[]; happenedAt?: number },
  ) {
    const envelope = {
      token: 'x',
      team_id: workspace.team,
      ...(workspace.enterprise ? { enterprise_id: workspace.enterprise } : {}),
      api_app_id: 'A1',
      type: 'event_callback',
      event_id: overrides?.eventId ?? `Ev${randomUUID()}`,
      event_time: Math.floor((overrides?.happenedAt ?? Date.now()) / 1000),
      authorizations: overrides?.authorizations ?? [
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

  const belongs = (workspace: Workspace) => ({
    team: workspace.enterprise ? null : { id: workspace.team, domain: 'x' },
    enterprise: workspace.enterprise ? { id: workspace.enterprise, name: 'x' } : null,
    is_enterprise_install: workspace.enterprise !== undefined,
    api_app_id: 'A1',
  });

  function act(workspace: Workspace, user: string, action: object, where: Where, triggerId = trigger()) {
    return sendPayload({
      type: 'block_actions',
      ...belongs(workspace),
      user: { id: user, team_id: workspace.team },
      trigger_id: triggerId,
      response_url: responseOf(workspace),
      ...placeOf(where),
      actions: [{ block_id: 'b', action_ts: nextTs(), ...action }],
    });
  }

  return {
    /** Sends any signed body: raw bytes, JSON, or a form. */
    send,
    sendJson,
    sendForm,
    event,
    verify: (overrides?: Overrides) => sendJson({ type: 'url_verification', challenge: 'word', token: 'x' }, overrides),
    /** Posts a message that mentions the app. @returns the answer and the message's timestamp */
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
    /** Posts a message as a `message` event. */
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
    click: (workspace: Workspace, user: string, actionId: string, value: string, where: Where, triggerId = trigger()) =>
      act(workspace, user, { action_id: actionId, type: 'button', value }, where, triggerId),
    /** Presses a thumb below an answer. */
    judge: (workspace: Workspace, user: string, value: string, where: Where) =>
      act(workspace, user, { action_id: 'feedback', type: 'feedback_buttons', value }, where),
    /** Chooses from radio buttons or a menu. */
    choose: (workspace: Workspace, user: string, actionId: string, value: string, where: Where) =>
      act(workspace, user, { action_id: actionId, type: 'radio_buttons', selected_option: { value } }, where),
    /** Submits a modal, and applies the app's answer to it, or throws if Slack would refuse the answer. */
    async submit(
      workspace: Workspace,
      user: string,
      modal: Workspace['views'][number],
      values: Values,
    ): Promise<Reply> {
      const { status, text } = await sendPayload({
        type: 'view_submission',
        ...belongs(workspace),
        user: { id: user, team_id: workspace.team },
        view: { type: 'modal', ...modal.view, id: modal.id, hash: modal.hash, state: stateOf(modal, values) },
      });
      if (status !== 200) throw new Error(`The form stays open: it was not acknowledged (${status}).`);
      const reply = (text ? JSON.parse(text) : {}) as Reply;
      const inputs = (modal.view.blocks as { type: string; block_id?: string }[]).filter(
        ({ type }) => type === 'input',
      );
      for (const block of Object.keys(reply.errors ?? {})) {
        if (!inputs.some(({ block_id: id }) => id === block))
          throw new Error(`The app reported an error on ${block}, which is no input of the modal.`);
      }
      if (reply.view) {
        if (checkView(reply.view)) throw new Error('Slack refuses the view.');
        Object.assign(modal, { view: reply.view, hash: nextTs() });
      }
      return reply;
    },
    command: (workspace: Workspace, user: string, channel: string, words: string) =>
      sendForm({
        command: '/arc',
        text: words,
        team_id: workspace.team,
        ...(workspace.enterprise ? { enterprise_id: workspace.enterprise } : {}),
        user_id: user,
        channel_id: channel,
        trigger_id: trigger(),
        response_url: responseOf(workspace),
        api_app_id: 'A1',
        is_enterprise_install: String(workspace.enterprise !== undefined),
      }),
    shortcut: (workspace: Workspace, user: string, channel: string, message: Record<string, unknown>) =>
      sendPayload({
        type: 'message_action',
        callback_id: 'send_to_arc',
        ...belongs(workspace),
        user: { id: user, team_id: workspace.team },
        channel: { id: channel },
        message,
        trigger_id: trigger(),
        response_url: responseOf(workspace),
        action_ts: nextTs(),
        message_ts: message.ts,
      }),
  };
}
export type SlackSender = ReturnType<typeof makeSender>;
