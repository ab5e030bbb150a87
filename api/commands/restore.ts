import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { env } from '../../models/env.ts';
import { readCopy } from '../../models/store/copy.ts';
import { refuseUse, tell, withStore } from './withStore.ts';

const [file] = process.argv.slice(2);

/** Reads a copy back into an empty store. */
await withStore(
  async () => {
    if (!file) refuseUse('npm run restore -- FILE');
    const { documents, keys } = await readCopy(file);
    tell(`Restored ${documents.toLocaleString('en-GB')} documents.`);
    const keyFile = join(env.DATA_DIR, 'keys.json');
    if (keys && !existsSync(keyFile)) {
      mkdirSync(env.DATA_DIR, { recursive: true, mode: 0o700 });
      writeFileSync(keyFile, `${JSON.stringify(keys)}\n`, { mode: 0o600, flag: 'wx' });
      tell('The keys were restored too.');
    }
  },
  { indexes: false },
);
