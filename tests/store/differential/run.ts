import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildWorkers } from '../../../build.mjs';
import { startEmbeddedStore } from '../../../models/store/embedded/index.ts';
import { compareWithModel } from './compare.ts';

const WORKERS = join(process.cwd(), '.cache/workers');
/** Compares random commands with the model: `npm run store:compare -- COMMANDS SEED`, on JUDGE_URI where it is set. */
const [commands = 100_000, seed = Date.now() % 1_000_000] = process.argv.slice(2).map(Number);
const directory = mkdtempSync(join(tmpdir(), 'arc-compare-'));
const judge = process.env.JUDGE_URI;
if (!judge) await buildWorkers(WORKERS);
const store = judge
  ? { uri: judge, close: async () => undefined }
  : await startEmbeddedStore({ directory: join(directory, 'store'), workerFile: join(WORKERS, 'store.js') });
try {
  const { compared, refused } = await compareWithModel(store.uri, commands, seed);
  console.log(`Seed ${seed}: ${compared} commands, ${refused} of them refused as documented, no difference.`);
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
} finally {
  await store.close();
  rmSync(directory, { recursive: true, force: true });
}
