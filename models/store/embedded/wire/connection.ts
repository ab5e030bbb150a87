import type { Socket } from 'node:net';
import type { Reply } from '../commands/context.ts';
import { errorReply } from '../commands/index.ts';
import { frameReply, MAX_MESSAGE, parseMessage, type Request } from './message.ts';

/** Answers one request; a promise only where it has to wait. */
export type Answer = (request: Request) => Reply | Promise<Reply>;

const HEADER = 16;

/** The frame of a reply, or of the error that the reply is too large. */
function framed(request: Request, reply: Reply): Buffer {
  try {
    return frameReply(request, reply);
  } catch (error) {
    return frameReply(request, errorReply(error));
  }
}

/** Reads messages from a socket and answers them one after the other, in order. Anything malformed closes it. */
export function serveConnection(socket: Socket, answer: Answer): void {
  let chunks: Buffer[] = [];
  let size = 0;
  let wanted = HEADER;
  const waiting: Buffer[] = [];
  let busy = false;

  const fail = () => socket.destroy();

  const send = (request: Request, reply: Reply) => {
    if (request.silent || socket.destroyed || socket.write(framed(request, reply))) return;
    // Who asks and does not read is not heard until it has read.
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

  /** Takes the whole messages of what was read; the rest waits for more. */
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
