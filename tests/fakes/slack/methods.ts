export type Arguments = Record<string, unknown>;
type Task = { id: string; title: string; status: string };
export type Posted = {
  ts: string;
  channel: string;
  thread: string | null;
  text: string;
  blocks: unknown[];
  username: string | null;
  deleted: boolean;
  streamed?: 'open' | 'done';
  /** Cards of steps that a stream shows. */
  tasks?: Task[];
};
/** Someone whom `users.info` returns; `more` are Slack's own fields about them (is_bot, deleted, …). */
export type Person = {
  id: string;
  email: string | null;
  name: string;
  guest?: boolean;
  team?: string;
  more?: Record<string, unknown>;
};
export type Workspace = {
  team: string;
  name: string;
  /** The organisation, if the app was installed for all of it. */
  enterprise?: string;
  /** `false` if this workspace does not support streaming. */
  streams?: boolean;
  /** Lifetime of its tokens in seconds, if they expire. */
  expiresIn?: number;
  /** Fields to add or override in the answers to code exchange, token refresh and `auth.test`. */
  grant?: Record<string, unknown>;
  tokens: Set<string>;
  refreshTokens: Set<string>;
  users: Map<string, Person>;
  messages: Map<string, Posted>;
  /** Channels that the app is not a member of. */
  absentFrom: Set<string>;
  /** Opened modals in their current state. */
  views: { id: string; hash: string; trigger: string; view: Record<string, unknown> }[];
  homes: Map<string, Record<string, unknown>>;
  /** Titles of the agent's threads, by channel and thread. */
  titles: Map<string, string>;
  /**
   * Files that people have uploaded, by id; `address` and `leadsTo` are another download address, and one it redirects
   * to.
   */
  files: Map<
    string,
    { id: string; name: string; bytes: Buffer; size?: number; hidden?: boolean; address?: string; leadsTo?: string }
  >;
  /** Bytes that the app uploads, by upload id. */
  uploads: Map<string, Buffer>;
  /** Files that the app has shared. */
  shared: { id: string; title: string; channel: string; bytes: Buffer }[];
};
type Context = {
  workspace: Workspace;
  workspaces: Map<string, Workspace>;
  /** Revoked tokens of all workspaces. */
  revoked: Set<string>;
  token: string;
  body: Arguments;
  url: string;
};
type Method = (context: Context) => object;

/** An expired trigger; Slack's expire three seconds after a click. */
export const EXPIRED_TRIGGER = 'trigger-expired';

let clock = 1_795_000_000;
/** A timestamp that no other message has. */
export const nextTs = () => {
  clock += 1;
  return `${clock}.000100`;
};

const text = (value: unknown) => (value === undefined ? '' : String(value));
/** Maximum characters of all blocks together, and of all cells of a table; measured against Slack by others. */
const MAX_BLOCKS_CHARACTERS = 13_200;
const MAX_TABLE_CHARACTERS = 10_000;

type Text = { text?: string };
type Block = {
  type: string;
  block_id?: string;
  text?: Text;
  label?: Text;
  fields?: Text[];
  elements?: Element[];
  element?: Element;
  accessory?: Element;
  rows?: unknown[][];
};
type Element = {
  type: string;
  text?: Text;
  value?: string;
  options?: { text: Text; value: string }[];
  initial_value?: string;
  max_length?: number;
  positive_button?: { text?: Text; value?: string };
  negative_button?: { text?: Text; value?: string };
};

const isTooLong = (it: Text | undefined, most: number) => (it?.text?.length ?? 0) > most;
const MAX_OPTIONS: Record<string, number> = { radio_buttons: 10, checkboxes: 10, static_select: 100 };

/** Refuses an element as Slack would: labels, values and options that are too long or too many. */
function refuseElement({
  type,
  text: label,
  value,
  options,
  initial_value: begun = '',
  max_length: most = 3000,
  positive_button: positive,
  negative_button: negative,
}: Element) {
  if (type === 'feedback_buttons')
    return [positive, negative].some(
      (one) => !one?.text?.text || isTooLong(one.text, 75) || !one.value || one.value.length > 2000,
    );
  if (type === 'plain_text_input') return most > 3000 || begun.length > most;
  if (type === 'button') return isTooLong(label, 75) || !label?.text || (value?.length ?? 0) > 2000;
  if (options === undefined) return false;
  if (options.length === 0 || options.length > (MAX_OPTIONS[type] ?? 100)) return true;
  return options.some((one) => isTooLong(one.text, 75) || one.value.length > 150);
}

function refuseBlock(block: Block): boolean {
  const elements = [...(block.elements ?? []), block.element, block.accessory].filter((it) => it !== undefined);
  if (block.type === 'section' && (isTooLong(block.text, 3000) || !(block.text?.text || block.fields?.length)))
    return true;
  if (block.type === 'header' && isTooLong(block.text, 150)) return true;
  if (block.type === 'actions' && (elements.length === 0 || elements.length > 25)) return true;
  const isFeedback = ({ type }: Element) => type === 'feedback_buttons' || type === 'icon_button';
  // Feedback buttons stand in this block alone.
  if (block.type === 'context_actions' && (elements.length === 0 || elements.length > 5 || !elements.every(isFeedback)))
    return true;
  if (block.type !== 'context_actions' && elements.some(isFeedback)) return true;
  if (block.type === 'context' && (elements.length === 0 || elements.length > 10)) return true;
  if (block.type === 'input' && (isTooLong(block.label, 2000) || !block.element)) return true;
  if (block.type === 'table' && ((block.rows?.length ?? 0) > 100 || block.rows?.some((row) => row.length > 20)))
    return true;
  if ((block.fields?.length ?? 0) > 10 || block.fields?.some((field) => isTooLong(field, 2000))) return true;
  return elements.some(refuseElement);
}

/** Whether Slack would refuse blocks: too many, too long, or two with the same id. */
function refuseBlocks(blocks: Block[], most: number): boolean {
  const ids = blocks.map(({ block_id: id }) => id).filter(Boolean);
  if (blocks.length > most || new Set(ids).size !== ids.length) return true;
  return blocks.filter(({ type }) => type === 'table').length > 1 || blocks.some(refuseBlock);
}

const lengthOf = (blocks: Block[]) =>
  blocks.reduce(
    (sum, { text: words, fields = [] }) =>
      sum + [words, ...fields].reduce((all, it) => all + (it?.text?.length ?? 0), 0),
    0,
  );
const isTooLongTable = ({ type, rows = [] }: Block) =>
  type === 'table' &&
  (rows as Text[][]).flat().reduce((sum, cell) => sum + (cell.text?.length ?? 0), 0) > MAX_TABLE_CHARACTERS;

/** Refuses what Slack would: too many blocks, too long a block, no text at all. @returns Slack's error code */
export function checkBlocks(body: Arguments): string | null {
  const blocks = (body.blocks ?? []) as Block[];
  if (refuseBlocks(blocks, 50)) return 'invalid_blocks';
  if (lengthOf(blocks) > MAX_BLOCKS_CHARACTERS || blocks.some(isTooLongTable)) return 'msg_blocks_too_long';
  return blocks.length === 0 && !text(body.text) ? 'no_text' : null;
}

/** Whether Slack would refuse a view. */
export function checkView(view: Record<string, unknown>): boolean {
  const labels = ['title', 'submit', 'close'].map((name) => view[name] as Text | undefined);
  const blocks = (view.blocks ?? []) as Block[];
  const asks = blocks.some(({ type }) => type === 'input');
  return (
    refuseBlocks(blocks, 100) ||
    labels.some((label) => isTooLong(label, 24)) ||
    (view.type === 'modal' && asks && !view.submit) ||
    text(view.private_metadata).length > 3000
  );
}

type Chunk = { type: string; text?: string; id?: string; title?: string; status?: string };
const TASK_STATES = ['pending', 'in_progress', 'complete', 'error'];

/** The words and steps of a streaming call: `markdown_text`, or chunks. @returns Slack's error code where it refuses */
function readStreamed({ markdown_text: plain, chunks = [] }: Arguments): { words: string; tasks: Task[] } | string {
  const given = chunks as Chunk[];
  if (plain !== undefined && given.length > 0) return 'invalid_arguments';
  const isFit = given.every(({ type, text: words, id, title, status }) =>
    type === 'markdown_text'
      ? Boolean(words)
      : type === 'task_update' && id && title && TASK_STATES.includes(status ?? ''),
  );
  if (!isFit) return 'invalid_chunks';
  const words = text(plain) + given.map((one) => (one.type === 'markdown_text' ? one.text : '')).join('');
  if (words.length > 12_000) return 'msg_too_long';
  return { words, tasks: given.filter(({ type }) => type === 'task_update') as Task[] };
}

/** The cards of steps after an update: one with a known id is changed. */
const tasksAfter = (before: readonly Task[], changed: readonly Task[]): Task[] => [
  ...new Map([...before, ...changed].map(({ id, title, status }) => [id, { id, title, status }])).values(),
];

/** The direct messages between the app and one person. */
export const directOf = (user: string) => `D${user}`;

/** The methods that Arc uses, each with the errors that matter to it. */
export const METHODS: Record<string, Method> = {
  'auth.test': ({ workspace }) => ({
    ok: true,
    team_id: workspace.team,
    team: workspace.name,
    user_id: `UBOT${workspace.team}`,
    bot_id: `B${workspace.team}`,
    ...workspace.grant,
  }),

  'auth.revoke': ({ workspace, revoked, token, body }) => {
    const isTest = body.test === 'true' || body.test === '1';
    if (!isTest) {
      workspace.tokens.delete(token);
      revoked.add(token);
    }
    return { ok: true, revoked: !isTest };
  },

  'oauth.v2.access': ({ workspaces, body }) => {
    if (body.grant_type === 'refresh_token') {
      const owner = [...workspaces.values()].find((one) => one.refreshTokens.has(text(body.refresh_token)));
      if (!owner) return { ok: false, error: 'invalid_refresh_token' };
      owner.refreshTokens.delete(text(body.refresh_token));
      const [access, refresh] = [`xoxe.xoxb-${owner.team}-${clock}`, `xoxe-${owner.team}-${clock}`];
      owner.tokens.add(access);
      owner.refreshTokens.add(refresh);
      return {
        ok: true,
        access_token: access,
        refresh_token: refresh,
        expires_in: 43_200,
        token_type: 'bot',
        ...owner.grant,
      };
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
      ...(workspace.expiresIn ? { expires_in: workspace.expiresIn, refresh_token: `xoxe-${workspace.team}` } : {}),
      ...workspace.grant,
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
        ...user.more,
      },
    };
  },

  'chat.postMessage': ({ workspace, body }) => {
    const to = text(body.channel);
    if (to.startsWith('U') && !workspace.users.has(to)) return { ok: false, error: 'channel_not_found' };
    if (workspace.absentFrom.has(to))
      return { ok: false, error: to.startsWith('D') ? 'channel_not_found' : 'not_in_channel' };
    const error = checkBlocks(body);
    if (error) return { ok: false, error };
    const ts = nextTs();
    const channel = to.startsWith('U') ? directOf(to) : to;
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
    const fault = checkBlocks(body);
    if (fault) return { ok: false, error: fault };
    const message = workspace.messages.get(`${text(body.channel)}:${text(body.ts)}`);
    if (!message) return { ok: false, error: 'message_not_found' };
    if (message.streamed === 'open') return { ok: false, error: 'streaming_state_conflict' };
    message.text = text(body.text);
    message.blocks = (body.blocks ?? []) as unknown[];
    return { ok: true, ts: message.ts };
  },

  'chat.startStream': ({ workspace, body }) => {
    if (workspace.streams === false) return { ok: false, error: 'method_not_supported_for_channel_type' };
    if (!body.thread_ts) return { ok: false, error: 'invalid_arguments' };
    const [channel, thread] = [text(body.channel), text(body.thread_ts)];
    // In a channel Slack asks for the one person who is to see the stream.
    if (!channel.startsWith('D') && !(body.recipient_user_id && body.recipient_team_id))
      return { ok: false, error: 'missing_recipient_user_id' };
    const streamed = readStreamed(body);
    if (typeof streamed === 'string') return { ok: false, error: streamed };
    const ts = nextTs();
    workspace.messages.set(`${channel}:${ts}`, {
      ts,
      channel,
      thread,
      text: streamed.words,
      blocks: [],
      tasks: tasksAfter([], streamed.tasks),
      username: text(body.username) || null,
      deleted: false,
      streamed: 'open',
    });
    return { ok: true, channel, ts };
  },

  'chat.appendStream': ({ workspace, body }) => {
    const message = workspace.messages.get(`${text(body.channel)}:${text(body.ts)}`);
    if (message?.streamed !== 'open') return { ok: false, error: 'message_not_in_streaming_state' };
    const streamed = readStreamed(body);
    if (typeof streamed === 'string') return { ok: false, error: streamed };
    if (!streamed.words && streamed.tasks.length === 0) return { ok: false, error: 'no_text' };
    message.text += streamed.words;
    message.tasks = tasksAfter(message.tasks ?? [], streamed.tasks);
    return { ok: true, channel: message.channel, ts: message.ts };
  },

  'chat.stopStream': ({ workspace, body }) => {
    const message = workspace.messages.get(`${text(body.channel)}:${text(body.ts)}`);
    if (message?.streamed !== 'open') return { ok: false, error: 'message_not_in_streaming_state' };
    const streamed = readStreamed(body);
    if (typeof streamed === 'string') return { ok: false, error: streamed };
    if (refuseBlocks((body.blocks ?? []) as Block[], 50)) return { ok: false, error: 'invalid_blocks' };
    message.text += streamed.words;
    message.tasks = tasksAfter(message.tasks ?? [], streamed.tasks);
    message.blocks = (body.blocks ?? []) as unknown[];
    message.streamed = 'done';
    return { ok: true, channel: message.channel, ts: message.ts };
  },

  'chat.postEphemeral': () => ({ ok: true, message_ts: nextTs() }),

  'views.open': ({ workspace, body }) => {
    const trigger = text(body.trigger_id);
    if (trigger === EXPIRED_TRIGGER) return { ok: false, error: 'expired_trigger_id' };
    if (!trigger.startsWith('trigger-')) return { ok: false, error: 'invalid_trigger_id' };
    if (workspace.views.some((one) => one.trigger === trigger)) return { ok: false, error: 'exchanged_trigger_id' };
    const view = body.view as Record<string, unknown>;
    if (checkView(view)) return { ok: false, error: 'invalid_arguments' };
    const opened = { id: `V${workspace.views.length + 1}`, hash: nextTs(), trigger, view };
    workspace.views.push(opened);
    return { ok: true, view: { ...view, id: opened.id, hash: opened.hash } };
  },

  'views.update': ({ workspace, body }) => {
    const opened = workspace.views.find(({ id }) => id === text(body.view_id));
    if (!opened) return { ok: false, error: 'not_found' };
    if (body.hash && opened.hash !== text(body.hash)) return { ok: false, error: 'hash_conflict' };
    const view = body.view as Record<string, unknown>;
    if (checkView(view)) return { ok: false, error: 'invalid_arguments' };
    Object.assign(opened, { view, hash: nextTs() });
    return { ok: true, view: { ...view, id: opened.id, hash: opened.hash } };
  },

  'views.publish': ({ workspace, body }) => {
    const view = body.view as Record<string, unknown>;
    if (!workspace.users.has(text(body.user_id))) return { ok: false, error: 'user_not_found' };
    if (checkView(view)) return { ok: false, error: 'invalid_arguments' };
    workspace.homes.set(text(body.user_id), view);
    return { ok: true, view: { id: 'VH' } };
  },

  'assistant.threads.setSuggestedPrompts': () => ({ ok: true }),
  'agents.sessions.rename': ({ workspace, body }) => {
    const title = text(body.title);
    if (!body.thread_ts || title.length === 0 || title.length > 200) return { ok: false, error: 'invalid_arguments' };
    workspace.titles.set(`${text(body.channel_id)}:${text(body.thread_ts)}`, title);
    return { ok: true };
  },
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
        size: file.size ?? file.bytes.byteLength,
        url_private_download: file.address ?? `${url}/files/${file.id}`,
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
