// `npm run store -- --uri-file F [--dir D]`: serves the store until it is interrupted and writes its URI to a file.
import { mkdtempSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { hostStore } from './ownership/host.ts';

const { values } = parseArgs({ options: { 'uri-file': { type: 'string' }, dir: { type: 'string' } } });
const uriFile = values['uri-file'];
if (!uriFile) {
  process.stderr.write('usage: npm run store -- --uri-file FILE [--dir DIRECTORY]\n');
  process.exit(2);
}

const directory = values.dir ? resolve(values.dir) : mkdtempSync(join(tmpdir(), 'arc-store-'));
const host = await hostStore({ directory });
// Written whole and then put in place, so that who waits for the file never reads half of it.
writeFileSync(`${uriFile}.part`, host.uri);
renameSync(`${uriFile}.part`, uriFile);
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    host.close().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  });
}
