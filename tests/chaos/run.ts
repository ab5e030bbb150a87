import { spawnSync } from 'node:child_process';
import { buildServer, buildWorkers } from '../../build.mjs';
import { runStorm } from './storm.ts';

const DEFAULT_KILLS = 100;
const MAX_KILLS = 1000;

/** Pseudo-random numbers between 0 and 1; the same seed gives the same sequence. */
function makeRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}

const [kills = DEFAULT_KILLS, seed = Date.now() % 1_000_000] = process.argv.slice(2).map(Number);
if (!(kills >= 1 && kills <= MAX_KILLS) || Number.isNaN(seed)) {
  process.stderr.write(`Usage: npm run chaos [-- KILLS (1 to ${MAX_KILLS}) [SEED]]\n`);
  process.exit(2);
}
const say = (line: string) => process.stdout.write(`${line}\n`);
await Promise.all([buildServer('.cache/server'), buildWorkers('.cache/server/workers')]);
say(`${kills} kills, seed ${seed}`);
const { faults, ...counted } = await runStorm(kills, makeRandom(seed), say);
say(JSON.stringify(counted, null, 2));
for (const one of faults) say(`fault: ${one}`);

/** Runs a test file in its long form. @returns whether it passed */
function runLongForm(file: string, name: string, environment: Record<string, string>): boolean {
  const jest = ['node_modules/jest/bin/jest.js', file, '-t', name];
  return spawnSync(process.execPath, jest, { stdio: 'inherit', env: { ...process.env, ...environment } }).status === 0;
}

const passed = [
  runLongForm('tests/jobs/dueAtOnce.test.ts', 'jobs due at once', { JOBS_DUE: '1000' }),
  runLongForm('tests/store/durability.test.ts', 'killed process', { DURABILITY_KILLS: String(kills) }),
  runLongForm('tests/api/malformed.test.ts', 'malformed requests', {
    MALFORMED_REQUESTS: String(kills * 200),
    MALFORMED_SEED: String(seed),
  }),
];
process.exit(faults.length > 0 || passed.includes(false) ? 1 : 0);
