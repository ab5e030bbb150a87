import { register } from 'node:module';
import { pathToFileURL } from 'node:url';
import { builtFile } from './built.mjs';

const { testNamePattern, testTimeout, setupFiles, rootDir, watcher, built } = JSON.parse(process.env.TEST_LANE);
const locate = (path) => pathToFileURL(built ? builtFile(built, path) : path).href;

if (!built) {
  // Tests import `@jest/globals`, which Jest provides only within its own module registry.
  const globals = new URL('./globals.mjs', import.meta.url).href;
  const hook = `export const resolve = (name, context, next) =>
  name === '@jest/globals' ? { url: ${JSON.stringify(globals)}, shortCircuit: true } : next(name, context);`;
  register(`data:text/javascript,${encodeURIComponent(hook)}`);
}

process.env.NODE_ENV ??= 'test';
globalThis[Symbol.for('TEST_TIMEOUT_SYMBOL')] = testTimeout;
for (const file of setupFiles) await import(locate(file));
const { endAll } = await import('./atEnd.mjs');
const { runFile } = await import('./file.mjs');
const { startEnvironment } = await import('./environment.mjs');
const { environmentOf } = await import('./kinds.mjs');

const watch = watcher && (await import(pathToFileURL(watcher).href));

process.on('message', async ({ path, end, ...given }) => {
  if (end) return void endAll().finally(() => process.exit(0));
  await startEnvironment(environmentOf(path));
  await watch?.before(given);
  const result = await runFile(path, { url: locate(path), testNamePattern, rootDir, ...given });
  await watch?.after(given);
  process.send(result);
});
