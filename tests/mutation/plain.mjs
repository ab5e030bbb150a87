// Copied into the mutated checkout, whose sources are JavaScript already: loading them without a compiler takes
// half the time.
import { register } from 'node:module';

const hook = `
  import { readFileSync } from 'node:fs';
  import { fileURLToPath } from 'node:url';
  const read = (url) => readFileSync(fileURLToPath(url), 'utf8');
  const asModule = (source) => ({ format: 'module', source, shortCircuit: true });
  export function load(url, context, next) {
    const [, kind] = /\\.(tsx?|json)(\\?|$)/.exec(url) ?? [];
    if (kind === 'json') return asModule('export default ' + read(url));
    return kind ? asModule(read(url)) : next(url, context);
  }`;
register(`data:text/javascript,${encodeURIComponent(hook)}`);
