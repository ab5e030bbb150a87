import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import { type WebSocket, WebSocketServer } from 'ws';

export type Envelope = { envelope_id: string; type: string; payload: object; accepts_response_payload: boolean };

/** Slack's side of Socket Mode: it says hello, sends envelopes, and records which were acknowledged. */
export function serveSockets(server: Server) {
  const sockets = new Set<WebSocket>();
  const acknowledged = new Map<string, unknown>();
  const wss = new WebSocketServer({ server, path: '/socket' });
  wss.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('message', (data) => {
      const { envelope_id: id, payload } = JSON.parse(String(data)) as { envelope_id?: string; payload?: unknown };
      if (id) acknowledged.set(id, payload ?? null);
    });
    socket.send(JSON.stringify({ type: 'hello', num_connections: 1, connection_info: { app_id: 'A1' } }));
  });
  return {
    acknowledged,
    connected: () => sockets.size,
    /** Sends an envelope over the socket. @returns the envelope's id, which the app acknowledges */
    send(type: string, payload: object): string {
      const envelope: Envelope = {
        envelope_id: randomUUID(),
        type,
        payload,
        accepts_response_payload: type !== 'events_api',
      };
      for (const socket of sockets) socket.send(JSON.stringify(envelope));
      return envelope.envelope_id;
    },
    /** Closes every connection, as Slack does when it restarts. */
    drop: () => {
      for (const socket of sockets) socket.terminate();
    },
    close: () => {
      for (const socket of sockets) socket.terminate();
      wss.close();
    },
  };
}
