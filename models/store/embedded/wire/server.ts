import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import type { Reply, Session, Store } from '../commands/context.ts';
import { answer, errorReply } from '../commands/index.ts';
import { frameReply, MAX_MESSAGE, parseMessage, type Request } from './message.ts';

const HEADER = 16;

/** Answers one request; a promise only where it has to wait. */
type Answer = (request: Request) => Reply | Promise<Reply>;

/** The frame of a reply, or of the error that the reply is too large. */
function framed(request: Request, reply: Reply): Buffer {
  try {
    return frameReply(request, reply);
  } catch (error) {
    return frameReply(request, errorReply(error));
  }
}

/** Reads messages from a socket and answers them one after the other, in order. Anything malformed closes it. */
function serveConnection(socket: Socket, answer: Answer): void {
  let chunks: Buffer[] = [];
  let size = 0;
  let wanted = HEADER;
  const waiting: Buffer[] = [];
  let busy = false;

  const fail = () => socket.destroy();

  const send = (request: Request, reply: Reply) => {
    if (request.silent || socket.destroyed || socket.write(framed(request, reply))) return;
    // Backpressure: a client that does not read its replies is paused.
    socket.pause();
    socket.once('drain', () => socket.resume());
  };

  const work = () => {
    while (!busy && waiting.length > 0) {
      const request = parseMessage(waiting.shift()!);
      const reply = answer(request);
      if (!(reply instanceof Promise)) {
        send(request, reply);
        continue;
      }
      busy = true;
      const goOn = (done: Reply) => {
        busy = false;
        send(request, done);
        work();
      };
      reply.then(goOn).catch(fail);
    }
  };

  /** Handles the complete messages in the buffer; an incomplete one waits for more bytes. */
  const take = (bytes: Buffer) => {
    let rest = bytes;
    wanted = HEADER;
    while (rest.length >= 4) {
      const length = rest.readInt32LE(0);
      if (length < HEADER || length > MAX_MESSAGE) return fail();
      wanted = length;
      if (rest.length < length) break;
      waiting.push(rest.subarray(0, length));
      rest = rest.subarray(length);
      wanted = HEADER;
    }
    chunks = rest.length > 0 ? [rest] : [];
    size = rest.length;
    try {
      work();
    } catch {
      fail();
    }
  };

  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= wanted) take(chunks.length === 1 ? chunk : Buffer.concat(chunks));
  });
  socket.on('error', fail);
}

let connections = 0;

/** Where a server listens: a unix socket, or a port of the loopback address. */
type Listening = { socketPath: string } | { port: number };

/** Serves the store's clients until it is closed. Resolves with the port where it listens on one. */
export async function listen(
  store: Store,
  where: Listening,
  newSession: (id: number) => Session,
): Promise<{ port: number; close(): Promise<void> }> {
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    const session = newSession(++connections);
    serveConnection(socket, (request) => answer(request, store, session));
  });
  server.listen('socketPath' in where ? { path: where.socketPath } : { port: where.port, host: '127.0.0.1' });
  await once(server, 'listening');
  const close = async () => {
    const closed = once(server, 'close');
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  return { port: 'port' in where ? (server.address() as AddressInfo).port : 0, close };
}
