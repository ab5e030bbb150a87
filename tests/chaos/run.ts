import { spawnSync } from 'node:child_process';
import { buildServer, buildWorkers } from '../../build.mjs';
import { raiseStorm } from './storm.ts';

const DEFAULT_KILLS = 100;
const MAX_KILLS = 1000;

/** Numbers that are the same for the same seed. */
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
const { faults, ...counted } = await raiseStorm(kills, makeRandom(seed), say);
say(JSON.stringify(counted, null, 2));
for (const one of faults) say(`fault: ${one}`);
const durability = spawnSync(
  process.execPath,
  ['node_modules/jest/bin/jest.js', 'tests/store/durability.test.ts', '-t', 'killed process'],
  { stdio: 'inherit', env: { ...process.env, DURABILITY_KILLS: String(kills) } },
);
process.exit(faults.length > 0 || durability.status !== 0 ? 1 : 0);
