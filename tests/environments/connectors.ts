// What a process is started with whose test files say `@environment connectors`: a provider of their own, shared by them.
import { startProvider } from '../fakes/provider.ts';
import { afterEveryFile, atEnd } from '../runner/atEnd.mjs';
import { mustBe } from '../runner/environment.mjs';

mustBe('connectors');
export const provider = await startProvider();
afterEveryFile(() => provider.recover());
atEnd(() => provider.stop());
