import { Connection } from 'mongodb/lib/cmap/connection.js';
import { mongo } from 'mongoose';

const write = Connection.prototype.writeCommand;

/**
 * Sends a command, and ends with the connection: the driver (7.8, 7.9) waits for `drain` alone, which never comes on a
 * socket that was destroyed without an error, and passes a socket's own errors on as they are. A command met so never
 * returned, and a monitor met so never looked again: the store stayed lost after it had come back.
 * @throws MongoNetworkError when the connection ends before the bytes are out
 */
function writeOrEnd(this: Connection, ...given: Parameters<Connection['writeCommand']>): Promise<void> {
  const { socket } = this;
  return new Promise((resolve, reject) => {
    const fail = (cause?: unknown) => {
      socket.off('close', onClose);
      const error = new mongo.MongoNetworkError(`connection to ${this.address} ended while it was written to`, {
        cause: cause as Error,
      });
      this.onError(error);
      reject(error);
    };
    const onClose = () => fail();
    if (socket.destroyed) return fail();
    socket.on('close', onClose);
    write.apply(this, given).then(
      () => {
        socket.off('close', onClose);
        resolve();
      },
      (error: unknown) => {
        if (!(error instanceof mongo.MongoError) && error !== given[1].signal?.reason) return fail(error);
        socket.off('close', onClose);
        reject(error);
      },
    );
  });
}

/** Makes every write of the driver end with its connection; safe to repeat. */
export function endWritesWithConnections(): void {
  Connection.prototype.writeCommand = writeOrEnd;
}
