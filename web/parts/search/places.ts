import type { SessionUser } from '../../../models/contracts/auth.ts';
import { AGENTS } from '../../../models/contracts/catalogue.ts';
import { CHANNELS } from '../../../models/contracts/channels.ts';
import type { FoundRow } from '../../../models/contracts/desk.ts';

export type Place = { title: string; path: string; note: string };

const PLACES: readonly Place[] = [
  { title: 'Dashboard', path: '/', note: 'Home' },
  { title: 'Chat', path: '/arc-chat', note: 'Talk to your agents' },
  ...AGENTS.flatMap(({ places = [] }) => places),
  { title: 'Inbox', path: '/agent-inbox', note: 'Agent inbox: questions that wait for a person' },
  { title: 'My Workspace', path: '/workspace', note: 'Your agents and their results' },
  { title: 'Preferences', path: '/#preferences', note: 'You, your company and its members' },
  { title: 'Team', path: '/#team', note: 'Hire and onboard agents' },
  { title: 'Integrations', path: '/#integrations', note: 'Documents and channels' },
  { title: 'Billing', path: '/#billing', note: 'Credits, usage and plans' },
  ...CHANNELS.flatMap((card) =>
    'page' in card ? { title: card.name, path: card.page, note: `Connection to ${card.name}` } : [],
  ),
];

const FOR_OWNERS: readonly Place[] = [{ title: 'Audit', path: '/audit', note: 'Who did what, when and where' }];

const FOR_ADMINISTRATORS: readonly Place[] = [
  { title: 'Admin Dashboard', path: '/admin', note: 'Users and plans' },
  { title: 'Manage Tokens', path: '/admin/tokens', note: 'Credits of each user' },
];

/**
 * The pages that this person can open and whose title or note contains every word; all of them without words.
 * @param ofAgents pages that agents bring
 */
export function findPlaces(
  words: string,
  { isAdmin, roles }: Pick<SessionUser, 'isAdmin' | 'roles'>,
  ofAgents: readonly Place[],
): FoundRow[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  return [
    ...PLACES,
    ...ofAgents,
    ...(roles.includes('owner') ? FOR_OWNERS : []),
    ...(isAdmin ? FOR_ADMINISTRATORS : []),
  ]
    .filter(({ title, note }) => wanted.every((word) => `${title} ${note}`.toLowerCase().includes(word)))
    .map(({ title, path, note }) => ({ kind: 'Page', id: path, title, note, path }));
}
