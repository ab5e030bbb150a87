import { loadSecrets } from '../../models/secrets.ts';
import { writeCopy } from '../../models/store/copy.ts';
import { exitWithUsage, print, withStore } from './withStore.ts';

const [file, ...rest] = process.argv.slice(2);
const withKeys = rest.includes('--with-keys');

/** Writes a backup of the whole store into one file, with or without a running server. */
await withStore(
  async () => {
    if (!file || file.startsWith('-')) exitWithUsage('npm run backup -- FILE [--with-keys]');
    const isOfOneMoment = await writeCopy(file, withKeys ? loadSecrets() : null);
    print(
      `Copied into ${file}${withKeys ? ', with the keys: protect it like the keys themselves' : '. The keys are not in it: keep keys.json, or encrypted data such as the channels’ tokens can’t be read'}.`,
    );
    if (!isOfOneMoment)
      print(
        'This MongoDB is not a replica set, so changes made during the copy may be in it in part. Stop the server and copy again.',
      );
  },
  { asItIs: true },
);
