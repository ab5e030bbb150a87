import { readFileSync } from 'node:fs';

/** Every variable that the product reads. */
const OURS = [...readFileSync('.env.example', 'utf8').matchAll(/^([A-Z]\w*)=/gm)].map(([, name]) => name as string);

/** The environment of a process beside the tests: nothing of what the tests' own product is started with. */
export function outside(): NodeJS.ProcessEnv {
  const environment = { ...process.env };
  for (const name of [...OURS, 'NODE_OPTIONS', 'TEST_LANE', 'TEST_STORE_URI']) delete environment[name];
  return environment;
}
