import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import mongoose from 'mongoose';
import { io as connectSocket, type Socket } from 'socket.io-client';
import supertest from 'supertest';
import type { ClientEvents, ServerEvents } from '../../models/contracts/realtime.ts';
import { atEnd } from '../runner/atEnd.mjs';

export type Server = Awaited<ReturnType<typeof startServer>>;

/** The server that all test files of the process share; separate accounts keep the files apart. */
let started: ReturnType<typeof start> | undefined;

async function start() {
  const parts = await import('./parts.ts');
  const connected = await parts.connectStore(process.env.TEST_STORE_URI, `t_${randomBytes(6).toString('hex')}`);
  await parts.ensureIndexes();
  parts.registerAgents(parts.agents);
  parts.onAnswered(parts.resumeRun);
  const sessions = parts.makeSession();
  const channels = await parts.openChannels();
  const http = createServer(parts.createApp({ session: sessions, ...channels.parts }));
  channels.attach(http, parts.makeGate(sessions));
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  atEnd(async () => {
    await channels.stop();
    await parts.closeAgents();
    await mongoose.connection.db?.dropDatabase();
    await connected.close();
  });
  return url;
}

/** A socket that does not connect in this time never will: its name is worth more than the test's own limit. */
const MAX_CONNECT_MS = 30_000;

/**
 * The whole product on its own port, with its own database in the run's store: real HTTP, real sockets and the real
 * engine. Call it in beforeAll and stop it in afterAll; the server keeps running for the next files of the process.
 */
export async function startServer() {
  started ??= start();
  const url = await started;
  const sockets: Socket[] = [];
  return {
    url,
    /** A browser session that keeps cookies between calls. */
    browser: () => supertest.agent(url),
    /** A browser's socket, with a session's cookies and what the page reports about itself. */
    async socket(cookie: string, auth: object = {}): Promise<Socket<ServerEvents, ClientEvents>> {
      const socket: Socket<ServerEvents, ClientEvents> = connectSocket(url, {
        transports: ['websocket'],
        extraHeaders: { cookie },
        auth,
        forceNew: true,
      });
      sockets.push(socket as unknown as Socket);
      await new Promise<void>((resolve, reject) => {
        const late = setTimeout(() => reject(new Error('The socket did not connect.')), MAX_CONNECT_MS);
        socket.once('connect', resolve);
        socket.once('connect_error', reject);
        socket.once('connect', () => clearTimeout(late)).once('connect_error', () => clearTimeout(late));
      });
      return socket;
    },
    async stop() {
      for (const socket of sockets) socket.close();
    },
  };
}
