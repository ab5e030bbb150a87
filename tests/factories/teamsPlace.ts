import { randomUUID } from 'node:crypto';
import {
  findInstallation,
  storeInstallation,
  type TeamsInstallation,
} from '../../bot/channels/teams/install/installations.ts';
import type { Received } from '../../bot/channels/teams/platform/activity.ts';
import { installationKeyOf } from '../../bot/channels/teams/platform/address.ts';
import { noteConnection } from '../../bot/engine/accounts/integrations.ts';
import { runInAccount } from '../../models/store/context.ts';
import type { Tenant } from '../fakes/teams/tenant.ts';
import { nextNumber } from './who.ts';

/** An activity as Teams sends it: a message in a personal chat, unless described otherwise. */
export function makeActivity(change: Partial<Received> = {}): Received {
  return {
    type: 'message',
    id: String(nextNumber()),
    channelId: 'msteams',
    serviceUrl: 'https://smba.example/uk/',
    timestamp: '2026-01-02T03:04:05.000Z',
    from: { id: '29:ada', name: 'Ada', aadObjectId: 'directory-ada' },
    recipient: { id: '28:app' },
    conversation: { id: 'a:1', conversationType: 'personal' },
    text: 'hello',
    ...change,
  };
}

/** Connects an organisation to a new account, with its own app: the given one, or one without a reachable service. */
export async function connectOrganisation(
  accountId = nextNumber(),
  { appId, id: tenantId, secret }: Pick<Tenant, 'appId' | 'id' | 'secret'> = {
    appId: randomUUID(),
    id: randomUUID(),
    secret: 'secret',
  },
) {
  const key = installationKeyOf(appId, tenantId);
  await storeInstallation(accountId, 7, 'Quillmere', { appId, tenantId, appPassword: secret });
  await runInAccount(accountId, () => noteConnection(accountId, 'teams', true));
  const find = async () => (await findInstallation(key)) as TeamsInstallation;
  return { accountId, appId, tenantId, key, find };
}
