import { readFileSync } from 'node:fs';

/** Every variable that the product reads. */
const PRODUCT_VARIABLES = [...readFileSync('.env.example', 'utf8').matchAll(/^([A-Z]\w*)=/gm)].map(
  ([, name]) => name as string,
);

/** The environment for a process started by tests, without the variables of the tests' own product. */
export function cleanEnvironment(): NodeJS.ProcessEnv {
  const environment = { ...process.env };
  for (const name of [...PRODUCT_VARIABLES, 'NODE_OPTIONS', 'TEST_LANE', 'TEST_STORE_URI']) delete environment[name];
  return environment;
}
