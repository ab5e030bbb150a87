/** Name of the module of tests/environments that this process was started with. */
let startedEnvironment;

/**
 * Starts what the files of this process share. Runs before any file loads the product, which reads its environment
 * once.
 */
export async function startEnvironment(name) {
  if (startedEnvironment !== undefined) return;
  startedEnvironment = name;
  if (name !== 'plain') await import(`../environments/${name}.ts`);
}

/** @throws unless the file declares this environment in its first line */
export function requireEnvironment(name) {
  if (startedEnvironment !== name) throw new Error(`Begin the file with /** @environment ${name} */.`);
}
