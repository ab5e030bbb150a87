import { rmSync } from 'node:fs';

export default async function globalTeardown() {
  const store = globalThis.__arcStore;
  if (!store) return;
  await store.worker.terminate();
  rmSync(store.directory, { recursive: true, force: true });
}
