import type { Person } from '../../factories/person.ts';
import type { Server } from '../../factories/server.ts';
import { makeSender, type Place, type TeamsSender } from './sender.ts';
import { addConversation, addUser, type FakeTeams } from './server.ts';
import type { Posted, TeamsUser, Tenant } from './tenant.ts';

export type Consent = 'full' | 'redacted' | 'reference-only';
export type Organisation = {
  tenant: Tenant;
  owner: Person & { agent: { id: number } };
  /** The account's owner in Teams, in their personal chat with the app. */
  ada: TeamsUser;
  personal: Place;
  sender: TeamsSender;
};

/**
 * Creates an account with Teams connected by its own registration. The app is installed in the owner's personal chat,
 * the roster has the owner's verified e-mail, and their consent has been asked for.
 */
export async function connectOrganisation(
  teams: FakeTeams,
  server: Server,
  consent: Consent = 'full',
  tenant: Tenant = teams.addTenant(),
): Promise<Organisation> {
  const { signUpReady } = await import('../../factories/person.ts');
  const { User } = await import('../../../models/user.ts');
  const sender = makeSender(teams, () => server.url);
  const owner = await signUpReady(server);
  await User.updateOne({ _id: owner.user.id }, { $set: { emailVerified: true } });
  await owner.browser
    .post('/api/teams/connect')
    .send({ appId: tenant.appId, tenantId: tenant.id, appPassword: tenant.secret })
    .expect(200);
  await owner.browser
    .put('/api/preferences')
    .send({ channelConsent: { slack: 'reference-only', teams: consent } })
    .expect(200);
  const ada = addUser(tenant, 'Ada in Teams', owner.email);
  const personal: Place = { tenant, user: ada, conversation: addConversation(tenant, 'personal', [ada]) };
  await sender.install(personal);
  return { tenant, owner, ada, personal, sender };
}

type Element = { type?: string; text?: string; [more: string]: unknown };

/** All texts that a card shows, in reading order. */
export function textsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(textsOf);
  if (typeof value !== 'object' || value === null) return [];
  const { text, ...more } = value as Element;
  const own = (value as Element).type === 'TextBlock' && typeof text === 'string' ? [text] : [];
  return [...own, ...Object.values(more).flatMap(textsOf)];
}

/** All actions of a card, nested ones included. */
export function actionsOf(value: unknown): Element[] {
  if (Array.isArray(value)) return value.flatMap(actionsOf);
  if (typeof value !== 'object' || value === null) return [];
  const it = value as Element;
  const own = typeof it.type === 'string' && it.type.startsWith('Action.') ? [it] : [];
  return [...own, ...Object.values(it).flatMap(actionsOf)];
}

/** A post's words as a person reads them. */
export const wordsOf = (post: Posted) => [post.text, ...textsOf(post.card)].join('\n');

/** The verbs of a card's actions. */
export const verbsOf = (card: unknown): string[] => {
  const verbs = actionsOf((card as { actions?: unknown } | null)?.actions ?? []).map(
    ({ data }) => (data as { verb?: string } | undefined)?.verb,
  );
  return [...new Set(verbs.filter((verb) => verb !== undefined))];
};

export const postsOf = ({ posts }: Tenant) => [...posts.values()];
