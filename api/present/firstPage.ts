import { onboardingStatus, trialStatus } from '../../models/contracts/account.ts';
import { authStatus } from '../../models/contracts/auth.ts';
import { readDesk } from '../../models/contracts/desk.ts';
import { oauthStatusAll } from '../../models/contracts/integrations.ts';
import { LANDING_WORDS } from '../../models/contracts/landingWords.ts';
import { listUserAgents } from '../../models/contracts/userAgents.ts';

/** An entry of the build's manifest. */
type Chunk = { file: string; css?: string[]; imports?: string[] };
export type BuildManifest = Record<string, Chunk>;

/** Entries that the dashboard needs besides those of the page. */
const DASHBOARD = ['parts/shell/SignedInHeader.tsx', 'pages/dashboard/DashboardPage.tsx'];
/** Calls that it makes before it shows text. They are preloaded with the scripts. */
const DASHBOARD_READS = [authStatus, onboardingStatus, trialStatus, oauthStatusAll, listUserAgents, readDesk];

/** The element that the page's script draws into, as the build writes it. */
const ROOT = '<div id="root"></div>';
const STYLES = /[ \t]*<link rel="stylesheet"[^>]*>\n?/g;

/** Sizes and positions equal the landing page's, so that little moves when the script replaces them. */
const WORDS = `<style>
      .first-words { max-width: 1120px; margin: 0 auto; padding: 126px 24px 0; font: 16px/1.5 system-ui, sans-serif; }
      .first-words h1 { margin: 0; font-size: clamp(32px, 4.6vw, 48px); font-weight: 660; line-height: 1.06; letter-spacing: -0.035em; max-width: 11em; }
      .first-words p { max-width: 54ch; margin: 16px 0 0; color: #645e56; }
      html, body { background: #faf9f7; color: #1f1d1a; }
      @media screen {
        [data-mantine-color-scheme="dark"], [data-mantine-color-scheme="dark"] body { background: #151412; color: #ece9e4; }
        [data-mantine-color-scheme="dark"] .first-words p { color: #a8a298; }
      }
    </style>
    <div id="root"><main class="first-words"><h1>${LANDING_WORDS.title}</h1><p>${LANDING_WORDS.pitch}</p></main></div>`;

/**
 * Puts words into a page, with the other styles after them, so that a browser shows them before it has loaded anything
 * else. The page's script replaces them. A page of another form is left as it is.
 */
export function putWords(page: string, words: string): string {
  if (!page.includes(ROOT)) return page;
  const styles = page.match(STYLES)?.join('') ?? '';
  return page.replace(STYLES, '').replace(ROOT, () => `${words}\n${styles}`);
}

/** The page for a visitor, with the landing page's text. */
export const pageForVisitors = (page: string): string =>
  page.includes(ROOT) ? putWords(page, WORDS).replace('<html', '<html data-visitor') : page;

/** The files of some entries with their static imports, in the order of loading. */
function filesOf(manifest: BuildManifest, names: readonly string[]): string[] {
  const files = new Set<string>();
  const seen = new Set<string>();
  const visit = (name: string): void => {
    const chunk = manifest[name];
    if (!chunk || seen.has(name)) return;
    seen.add(name);
    for (const file of [chunk.file, ...(chunk.css ?? [])]) files.add(file);
    chunk.imports?.forEach(visit);
  };
  names.forEach(visit);
  return [...files];
}

/** The page for somebody with a session: it names the dashboard's files and reads, which are then loaded together. */
export function pageForMembers(page: string, manifest: BuildManifest): string {
  const links = filesOf(manifest, DASHBOARD)
    .filter((file) => !page.includes(`/${file}"`))
    .map((file) =>
      file.endsWith('.css')
        ? `<link rel="preload" as="style" crossorigin href="/${file}">`
        : `<link rel="modulepreload" crossorigin href="/${file}">`,
    );
  if (links.length > 0)
    for (const { path } of DASHBOARD_READS) links.push(`<link rel="preload" as="fetch" crossorigin href="${path}">`);
  return page.replace('</head>', () => `${links.join('\n    ')}\n  </head>`);
}
