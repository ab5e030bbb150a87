import { once } from 'node:events';
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
