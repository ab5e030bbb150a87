// `npm run eval`: measures every agent that declares an evaluation, and the conversation on labelled questions. Ends with 1 where a figure is below its bar.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildWorkers } from '../../build.mjs';

// The environment is read when the first of these is loaded. Without a store of its own, a second run in one folder
// would find the rows of the first.
process.env.DATA_DIR = mkdtempSync(join(tmpdir(), 'arc-eval-'));
const { agents } = await import('../../bot/agents/index.ts');
const { measureConversation } = await import('./conversation.ts');

/** Labelled sets that are not part of the repository. */
const OUTSIDE_SETS = join(process.cwd(), '../shared/data');

for (const { id, evaluate } of agents) {
  if (!evaluate) continue;
  const { lines, below, notRun } = await evaluate(OUTSIDE_SETS);
  console.log([id, ...lines].join('\n'));
  for (const set of notRun) console.log(`NOT RUN: ${set} is not there, so these figures say nothing of it.`);
  const met = notRun.length > 0 ? 'All figures that were measured meet their bars.' : 'All figures meet their bars.';
  console.log(below.length > 0 ? `Below their bars:\n  ${below.join('\n  ')}` : met);
  if (below.length > 0) process.exitCode = 1;
}

await buildWorkers('.cache/workers');
const { openMadeUpAccount } = await import('./openMadeUpAccount.ts');
const account = await openMadeUpAccount();
const { lines, below } = await measureConversation(account.openRows);
await account.close();

console.log(['conversation', ...lines].join('\n'));
if (below.length > 0) {
  console.log(`Below their bars:\n  ${below.join('\n  ')}`);
  process.exitCode = 1;
}
