import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { BenchRow } from './row.ts';

const PAGES = 'dist/web';
const MAX_KILOBYTES = 100;

type Chunk = { file: string; css?: string[]; imports?: string[] };

const SIGNED_IN = ['parts/shell/SignedInHeader.tsx'];
/** It shows pages that agents bring, and that there is no such page. */
const ANY_OTHER = 'pages/agents/AnyOtherPage.tsx';
/** The sources that each address loads before it is first drawn. Charts load after the first paint. */
const ROUTES: Record<string, string[]> = {
  '/ (dashboard, chat)': [...SIGNED_IN, 'pages/dashboard/DashboardPage.tsx', 'parts/chat/ChatWindow.tsx'],
  '/auth': ['pages/auth/AuthPage.tsx'],
  '/workspace': [...SIGNED_IN, 'pages/workspace/WorkspacePage.tsx'],
  '/review/:id': [...SIGNED_IN, 'pages/review/ReviewPage.tsx'],
  '/audit': [...SIGNED_IN, 'pages/audit/AuditPage.tsx'],
  '/analyses': [...SIGNED_IN, ANY_OTHER, 'agents/clinical_safety/analyses/AnalysesPage.tsx'],
  '/analyses/:id': [...SIGNED_IN, ANY_OTHER, 'agents/clinical_safety/analyses/AnalysisPage.tsx'],
  '/agent-inbox': [...SIGNED_IN, 'pages/agent-inbox/AgentInboxPage.tsx'],
  '/arc-chat': [...SIGNED_IN, 'pages/arc-chat/ArcChatPage.tsx', 'parts/chat/ChatWindow.tsx'],
  '/slack-agent': [...SIGNED_IN, 'pages/channels/SlackPage.tsx'],
  '/teams-bot': [...SIGNED_IN, 'pages/channels/TeamsPage.tsx'],
  '/teams-tab': ['pages/teams-tab/TeamsTabPage.tsx'],
  '/admin': [...SIGNED_IN, 'pages/admin/AdminPage.tsx'],
  '/admin/tokens': [...SIGNED_IN, 'pages/admin/TokensPage.tsx'],
  '/privacy-policy': ['pages/legal/PrivacyPolicyPage.tsx'],
  '/terms-and-conditions': ['pages/legal/TermsPage.tsx'],
  'any other': [ANY_OTHER],
};

const manifest = (): Record<string, Chunk> =>
  JSON.parse(readFileSync(join(PAGES, '.vite/manifest.json'), 'utf8')) as Record<string, Chunk>;

/** The files of some entries, with everything that they import statically. */
function filesOf(chunks: Record<string, Chunk>, names: readonly string[]): Set<string> {
  const files = new Set<string>();
  const seen = new Set<string>();
  const visit = (name: string) => {
    const chunk = chunks[name];
    if (!chunk) throw new Error(`${name} is no entry of the build.`);
    if (seen.has(name)) return;
    seen.add(name);
    for (const file of [chunk.file, ...(chunk.css ?? [])]) files.add(file);
    chunk.imports?.forEach(visit);
  };
  names.forEach(visit);
  return files;
}

const kilobytesOf = (files: Iterable<string>) =>
  [...files].reduce((sum, file) => sum + gzipSync(readFileSync(join(PAGES, file))).byteLength, 0) / 1000;

/** What each address loads on top of the landing page, gzipped, from the build's own manifest. */
export async function benchPages(): Promise<BenchRow[]> {
  const chunks = manifest();
  const landing = filesOf(chunks, ['index.html']);
  return Object.entries(ROUTES).map(([route, sources]) => {
    const more = kilobytesOf([...filesOf(chunks, sources)].filter((file) => !landing.has(file)));
    return {
      name: `${route}, first load beyond the landing, gzip`,
      value: `${Math.round(more)} kB`,
      limit: `< ${MAX_KILOBYTES} kB`,
      ok: more < MAX_KILOBYTES,
    };
  });
}
