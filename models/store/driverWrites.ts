import { Connection } from 'mongodb/lib/cmap/connection.js';
import { mongo } from 'mongoose';

const write = Connection.prototype.writeCommand;

/**
 * Replaces the driver's `writeCommand` by one that also ends when the socket closes. The driver (7.8, 7.9) waits for
 * `drain` only, which never comes on a socket destroyed without an error: the command never returns, and a monitor
 * never reconnects. Raw socket errors become MongoNetworkError, so that the driver retries. See
 * docs/decisions/016-writes-end-with-their-connection.md.
 * @throws MongoNetworkError where the connection ends before the bytes are written
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

/** Installs {@link writeOrEnd} in the driver; idempotent. */
export function endWritesWithConnections(): void {
  Connection.prototype.writeCommand = writeOrEnd;
}
