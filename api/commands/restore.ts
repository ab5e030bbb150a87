import { keepKeys } from '../../models/secrets.ts';
import { readCopy } from '../../models/store/copy.ts';
import { refuseUse, tell, withStore } from './withStore.ts';

const [file] = process.argv.slice(2);

/** Reads a copy back into an empty store. */
await withStore(
  async () => {
    if (!file) refuseUse('npm run restore -- FILE');
    const { documents, keys } = await readCopy(file);
    tell(`Restored ${documents.toLocaleString('en-GB')} documents.`);
    if (keys)
      tell(
        keepKeys(keys)
          ? 'The keys were restored too.'
          : 'The keys of the copy were not restored: this data directory has keys.json already.',
      );
  },
  { asItIs: true },
);
