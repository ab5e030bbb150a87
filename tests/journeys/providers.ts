import { CONNECTORS } from '../../models/contracts/connectors.ts';
import { startAirtable } from '../fakes/airtable.ts';
import { startConfluence } from '../fakes/confluence.ts';
import { startFigma } from '../fakes/figma.ts';
import { startGithub } from '../fakes/github.ts';
import { startGoogleDrive } from '../fakes/googleDrive.ts';
import { startHubspot } from '../fakes/hubspot.ts';
import { startLinear } from '../fakes/linear.ts';
import { startMailchimp } from '../fakes/mailchimp.ts';
import { startNotion } from '../fakes/notion.ts';
import { startSalesforce } from '../fakes/salesforce.ts';
import { startSharepoint } from '../fakes/sharepoint.ts';
import { startTwitter } from '../fakes/twitter.ts';

/** Every provider of tools beside Jira, which has a journey of its own. */
const START = {
  notion: startNotion,
  googledrive: startGoogleDrive,
  sharepoint: startSharepoint,
  confluence: startConfluence,
  linear: startLinear,
  github: startGithub,
  figma: startFigma,
  salesforce: startSalesforce,
  hubspot: startHubspot,
  airtable: startAirtable,
  mailchimp: startMailchimp,
  twitter: startTwitter,
};
/** Their ids. */
export const PROVIDERS = Object.keys(START) as (keyof typeof START)[];

/** Starts a fake of every provider, which asks people on a page, and gives the variables that lead to it. */
export async function openProviders() {
  const opened = await Promise.all(
    PROVIDERS.map(async (id) => {
      const fake = await START[id]({ id: `arc-${id}`, secret: `shh-${id}`, redirectUris: [] });
      fake.behaviour.showsPage = true;
      return { id, fake, prefix: prefixOf(id) };
    }),
  );
  return {
    environment: Object.fromEntries(
      opened.flatMap(({ fake, prefix }) => [
        [`${prefix}_CLIENT_ID`, fake.client.id],
        [`${prefix}_CLIENT_SECRET`, fake.client.secret],
        [`${prefix}_BASE_URL`, fake.url],
      ]),
    ),
    /** Registers the server there. */
    admit(url: string): void {
      for (const { id, fake } of opened) fake.client.redirectUris.push(`${url}/api/oauth/${id}/callback`);
    },
    stop: () => Promise.all(opened.map(({ fake }) => fake.stop())),
  };
}

const prefixOf = (id: string) => nameOfVariable(id).replace(/_CLIENT_ID$/, '');
const nameOfVariable = (id: string) => CONNECTORS.find((card) => card.id === id)?.needs[0] ?? '';
