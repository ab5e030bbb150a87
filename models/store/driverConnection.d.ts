// The driver gives no types for what it keeps inside.
declare module 'mongodb/lib/cmap/connection.js' {
  import type { Socket } from 'node:net';

  /** What is used here of the driver's connection to a server. */
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
