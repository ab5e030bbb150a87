import { loadSecrets } from '../../models/secrets.ts';
import { writeCopy } from '../../models/store/copy.ts';
import { refuseUse, tell, withStore } from './withStore.ts';

const [file, ...rest] = process.argv.slice(2);
const withKeys = rest.includes('--with-keys');

/** Copies everything into one file, while the server runs or without it. */
await withStore(
  async () => {
    if (!file || file.startsWith('-')) refuseUse('npm run backup -- FILE [--with-keys]');
    const isOfOneMoment = await writeCopy(file, withKeys ? loadSecrets() : null);
    tell(
      `Copied into ${file}${withKeys ? ', with the keys: keep it as you keep them' : '. The keys are not in it: keep keys.json, or what is sealed stays closed'}.`,
    );
    if (!isOfOneMoment)
      tell(
        'This MongoDB is no replica set, so what was written meanwhile may be in the copy in part. Copy without load.',
      );
  },
  { asItIs: true },
);
