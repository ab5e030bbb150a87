import { examine } from './doctor/check.ts';
import { outsideChecks } from './doctor/outside.ts';
import { paymentChecks } from './doctor/payments.ts';
import { serverChecks } from './doctor/server.ts';
import { storeChecks } from './doctor/store.ts';
import { exitWithUsage, print, withStore } from './withStore.ts';

if (process.argv.length > 2) exitWithUsage('npm run doctor');

/** Checks the machine, the environment, the store and the services outside, and says what to mend. Changes nothing. */
const first = await examine(serverChecks());
for (const line of first.lines) print(line);
let isWell = first.isWell;
const show = ({ lines, isWell: isRestWell }: Awaited<ReturnType<typeof examine>>) => {
  for (const line of lines) print(line);
  isWell &&= isRestWell;
};
await withStore(async () => show(await examine(storeChecks)), { asItIs: true }).catch((error: unknown) => {
  print(`FAULT  Store: ${(error as Error).message}`);
  isWell = false;
});
show(await examine([...outsideChecks(), ...paymentChecks()]));
print(isWell ? '\nNothing to mend.' : '\nMend what is marked FAULT.');
process.exitCode = isWell ? 0 : 1;
