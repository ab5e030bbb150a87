import { connect, createServer, type Socket } from 'node:net';

/**
 * Sits between a server and its store and can hold back writes to one collection. A test can kill a process after it
 * has acknowledged something and before that is stored.
 */
export async function startStoreProxy(storeUri: string) {
  const path = decodeURIComponent(/^mongodb:\/\/([^/?]+)/.exec(storeUri)?.[1] ?? '');
  const sockets = new Set<Socket>();
  let held: string | null = null;
  let isCut = false;
  let reached = () => {};
  const server = createServer((client) => {
    if (isCut) return void client.destroy();
    const store = connect(path);
    let holding = false;
    for (const socket of [client, store]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => sockets.delete(socket));
    }
    client.on('data', (bytes) => {
      // A command's operation and collection are plain text in its document.
      if (held !== null && bytes.includes(`insert\0`) && bytes.includes(`${held}\0`)) {
        holding = true;
        reached();
      }
      if (!holding) store.write(bytes);
    });
    store.on('data', (bytes) => client.write(bytes));
    client.on('close', () => store.destroy());
    store.on('close', () => client.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return {
    /** The proxy's address for a server, with a database of its own. */
    uri: (database: string) => `mongodb://127.0.0.1:${port}/${database}?directConnection=true`,
    /** Holds back inserts into a collection. @returns once the first of them arrives */
    hold: (collection: string) =>
      new Promise<void>((resolve) => {
        held = collection;
        reached = resolve;
      }),
    /** Passes everything through again, on new connections. */
    release: () => {
      held = null;
    },
    /** Closes every connection and refuses new ones, as when the store's host is down. */
    cut: () => {
      isCut = true;
      for (const socket of sockets) socket.destroy();
    },
    /** Accepts connections again. */
    mend: () => {
      isCut = false;
    },
    stop: () =>
      new Promise<void>((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}
