/** @environment slack */
import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import { slack } from '../../environments/slack.ts';
import { type Server, startServer } from '../../factories/server.ts';
import { makeSender } from '../../fakes/slack/sender.ts';

let server: Server;
let sender: ReturnType<typeof makeSender>;

beforeAll(async () => {
  server = await startServer();
  sender = makeSender(
    () => server.url,
    () => `${slack.url}/response`,
  );
});
afterAll(() => server.stop());
afterEach(() => {
  jest.restoreAllMocks();
});

const message = { type: 'message', channel: 'D1', user: 'U1', text: 'help', ts: '1.1' };
const event = (change: object) => ({ type: 'event_callback', team_id: 'TNOBODY', event: { ...message, ...change } });
const click = { type: 'block_actions', user: { id: 'U1' }, team: { id: 'TNOBODY' }, trigger_id: 't' };

test.each([
  ['null', null],
  ['a number', 7],
  ['a list', [event({})]],
  ['a text', 'event_callback'],
  ['an event of nothing', { type: 'event_callback', team_id: 'TNOBODY' }],
  ['an event that is null', { type: 'event_callback', team_id: 'TNOBODY', event: null }],
  ['a type that is an object', { type: { $ne: null }, event: message }],
  ['a user that is an object', event({ user: { id: 'U1' } })],
  ['a text that is a list', event({ text: ['help'] })],
  ['a time that is a number', event({ ts: 1.1 })],
  ['a message without a channel', event({ channel: undefined })],
  ['files that are not a list', event({ files: { 0: 'x' } })],
  ['a file that is null', event({ files: [null] })],
  ['a file with an id that is an object', event({ files: [{ id: { $gt: '' } }] })],
  ['a click of nothing', { ...click, actions: [] }],
  ['a click of null', { ...click, actions: [null] }],
  ['an event whose channel is null', event({ type: 'tokens_revoked', channel: null })],
  ['an event whose user is null', event({ user: null })],
  ['a click of a number', { ...click, actions: [{ type: 'button', action_id: 7 }] }],
  ['a click without a user', { ...click, user: null, actions: [{ type: 'button', action_id: 'answer:approve' }] }],
  ['a form without values', { type: 'view_submission', user: { id: 'U1' }, view: { id: 'V1' } }],
  ['a form of null', { type: 'view_submission', user: { id: 'U1' }, view: null }],
  ['a kind that Slack does not have', { type: 'constructor', user: { id: 'U1' } }],
])('a signed but invalid body is 400: %s', async (_what, body) => {
  expect((await sender.sendJson(body as object)).status).toBe(400);
  expect((await sender.sendForm({ payload: JSON.stringify(body) })).status).toBe(400);
});

test.each([
  ['no JSON', '{"type":'],
  ['nothing', ''],
  ['bytes', '\u0000\u0001'],
])('a signed but unreadable body is 400: %s', async (_what, body) => {
  expect((await sender.send(body, 'application/json')).status).toBe(400);
});

test.each([
  ['a command without a person', { command: '/arc', text: 'help', channel_id: 'C1' }],
  ['an invalid command', { command: 'arc', user_id: 'U1', channel_id: 'C1' }],
])('a signed but invalid event is 400: %s', async (_what, fields) => {
  expect((await sender.sendForm(fields as Record<string, string>)).status).toBe(400);
});

test('an invalid body without a signature is 401, and the answer does not say what is invalid', async () => {
  expect(await sender.sendJson({ odd: null }, { secret: 'another' })).toMatchObject({ status: 401, text: '' });
});

test.each([
  ['five minutes old, within a second', -299, 200],
  ['more than five minutes old', -301, 401],
  ['five minutes ahead, within a second', 299, 200],
  ['more than five minutes ahead', 302, 401],
])('a signature %s', async (_what, seconds, status) => {
  const timestamp = Math.floor(Date.now() / 1000) + seconds;
  expect((await sender.sendJson({ type: 'url_verification', challenge: 'x' }, { timestamp })).status).toBe(status);
});

test.each([
  [300, 200],
  [301, 401],
])('a signature that is ahead by exactly %i seconds: %i', async (seconds, status) => {
  const now = Math.floor(Date.now() / 1000);
  jest.spyOn(Date, 'now').mockReturnValue(now * 1000);
  const body = { type: 'url_verification', challenge: 'x' };
  expect((await sender.sendJson(body, { timestamp: now + seconds })).status).toBe(status);
});

test('a call without a body is 401', async () => {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  socket.end(`POST /slack/events HTTP/1.1\r\nHost: ${hostname}\r\nConnection: close\r\n\r\n`);
  let answer = '';
  for await (const bytes of socket) answer += bytes;
  expect(answer).toMatch(/^HTTP\/1\.1 401 /);
});

test.each(['text', 'thread_ts', 'bot_id', 'subtype', 'tab'])(
  'an event without its %s, or with null, is processed as far as possible',
  async (field) => {
    expect((await sender.sendJson(event({ [field]: null }))).status).toBe(200);
    expect((await sender.sendJson(event({ [field]: undefined }))).status).toBe(200);
  },
);

test('an event without a user is processed as far as possible', async () => {
  expect((await sender.sendJson(event({ user: undefined }))).status).toBe(200);
});

test('events of a workspace that is not connected are acknowledged', async () => {
  expect((await sender.sendJson(event({}))).status).toBe(200);
});

const view = { id: 'V1', type: 'modal', callback_id: 'c', private_metadata: '', state: { values: {} } };
const action = { type: 'button', action_id: 'nobody:listens', value: 'x' };
/** Each kind of body, with its required fields. */
const REQUIRED_FIELDS: [kind: string, body: Record<string, unknown>, needed: string[]][] = [
  ['an event', event({}), ['type', 'event', 'event.type', 'event.channel', 'event.ts']],
  ['a mention', event({ type: 'app_mention' }), ['event.channel', 'event.ts']],
  ['a word of the address', { type: 'url_verification', challenge: 'x' }, ['challenge']],
  ['a click', { ...click, actions: [action] }, ['user', 'user.id', 'actions', 'actions.0.action_id', 'actions.0.type']],
  ['a form that was sent', { type: 'view_submission', user: { id: 'U1' }, view }, ['user', 'view', 'view.state']],
  ['a form that was closed', { type: 'view_closed', user: { id: 'U1' }, view }, ['user', 'view']],
  ['a shortcut', { type: 'shortcut', callback_id: 'c', user: { id: 'U1' } }, ['callback_id', 'user']],
  ['a message action', { type: 'message_action', callback_id: 'c', user: { id: 'U1' } }, ['callback_id', 'user']],
];
const without = (body: Record<string, unknown>, path: string) => {
  const copy = structuredClone(body);
  const names = path.split('.');
  const last = names.pop() as string;
  const holder = names.reduce((at, name) => at[name] as Record<string, unknown>, copy);
  delete holder[last];
  return copy;
};

test.each(REQUIRED_FIELDS)(
  '%s is accepted with its required fields, and refused without any of them',
  async (_kind, body, needed) => {
    expect((await sender.sendForm({ payload: JSON.stringify(body) })).status).not.toBe(400);
    for (const path of needed) {
      const sent = await sender.sendForm({ payload: JSON.stringify(without(body, path)) });
      expect({ path, status: sent.status }).toEqual({ path, status: 400 });
    }
  },
);

test('an event of another kind needs no channel', async () => {
  expect((await sender.sendJson(event({ type: 'team_rename', channel: undefined, ts: undefined }))).status).toBe(200);
});

test('a form without a payload is read as fields, and Slack’s check of the address is accepted', async () => {
  const command = { command: '/nothing', text: '', user_id: 'U1', channel_id: 'C1', team_id: 'TNOBODY' };
  expect((await sender.sendForm(command)).status).not.toBe(400);
  for (const name of ['command', 'user_id', 'channel_id']) {
    const { [name as 'command']: _, ...rest } = command;
    expect((await sender.sendForm(rest)).status).toBe(400);
  }
  expect((await sender.sendForm({ ssl_check: '1', token: 'x' })).status).not.toBe(400);
  expect((await sender.sendForm({ ssl_check: '2', token: 'x' })).status).toBe(400);
});

test.each([
  ['no signature', { 'X-Slack-Signature': '' }],
  ['no time', { 'X-Slack-Request-Timestamp': '' }],
  ['an invalid time', { 'X-Slack-Request-Timestamp': 'soon' }],
  ['another time than was signed', { 'X-Slack-Request-Timestamp': String(Math.floor(Date.now() / 1000) - 30) }],
])('a call with %s is 401', async (_what, headers) => {
  expect((await sender.verify({ headers: headers as Record<string, string> })).status).toBe(401);
});

test('bodies up to the size that Slack’s own library accepts are read', async () => {
  const send = (bytes: number) => sender.send(' '.repeat(bytes), 'application/json');
  expect((await send(4 * 1024 * 1024)).status).toBe(400);
  expect((await send(4 * 1024 * 1024 + 1)).status).toBe(413);
});
