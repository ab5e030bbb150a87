// Starts the OAuth provider that all test files with `@environment connectors` in a process share.
import { startProvider } from '../fakes/provider.ts';
import { afterEveryFile, atEnd } from '../runner/atEnd.mjs';
import { requireEnvironment } from '../runner/environment.mjs';

requireEnvironment('connectors');
export const provider = await startProvider();
afterEveryFile(() => provider.recover());
atEnd(() => provider.stop());
