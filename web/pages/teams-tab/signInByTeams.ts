import { openTeamsTab } from '../../../models/contracts/teams/calls.ts';
import { setBearer } from '../../data/bearer.ts';
import { call } from '../../data/call.ts';

/** Share of a token's lifetime after which it is renewed. */
const RENEW_AFTER = 0.7;
const RETRY_MS = 15_000;

/**
 * Signs the page in with the person's Teams account, and renews the token before it expires.
 * @returns a function that stops the renewal
 * @throws if the page is not inside Teams, or Arc does not know the person
 */
export async function signInByTeams(): Promise<() => void> {
  const { app, authentication } = await import('@microsoft/teams-js');
  // Outside Teams `app.initialize` would never resolve.
  if (window.parent === window) throw new Error('not in Teams');
  await app.initialize();
  let timer: ReturnType<typeof setTimeout>;
  const renew = async () => {
    const { token, seconds } = await call(openTeamsTab, { body: { token: await authentication.getAuthToken() } });
    setBearer(token);
    return seconds * 1000 * RENEW_AFTER;
  };
  const plan = (milliseconds: number) => {
    timer = setTimeout(() => void renew().then(plan, () => plan(RETRY_MS)), milliseconds);
  };
  plan(await renew());
  return () => clearTimeout(timer);
}
