// The driver's types leave out its internals.
declare module 'mongodb/lib/cmap/connection.js' {
  import type { Socket } from 'node:net';

  /** The part of the driver's connection to a server that is used here. */
  export class Connection {
    constructor(socket: Socket, options: { id: number; generation: number });
    address: string;
    socket: Socket;
    closed: boolean;
    onError(error: Error): void;
    /** Sends one command's bytes. */
    writeCommand(command: unknown, options: { signal?: AbortSignal; agreedCompressor?: string }): Promise<void>;
  }
}
