import { once } from 'node:events';
import { rmSync } from 'node:fs';

/** Closes the store as the product does: terminating a thread in the middle of a write may crash the process. */
export default async function globalTeardown() {
  const store = globalThis.__arcStore;
  if (store) {
    const ended = once(store, 'exit');
    store.postMessage({ close: true });
    await ended;
  }
  rmSync(globalThis.__arcDirectory, { recursive: true, force: true });
}
