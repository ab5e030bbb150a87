import { createServer, type Server, type Socket } from 'node:net';
import type { Session, Store } from '../commands/context.ts';
import { answer } from '../commands/index.ts';
import { serveConnection } from './connection.ts';

let connections = 0;

/** Where a server listens: a unix socket, or a port of the loopback address. */
export type Address = { socketPath: string } | { port: number };

/** What a new connection must do before it may send commands. */
export type NewSession = (id: number) => Session;

/** Serves the store's clients until it is closed. */
export async function listen(
  store: Store,
  address: Address,
  newSession: NewSession,
): Promise<{ server: Server; close(): Promise<void> }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    const session = newSession(++connections);
    serveConnection(socket, (request) => answer(request, store, session));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    if ('socketPath' in address) server.listen(address.socketPath, resolve);
    else server.listen(address.port, '127.0.0.1', resolve);
  });
  return {
    server,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
