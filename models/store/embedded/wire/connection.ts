import type { Socket } from 'node:net';
import type { Reply } from '../commands/context.ts';
import { errorReply } from '../commands/index.ts';
import { frameReply, MAX_MESSAGE, parseMessage, type Request } from './message.ts';

/** Answers one request; a promise only where it has to wait. */
export type Answer = (request: Request) => Reply | Promise<Reply>;

const HEADER = 16;

/** Reads messages from a socket and answers them one after the other, in order. Anything malformed closes it. */
export function serveConnection(socket: Socket, answer: Answer): void {
  let chunks: Buffer[] = [];
  let size = 0;
  let wanted = HEADER;
  const waiting: Buffer[] = [];
  let busy = false;

  const fail = () => socket.destroy();

  const send = (request: Request, reply: Reply) => {
    if (request.silent || socket.destroyed) return;
    let bytes: Buffer;
    try {
      bytes = frameReply(request, reply);
    } catch (error) {
      bytes = frameReply(request, errorReply(error));
    }
    // Who asks and does not read is not heard until it has read.
    if (!socket.write(bytes)) {
      socket.pause();
      socket.once('drain', () => socket.resume());
    }
  };

  const work = () => {
    while (!busy && waiting.length > 0) {
      let request: Request;
      try {
        request = parseMessage(waiting.shift()!);
      } catch {
        return fail();
      }
      const reply = answer(request);
      if (reply instanceof Promise) {
        busy = true;
        reply
          .then((done) => {
            busy = false;
            send(request, done);
            work();
          })
          .catch(fail);
      } else send(request, reply);
    }
  };

  const take = (bytes: Buffer) => {
    let rest = bytes;
    for (;;) {
      if (rest.length < 4) break;
      const length = rest.readInt32LE(0);
      if (length < HEADER || length > MAX_MESSAGE) return fail();
      if (rest.length < length) {
        wanted = length;
        break;
      }
      waiting.push(rest.subarray(0, length));
      rest = rest.subarray(length);
      wanted = HEADER;
    }
    chunks = rest.length > 0 ? [rest] : [];
    size = rest.length;
    work();
  };

  socket.on('data', (chunk: Buffer) => {
    if (size === 0) return take(chunk);
    chunks.push(chunk);
    size += chunk.length;
    if (size >= wanted) take(Buffer.concat(chunks));
  });
  socket.on('error', fail);
}
