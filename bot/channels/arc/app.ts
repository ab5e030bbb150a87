import type { Server as HttpServer } from 'node:http';
import { Server } from 'socket.io';
import { runInBackground } from '../../../models/background.ts';
import { personKey } from '../../../models/contracts/auth.ts';
import { sendChat } from '../../../models/contracts/chat.ts';
import { AppError, toPublicError } from '../../../models/contracts/errors.ts';
import type { ClientEvents } from '../../../models/contracts/realtime.ts';
import { isWellFormed } from '../../../models/contracts/wellFormed.ts';
import { logger } from '../../../models/logger.ts';
import type { Who } from '../../../models/policies/who.ts';
import { runInAccount } from '../../../models/store/context.ts';
import { asStoreFault } from '../../../models/store/fault.ts';
import { changes } from '../../../models/store/revisions.ts';
import { registerChannel } from '../../engine/delivery/channel.ts';
import type { Gate } from '../../engine/delivery/plugIn.ts';
import { acceptMessage } from '../../engine/turns/acceptMessage.ts';
import { makeArcChannel } from './outbound.ts';
import { makeQuestionAnnouncer } from './questions.ts';
import { type ArcServer, accountRoom, conversationRoom } from './rooms.ts';
import { closeEndedSockets, makeSocketLimit } from './sessions.ts';

type Acknowledge = Parameters<ClientEvents['send']>[1];

/** Attaches the arc channel to the server: browsers connect with their session and receive their account's changes. */
export function attachArcChannel(server: HttpServer, gate: Gate): ArcServer {
  const io: ArcServer = new Server(server, {
    path: '/socket.io',
    serveClient: false,
    maxHttpBufferSize: 64 * 1024,
    allowRequest: (request, decide) => decide(null, gate.sameOrigin(request)),
  });
  io.engine.use(gate.session);
  const takeSocket = makeSocketLimit();
  io.use(async (socket, next) => {
    try {
      const { token, person } = socket.handshake.auth;
      // A browser can't set headers on a socket, so a page without a cookie sends its token in the handshake.
      if (typeof token === 'string') socket.request.headers.authorization = `Bearer ${token}`;
      const who = await gate.whoIs(socket.request);
      if (!who) return next(new AppError('not_signed_in'));
      if (typeof person === 'string' && person !== personKey(who)) return next(new AppError('other_person'));
      const session = (socket.request as { sessionID?: string }).sessionID;
      if (!takeSocket(typeof token === 'string' ? personKey(who) : String(session), socket.conn)) {
        return next(new AppError('too_many', { seconds: 60 }));
      }
      socket.data.who = who;
      next();
    } catch (error) {
      next(new AppError('store_unavailable', {}, { cause: error }));
    }
  });
  io.on('connection', (socket) => {
    const { accountId, userId } = socket.data.who as Who;
    socket.join([accountRoom(accountId), conversationRoom(accountId, `user:${userId}`)]);
    socket.on('send', async (...frame: unknown[]) => {
      // The client controls the frame, so its last part need not be a callback.
      const last = frame.at(-1);
      const acknowledge = typeof last === 'function' ? (last as Acknowledge) : () => undefined;
      const [given] = frame;
      try {
        // Checked for every message: the session or the membership may have ended since the socket connected.
        const who = await gate.whoIs(socket.request);
        if (!who) throw new AppError('not_signed_in');
        await gate.countMessage(who);
        const body = sendChat.body.safeParse(given);
        if (!body.success || !isWellFormed(body.data)) throw new AppError('bad_request');
        await runInAccount(who.accountId, async () => {
          await gate.mayChat(who);
          acknowledge({ success: true, messageId: await acceptMessage(who, body.data.message, body.data) });
        });
      } catch (error) {
        const { body } = toPublicError(asStoreFault(error), socket.id);
        if (!(error instanceof AppError)) logger.error({ err: error }, 'socket message failed');
        acknowledge({ success: false, error: body.error });
      }
    });
  });
  closeEndedSockets(io, gate.whoIs);
  const questions = makeQuestionAnnouncer(io);
  changes.on('changed', (accountId, topics, own) => {
    io.to(accountRoom(accountId)).emit('changed', topics);
    if (!own && topics.includes('interrupts'))
      runInBackground('announcing questions', questions.announceRecent(accountId));
  });
  registerChannel(makeArcChannel(io, questions.announce));
  return io;
}
