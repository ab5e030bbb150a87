import { openTeamsTab } from '../../models/contracts/channelStatus.ts';
import { setBearer } from './bearer.ts';
import { call } from './call.ts';

/** What Teams gives to pages, as far as the tab uses it. */
type TeamsScript = {
  app: { initialize(): Promise<void>; notifySuccess?(): void };
  authentication: { getAuthToken(): Promise<string> };
};

const SCRIPT = 'https://res.cdn.office.net/teams-js/2.31.1/js/MicrosoftTeams.min.js';
/** Renewed well before it ends, as a share of how long it lasts. */
const RENEW_AFTER = 0.7;
const AGAIN_MILLISECONDS = 15_000;

const given = () => (window as unknown as { microsoftTeams?: TeamsScript }).microsoftTeams;

/** Loads the script that Microsoft gives for pages in Teams. */
function loadScript(): Promise<TeamsScript> {
  const known = given();
  if (known) return Promise.resolve(known);
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = SCRIPT;
    script.crossOrigin = 'anonymous';
    script.onload = () => {
      const loaded = given();
      if (loaded) resolve(loaded);
      else reject(new Error('no script'));
    };
    script.onerror = () => reject(new Error('no script'));
    document.head.append(script);
  });
}

/**
 * Signs the page in by whoever is signed in to Teams, and keeps it so.
 * @returns how to stop
 * @throws where this is not Teams, or the person is unknown
 */
export async function signInByTeams(): Promise<() => void> {
  const teams = await loadScript();
  await teams.app.initialize();
  let timer: ReturnType<typeof setTimeout>;
  const renew = async () => {
    const { token, seconds } = await call(openTeamsTab, { body: { token: await teams.authentication.getAuthToken() } });
    setBearer(token);
    return seconds * 1000 * RENEW_AFTER;
  };
  const plan = (milliseconds: number) => {
    timer = setTimeout(() => void renew().then(plan, () => plan(AGAIN_MILLISECONDS)), milliseconds);
  };
  plan(await renew());
  return () => clearTimeout(timer);
}
