import { type AddressInfo, createServer, type Socket } from 'node:net';
import type { Session, Store } from '../commands/context.ts';
import { answer } from '../commands/index.ts';
import { serveConnection } from './connection.ts';

let connections = 0;

/** Where a server listens: a unix socket, or a port of the loopback address. */
export type Listening = { socketPath: string } | { port: number };

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
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    if ('socketPath' in where) server.listen(where.socketPath, resolve);
    else server.listen(where.port, '127.0.0.1', resolve);
  });
  return {
    port: 'port' in where ? (server.address() as AddressInfo).port : 0,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
