import type { SessionUser } from '../../../models/contracts/auth.ts';
import { CHANNELS } from '../../../models/contracts/channels.ts';
import type { FoundRow } from '../../../models/contracts/desk.ts';
import { WEB_AGENTS } from '../../agents/index.ts';

type Place = { title: string; path: string; note: string };

const PLACES: readonly Place[] = [
  { title: 'Dashboard', path: '/', note: 'Home' },
  { title: 'Chat', path: '/arc-chat', note: 'Talk to your agents' },
  { title: 'Analyses', path: '/analyses', note: 'Every analysis, the newest first' },
  { title: 'Inbox', path: '/agent-inbox', note: 'Questions that wait for a person' },
  { title: 'My Workspace', path: '/workspace', note: 'Your agents and their results' },
  { title: 'Preferences', path: '/#preferences', note: 'You, your company and its members' },
  { title: 'Team', path: '/#team', note: 'Hire and onboard agents' },
  { title: 'Integrations', path: '/#integrations', note: 'Documents and channels' },
  { title: 'Billing', path: '/#billing', note: 'Credits, usage and plans' },
  ...CHANNELS.flatMap((card) =>
    'page' in card ? { title: card.name, path: card.page, note: `Connection to ${card.name}` } : [],
  ),
  ...WEB_AGENTS.flatMap(({ id, pages = [] }) =>
    pages.map(({ path, title }) => ({ title, path: `/agents/${id}/${path}`, note: 'Page of an agent' })),
  ),
];

const FOR_ADMINISTRATORS: readonly Place[] = [
  { title: 'Admin Dashboard', path: '/admin', note: 'Users and plans' },
  { title: 'Manage Tokens', path: '/admin/tokens', note: 'Credits of each user' },
];

/** The pages that this person can open and whose title or note contains every word; all of them without words. */
export function findPlaces(words: string, { isAdmin }: Pick<SessionUser, 'isAdmin'>): FoundRow[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  return [...PLACES, ...(isAdmin ? FOR_ADMINISTRATORS : [])]
    .filter(({ title, note }) => wanted.every((word) => `${title} ${note}`.toLowerCase().includes(word)))
    .map(({ title, path, note }) => ({ kind: 'Page', id: path, title, note, path }));
}

const searchable = ['questions', 'pages', ...WEB_AGENTS.flatMap(({ finds = [] }) => finds)].sort();

/** What can be searched: "Analyses, findings, …". */
export const SEARCHABLE = searchable.join(', ').replace(/^./, (first) => first.toUpperCase());
