import type { ConnectorPlugIn, Place, Send } from '../engine/connectors/connector.ts';
import { ProviderFailure } from '../engine/connectors/failure.ts';
import { readJson } from '../engine/connectors/requests.ts';

type Site = { id: string; url: string; name: string };

/** What all connectors of Atlassian's cloud share. It has no address to revoke a grant at. */
export const ATLASSIAN = {
  endpoints: { authorize: 'https://auth.atlassian.com/authorize', token: 'https://auth.atlassian.com/oauth/token' },
  hosts: ['api.atlassian.com'],
  clientAuthentication: 'form',
  consent: { audience: 'api.atlassian.com', prompt: 'consent' },
} as const satisfies Partial<ConnectorPlugIn>;

/** The sites that a grant opens. @throws ProviderFailure */
export const readSites = (send: Send): Promise<Site[]> =>
  readJson<Site[]>({ send }, 'https://api.atlassian.com/oauth/token/accessible-resources');

/** What a grant gives access to: its sites. @throws ProviderFailure where it opens none */
export async function identifySites(send: Send): Promise<Place> {
  const sites = await readSites(send);
  const [first] = sites;
  if (!first) throw new ProviderFailure('refused', 'the grant opens no site');
  return { id: first.id, name: sites.map(({ name }) => name).join(', ') };
}
