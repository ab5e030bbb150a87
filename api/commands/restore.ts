import { keepKeys } from '../../models/secrets.ts';
import { readCopy } from '../../models/store/copy.ts';
import { exitWithUsage, print, withStore } from './withStore.ts';

const [file] = process.argv.slice(2);

/** Restores a backup into an empty store. */
await withStore(
  async () => {
    if (!file) exitWithUsage('npm run restore -- FILE');
    const { documents, keys } = await readCopy(file);
    print(`Restored ${documents.toLocaleString('en-GB')} documents.`);
    if (keys)
      print(
        keepKeys(keys)
          ? 'The keys were restored too.'
          : 'The keys of the copy were not restored: this data directory has keys.json already.',
      );
  },
  { asItIs: true },
);
