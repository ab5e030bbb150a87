import { connect, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { Connection } from 'mongodb/lib/cmap/connection.js';
import { mongo } from 'mongoose';
import { endWritesWithConnections } from '../../models/store/driverWrites.ts';

endWritesWithConnections();
const accepted: Socket[] = [];
const server = createServer((socket) => void accepted.push(socket.on('error', () => undefined)));
let socket: Socket;
let wire: Connection;

beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
beforeEach(async () => {
  socket = connect((server.address() as { port: number }).port, '127.0.0.1');
  await new Promise((resolve) => socket.once('connect', resolve));
  wire = new Connection(socket, { id: 1, generation: 0 });
});
afterAll(() => {
  for (const one of accepted) one.destroy();
  server.close();
});

/** A command of this many bytes, as the driver passes it to a connection. */
const command = (bytes: number) => ({ toBin: async () => [Buffer.alloc(bytes)] });
const plain = { agreedCompressor: 'none' };

test('a write to a socket that was destroyed silently ends with the connection', async () => {
  socket.destroy();
  await expect(wire.writeCommand(command(10), plain)).rejects.toThrow(mongo.MongoNetworkError);
  expect(wire.closed).toBe(true);
});

test('a waiting write ends with the connection when its socket is destroyed', async () => {
  const written = wire.writeCommand(command(50 * 1024 * 1024), plain);
  setImmediate(() => socket.destroy());
  await expect(written).rejects.toThrow(mongo.MongoNetworkError);
});

test('a write to a socket closed by the other side is an error of the connection', async () => {
  accepted.at(-1)?.end();
  await new Promise((resolve) => socket.resume().once('end', resolve));
  await expect(wire.writeCommand(command(10), plain)).rejects.toThrow(mongo.MongoNetworkError);
});

test('an aborted write keeps the caller’s reason, and a finished one leaves no listeners', async () => {
  const listeners = socket.listenerCount('close');
  await wire.writeCommand(command(10), plain);
  expect(socket.listenerCount('close')).toBe(listeners);
  const caller = new AbortController();
  const reason = new Error('enough');
  const written = wire.writeCommand(command(50 * 1024 * 1024), { ...plain, signal: caller.signal });
  setImmediate(() => caller.abort(reason));
  await expect(written).rejects.toBe(reason);
});

test('an error of the driver itself stays unchanged, and the connection stays', async () => {
  const listeners = socket.listenerCount('close');
  const refusal = new mongo.MongoInvalidArgumentError('too large');
  await expect(wire.writeCommand({ toBin: () => Promise.reject(refusal) }, plain)).rejects.toBe(refusal);
  expect([socket.listenerCount('close'), wire.closed]).toEqual([listeners, false]);
});

test('any other error of a write ends the connection, and is its cause', async () => {
  const cause = new Error('no memory');
  await expect(wire.writeCommand({ toBin: () => Promise.reject(cause) }, plain)).rejects.toMatchObject({
    name: 'MongoNetworkError',
    cause,
  });
  expect(wire.closed).toBe(true);
});
