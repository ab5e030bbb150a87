export type Arguments = Record<string, unknown>;
export type Posted = {
  ts: string;
  channel: string;
  thread: string | null;
  text: string;
  blocks: unknown[];
  username: string | null;
  deleted: boolean;
  streamed?: 'open' | 'done';
};
export type Person = { id: string; email: string | null; name: string; guest?: boolean; team?: string };
export type Workspace = {
  team: string;
  name: string;
  /** The organisation, where the whole of it installed the app. */
  enterprise?: string;
  /** False where this workspace does not know streams. */
  streams?: boolean;
  tokens: Set<string>;
  refreshTokens: Set<string>;
  users: Map<string, Person>;
  messages: Map<string, Posted>;
  views: { trigger: string; view: Record<string, unknown> }[];
  homes: Map<string, Record<string, unknown>>;
  /** Files that people have put there, by id. */
  files: Map<string, { id: string; name: string; bytes: Buffer }>;
  /** Bytes that the app uploads, by upload id. */
  uploads: Map<string, Buffer>;
  /** Files that the app has shared. */
  shared: { id: string; title: string; channel: string; bytes: Buffer }[];
};
type Context = { workspace: Workspace; workspaces: Map<string, Workspace>; body: Arguments; url: string };
type Method = (context: Context) => object;

let clock = 1_795_000_000;
/** A timestamp that no other message has. */
export const nextTs = () => {
  clock += 1;
  return `${clock}.000100`;
};

const text = (value: unknown) => (value === undefined ? '' : String(value));
const LONGEST = 40_000;

/** Refuses what Slack would: too many blocks, too long a block, no text at all. */
function checkBlocks(body: Arguments): string | null {
  const blocks = (body.blocks ?? []) as { type: string; text?: { text: string }; elements?: { value?: string }[] }[];
  if (blocks.length > 50) return 'invalid_blocks';
  if (blocks.some((block) => (block.text?.text.length ?? 0) > 3000)) return 'invalid_blocks';
  const tables = blocks.filter((block) => block.type === 'table') as unknown as { rows: unknown[][] }[];
  if (tables.length > 1 || tables.some(({ rows }) => rows.length > 100 || rows.some((row) => row.length > 20)))
    return 'invalid_blocks';
  if (blocks.some((block) => block.type === 'actions' && (block.elements?.length ?? 0) > 25)) return 'invalid_blocks';
  if (JSON.stringify(blocks).length > LONGEST) return 'msg_blocks_too_long';
  return blocks.length === 0 && !text(body.text) ? 'no_text' : null;
}

/** The methods that Arc uses, each with the refusals that matter. */
export const METHODS: Record<string, Method> = {
  'auth.test': ({ workspace }) => ({
    ok: true,
    team_id: workspace.team,
    team: workspace.name,
    user_id: `UBOT${workspace.team}`,
    bot_id: `B${workspace.team}`,
  }),

  'oauth.v2.access': ({ workspaces, body }) => {
    if (body.grant_type === 'refresh_token') {
      const owner = [...workspaces.values()].find((one) => one.refreshTokens.has(text(body.refresh_token)));
      if (!owner) return { ok: false, error: 'invalid_refresh_token' };
      owner.refreshTokens.delete(text(body.refresh_token));
      const [access, refresh] = [`xoxe.xoxb-${owner.team}-${clock}`, `xoxe-${owner.team}-${clock}`];
      owner.tokens.add(access);
      owner.refreshTokens.add(refresh);
      return { ok: true, access_token: access, refresh_token: refresh, expires_in: 43_200, token_type: 'bot' };
    }
    const workspace = workspaces.get(text(body.code).replace('code-', ''));
    if (!workspace) return { ok: false, error: 'invalid_code' };
    return {
      ok: true,
      access_token: `xoxb-${workspace.team}`,
      token_type: 'bot',
      bot_user_id: `UBOT${workspace.team}`,
      app_id: 'A1',
      team: workspace.enterprise ? null : { id: workspace.team, name: workspace.name },
      enterprise: workspace.enterprise ? { id: workspace.enterprise, name: workspace.name } : null,
      is_enterprise_install: workspace.enterprise !== undefined,
      scope: '',
    };
  },

  'users.info': ({ workspace, body }) => {
    const user = workspace.users.get(text(body.user));
    if (!user) return { ok: false, error: 'user_not_found' };
    return {
      ok: true,
      user: {
        id: user.id,
        team_id: user.team ?? workspace.team,
        ...(workspace.enterprise && !user.team
          ? { enterprise_user: { id: user.id, enterprise_id: workspace.enterprise } }
          : {}),
        is_restricted: user.guest ?? false,
        real_name: user.name,
        profile: { real_name: user.name, ...(user.email ? { email: user.email } : {}) },
      },
    };
  },

  'chat.postMessage': ({ workspace, body }) => {
    const error = checkBlocks(body);
    if (error) return { ok: false, error };
    const ts = nextTs();
    const channel = text(body.channel);
    workspace.messages.set(`${channel}:${ts}`, {
      ts,
      channel,
      thread: body.thread_ts ? text(body.thread_ts) : null,
      text: text(body.text),
      blocks: (body.blocks ?? []) as unknown[],
      username: body.username ? text(body.username) : null,
      deleted: false,
    });
    return { ok: true, channel, ts };
  },

  'chat.update': ({ workspace, body }) => {
    const message = workspace.messages.get(`${text(body.channel)}:${text(body.ts)}`);
    if (!message) return { ok: false, error: 'message_not_found' };
    message.text = text(body.text);
    message.blocks = (body.blocks ?? []) as unknown[];
    return { ok: true, ts: message.ts };
  },

  'chat.startStream': ({ workspace, body }) => {
    if (workspace.streams === false) return { ok: false, error: 'method_not_supported_for_channel_type' };
    if (!body.thread_ts) return { ok: false, error: 'invalid_arguments' };
    if (text(body.markdown_text).length > 12_000) return { ok: false, error: 'msg_too_long' };
    const ts = nextTs();
    const [channel, thread] = [text(body.channel), text(body.thread_ts)];
    const words = text(body.markdown_text);
    workspace.messages.set(`${channel}:${ts}`, {
      ts,
      channel,
      thread,
      text: words,
      blocks: [],
      username: text(body.username) || null,
      deleted: false,
      streamed: 'open',
    });
    return { ok: true, channel, ts };
  },

  'chat.stopStream': ({ workspace, body }) => {
    const message = workspace.messages.get(`${text(body.channel)}:${text(body.ts)}`);
    if (message?.streamed !== 'open') return { ok: false, error: 'message_not_in_streaming_state' };
    message.streamed = 'done';
    return { ok: true, channel: message.channel, ts: message.ts };
  },

  'chat.postEphemeral': () => ({ ok: true, message_ts: nextTs() }),

  'views.open': ({ workspace, body }) => {
    const trigger = text(body.trigger_id);
    if (!trigger.startsWith('trigger-')) return { ok: false, error: 'invalid_trigger_id' };
    const view = body.view as Record<string, unknown>;
    if (text((view.title as { text?: string } | undefined)?.text).length > 24)
      return { ok: false, error: 'invalid_arguments' };
    workspace.views.push({ trigger, view });
    return { ok: true, view: { id: `V${workspace.views.length}`, ...view } };
  },

  'views.publish': ({ workspace, body }) => {
    const view = body.view as { blocks?: unknown[] };
    if ((view.blocks?.length ?? 0) > 100) return { ok: false, error: 'invalid_arguments' };
    workspace.homes.set(text(body.user_id), view as Record<string, unknown>);
    return { ok: true, view: { id: 'VH' } };
  },

  'assistant.threads.setSuggestedPrompts': () => ({ ok: true }),
  'agents.sessions.setStatus': ({ body }) =>
    ['active', 'processing', 'suspended', 'closed'].includes(text(body.status))
      ? { ok: true }
      : { ok: false, error: 'invalid_arguments' },

  'files.info': ({ workspace, body, url }) => {
    const file = workspace.files.get(text(body.file));
    if (!file) return { ok: false, error: 'file_not_found' };
    return {
      ok: true,
      file: {
        id: file.id,
        name: file.name,
        size: file.bytes.byteLength,
        url_private_download: `${url}/files/${file.id}`,
      },
    };
  },

  'files.getUploadURLExternal': ({ body, url }) => {
    const id = `F${nextTs().replace('.', '')}`;
    if (!Number(body.length)) return { ok: false, error: 'invalid_arguments' };
    return { ok: true, upload_url: `${url}/upload/${id}`, file_id: id };
  },

  'files.completeUploadExternal': ({ workspace, body }) => {
    const files = body.files as { id: string; title?: string }[];
    for (const { id, title } of files) {
      workspace.shared.push({
        id,
        title: title ?? '',
        channel: text(body.channel_id),
        bytes: workspace.uploads.get(id) ?? Buffer.alloc(0),
      });
    }
    return { ok: true, files: files.map(({ id }) => ({ id })) };
  },
};
