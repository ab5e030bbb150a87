/** @environment store */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { io as connectTo, type Socket } from 'socket.io-client';
import { attachArcChannel } from '../../../bot/channels/arc/app.ts';
import type { ArcServer } from '../../../bot/channels/arc/rooms.ts';
import { personKey } from '../../../models/contracts/auth.ts';
import { AppError } from '../../../models/contracts/errors.ts';
import { Interrupt } from '../../../models/interrupt.ts';
import { logger } from '../../../models/logger.ts';
import type { Who } from '../../../models/policies/who.ts';
import { runInAccount } from '../../../models/store/context.ts';
import { announce } from '../../../models/store/revisions.ts';
import { Turn } from '../../../models/turn.ts';
import { connectTestStore, makeWho, nextNumber } from '../../factories/account.ts';
import { makeInterrupt } from '../../factories/interrupt.ts';
import { eventually } from '../../factories/person.ts';

connectTestStore();

let url = '';
let io: ArcServer;
let who: Who;
let asked: string[] = [];
/** The tokens that the gate was asked to identify. */
let bearers: (string | undefined)[] = [];
/** The gate's current answers. */
let gate: { whoIs: () => Who | null; refused: string | null; sameOrigin: boolean };
beforeAll(async () => {
  const http = createServer();
  const ask = (what: string) => async () => {
    asked.push(what);
    if (gate.refused === what) throw new AppError('too_many', { seconds: 60 });
  };
  io = attachArcChannel(http, {
    session: (request, _response, next) => {
      Object.assign(request, { sessionID: request.headers['x-session'] });
      next();
    },
    whoIs: async (request) => {
      bearers.push((request as IncomingMessage).headers.authorization);
      return gate.whoIs();
    },
    mayChat: ask('mayChat'),
    countMessage: ask('countMessage'),
    sameOrigin: () => gate.sameOrigin,
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
});
afterAll(() => io.close());

const sockets: Socket[] = [];
beforeEach(() => {
  who = makeWho();
  asked = [];
  bearers = [];
  gate = { whoIs: () => who, refused: null, sameOrigin: true };
});
afterEach(() => {
  jest.restoreAllMocks();
  for (const socket of sockets.splice(0)) socket.close();
});

/** Connects a browser. @returns the socket, or the reason of the refusal */
const connect = (auth: object = {}, session = who.email + who.userId): Promise<Socket | string> => {
  const headers = { 'x-session': session };
  const socket = connectTo(url, {
    transports: ['websocket'],
    forceNew: true,
    reconnection: false,
    auth,
    extraHeaders: headers,
  });
  sockets.push(socket);
  return new Promise((resolve) => {
    socket.once('connect', () => resolve(socket));
    socket.once('connect_error', (error) => resolve(error.message));
  });
};
const refusal = async (...given: Parameters<typeof connect>) => {
  const made = await connect(...given);
  return typeof made === 'string' ? made : null;
};
const send = async (socket: Socket | string, message: unknown = { message: 'hello' }) =>
  (socket as Socket).timeout(5000).emitWithAck('send', message) as Promise<{ success: boolean; error?: string }>;

describe('a connecting browser', () => {
  test('must be one of our own pages, with a session of the person that the page belongs to', async () => {
    expect(await refusal()).toBeNull();
    expect(await refusal({ person: personKey(who) })).toBeNull();
    expect(await refusal({ person: personKey(makeWho()) })).toBe(new AppError('other_person').message);
    gate.whoIs = () => null;
    expect(await refusal()).toBe(new AppError('not_signed_in').message);
    gate.whoIs = () => {
      throw new Error('no store');
    };
    expect(await refusal()).toBe(new AppError('store_unavailable').message);
    gate.sameOrigin = false;
    expect(await refusal()).toBe('websocket error');
  });

  test('has at most thirty sockets per session, or per person without a session', async () => {
    const full = new AppError('too_many', { seconds: 60 }).message;
    const open = async (auth: object, session: string) => {
      const all = await Promise.all(Array.from({ length: 31 }, () => refusal(auth, session)));
      return all.filter((message) => message === full).length;
    };
    expect(await open({}, 'one session')).toBe(1);
    expect(await refusal({}, 'another session')).toBeNull();
    expect(await open({ token: 'short' }, 'none')).toBe(1);
    who = makeWho();
    expect(await refusal({ token: 'short' }, 'none')).toBeNull();
  });

  test('sends a token if it has no cookie', async () => {
    await connect({ token: 'short' });
    await connect({ token: 7 });
    expect(bearers).toEqual(['Bearer short', undefined]);
  });

  test('can only open a socket there', async () => {
    expect((await fetch(`${url}/socket.io/socket.io.js`)).status).toBeGreaterThanOrEqual(400);
  });

  test('is disconnected once its session has ended and its account changes', async () => {
    const socket = (await connect()) as Socket;
    gate.whoIs = () => null;
    announce(who.accountId, ['account']);
    await eventually(async () => socket.disconnected, 'the socket to be closed');
  });

  test('hears of changes in its own account only', async () => {
    const socket = (await connect()) as Socket;
    const heard: unknown[] = [];
    socket.on('changed', (topics) => void heard.push(topics));
    announce(makeWho().accountId, ['chat']);
    announce(who.accountId, ['agents', 'chat']);
    await eventually(async () => heard.length > 0, 'the change to be heard');
    expect(heard).toEqual([['agents', 'chat']]);
  });
});

test('a browser hears of a question that another process asked, and of this process’s questions only once', async () => {
  const { accountId } = who;
  const socket = (await connect()) as Socket;
  const heard: unknown[] = [];
  socket.on('asked', ({ interruptId }) => void heard.push(interruptId));
  const _id = nextNumber();
  await runInAccount(accountId, () => Interrupt.create(makeInterrupt({ _id, accountId }) as never));
  announce(accountId, ['interrupts'], true);
  announce(accountId, ['chat'], false);
  await send(socket);
  expect(heard).toEqual([]);
  announce(accountId, ['interrupts'], false);
  await eventually(async () => heard.length > 0, 'the question to be told');
  expect(heard).toEqual([_id]);
});

describe('a message over the socket', () => {
  const turns = () => runInAccount(who.accountId, () => Turn.countDocuments({}));

  test('is rate-limited, and stored if the account may chat', async () => {
    const socket = await connect();
    expect(await send(socket)).toEqual({ success: true, messageId: expect.any(String) });
    expect(asked).toEqual(['countMessage', 'mayChat']);
    expect(await turns()).toBe(1);
  });

  test.each(['countMessage', 'mayChat'])('is refused if %s refuses', async (what) => {
    const socket = await connect();
    gate.refused = what;
    const error = new AppError('too_many', { seconds: 60 }).message;
    expect(await send(socket)).toEqual({ success: false, error });
    expect(await turns()).toBe(0);
  });

  test('that fails through our fault is logged; a refused one is not', async () => {
    const error = jest.spyOn(logger, 'error').mockReturnValue(undefined);
    const socket = await connect();
    gate.refused = 'mayChat';
    await send(socket);
    expect(error).not.toHaveBeenCalled();
    gate.whoIs = () => {
      throw new Error('no store');
    };
    expect(await send(socket)).toMatchObject({ success: false });
    expect(error).toHaveBeenCalledTimes(1);
  });

  test('may be a frame of 64 KiB; a larger one closes the socket', async () => {
    const socket = (await connect()) as Socket;
    const long = (bytes: number) => ({ message: 'a'.repeat(bytes) });
    expect(await send(socket, long(64 * 1024 - 100))).toMatchObject({ success: false });
    socket.emit('send', long(64 * 1024 + 100));
    await eventually(async () => socket.disconnected, 'the socket to be closed');
  });

  test('is refused once the session has ended, and if it is malformed', async () => {
    const socket = await connect();
    for (const odd of [null, 'hello', {}, { message: 7 }, { message: '\ud800' }])
      expect(await send(socket, odd)).toEqual({ success: false, error: new AppError('bad_request').message });
    gate.whoIs = () => null;
    expect(await send(socket)).toEqual({ success: false, error: new AppError('not_signed_in').message });
    expect(await turns()).toBe(0);
  });
});
