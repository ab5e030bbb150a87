/** What this process was started with: the name of a module of tests/environments. */
let standing;

/** Starts what the process's files share, before any of them loads the product, which reads its environment once. */
export async function startEnvironment(name) {
  if (standing !== undefined) return;
  standing = name;
  if (name !== 'plain') await import(`../environments/${name}.ts`);
}

/** @throws where a file uses an environment for which it has not asked */
export function mustBe(name) {
  if (standing !== name) throw new Error(`Begin the file with /** @environment ${name} */.`);
}
