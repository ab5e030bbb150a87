import { openTeamsTab } from '../../../models/contracts/teams/calls.ts';
import { setBearer } from '../../data/bearer.ts';
import { call } from '../../data/call.ts';

/** Renewed well before it ends, as a share of how long it lasts. */
const RENEW_AFTER = 0.7;
const AGAIN_MILLISECONDS = 15_000;

/**
 * Signs the page in by whoever is signed in to Teams, and keeps it so.
 * @returns how to stop
 * @throws where this is not Teams, or the person is unknown
 */
export async function signInByTeams(): Promise<() => void> {
  const { app, authentication } = await import('@microsoft/teams-js');
  // Without Teams around it the page would wait for ever: nobody answers.
  if (window.parent === window) throw new Error('not in Teams');
  await app.initialize();
  let timer: ReturnType<typeof setTimeout>;
  const renew = async () => {
    const { token, seconds } = await call(openTeamsTab, { body: { token: await authentication.getAuthToken() } });
    setBearer(token);
    return seconds * 1000 * RENEW_AFTER;
  };
  const plan = (milliseconds: number) => {
    timer = setTimeout(() => void renew().then(plan, () => plan(AGAIN_MILLISECONDS)), milliseconds);
  };
  plan(await renew());
  return () => clearTimeout(timer);
}
