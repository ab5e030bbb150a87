import { reencrypt, SECRETS } from './secrets/places.ts';
import { sealChains } from './secrets/sealChains.ts';
import { exitWithUsage, print, withStore } from './withStore.ts';

if (process.argv.length > 2) exitWithUsage('npm run keys:reencrypt');

/**
 * Encrypts every stored secret and seals every audit chain with the current key, so that retired keys are needed no
 * longer. Can be repeated, and run beside a server.
 */
await withStore(async () => {
  let left = 0;
  for (const place of SECRETS) {
    const { done, current, lost, changed } = await reencrypt(place);
    left += lost + changed;
    print(
      `${place.name}: ${done} encrypted again, ${current} already were${lost > 0 ? `, ${lost} can’t be opened: their key is missing` : ''}${changed > 0 ? `, ${changed} changed meanwhile: run this again` : ''}`,
    );
  }
  const chains = await sealChains();
  left += chains.faults.length;
  print(`Audit chains: ${chains.sealed} sealed, ${chains.current} needed no retired key`);
  for (const fault of chains.faults) print(fault);
  if (left === 0) print('Nothing needs a retired key. Remove them from ENCRYPTION_KEYS_RETIRED on every server.');
  else process.exitCode = 1;
});
