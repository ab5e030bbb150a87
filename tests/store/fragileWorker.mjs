// The store's worker, which ends on request as if it had crashed.
import { join } from 'node:path';
import { BroadcastChannel } from 'node:worker_threads';

const channel = new BroadcastChannel('fragile');
channel.onmessage = () => process.exit(1);
channel.unref();
await import(join(process.cwd(), '.cache/workers/store.js'));
