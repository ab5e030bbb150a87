import { authStatus } from '../../models/contracts/auth.ts';
import { LANDING_WORDS } from '../../models/contracts/landingWords.ts';
import type { PageLoad } from '../../models/contracts/pageLoad.ts';
import { listUserAgents } from '../../models/contracts/userAgents.ts';

/** An entry of the build's manifest. */
type Chunk = { file: string; css?: string[]; imports?: string[] };
export type BuildManifest = Record<string, Chunk>;

/** What every page of signed-in people needs besides its own files. */
const HEADER = 'parts/shell/SignedInHeader.tsx';
/** Calls that every such page makes before it shows text. */
const EVERY_PAGE_READS = [authStatus, listUserAgents];

/** The element that the page's script draws into, as the build writes it. */
const ROOT = '<div id="root"></div>';
const STYLES = /<link rel="stylesheet"(?<rest>[^>]*href="(?<file>[^"]*)"[^>]*)>/g;

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
 * Puts words into a page that a browser shows before it has loaded anything else; the page's script replaces them. The
 * styles stay in their place, before those that pages add, and are for paper until the script says otherwise
 * (web/main.tsx): they would hold up the words. A page of another form is left as it is.
 */
export function putWords(page: string, words: string): string {
  if (!page.includes(ROOT)) return page;
  const held =
    '<link rel="preload" as="style" crossorigin href="$<file>"><link rel="stylesheet" media="print" data-held$<rest>>';
  return page.replace(STYLES, held).replace(ROOT, () => words);
}

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

/** The entry of the landing page. */
const LANDING = 'pages/landing/LandingPage.tsx';

/** Links that load files beside the entry script: those of some entries, without any that the page has already. */
const linksTo = (names: readonly string[], page: string, manifest: BuildManifest): string[] =>
  filesOf(manifest, names)
    .filter((file) => !page.includes(`/${file}"`))
    .map((file) =>
      file.endsWith('.css')
        ? `<link rel="preload" as="style" crossorigin href="/${file}">`
        : `<link rel="modulepreload" crossorigin href="/${file}">`,
    );

const addToHead = (page: string, links: string): string =>
  links ? page.replace('</head>', () => `${links}\n  </head>`) : page;

/** The page for a visitor, with the landing page's text and its files. */
export const pageForVisitors = (page: string, manifest: BuildManifest): string =>
  page.includes(ROOT)
    ? addToHead(putWords(page, WORDS), linksTo([LANDING], page, manifest).join('\n    ')).replace(
        '<html',
        '<html data-visitor',
      )
    : page;

/** The links of a page's files and reads. Reads keep their parameters: {@link pagesForMembers} fills them in. */
function linksOf({ modules, reads }: PageLoad, page: string, manifest: BuildManifest): string {
  const files = linksTo([HEADER, ...modules], page, manifest);
  const calls = [...EVERY_PAGE_READS, ...reads].map(
    ({ path }) => `<link rel="preload" as="fetch" crossorigin href="${path}">`,
  );
  return files.length > 0 ? [...files, ...calls].join('\n    ') : '';
}

const ID = /^[1-9]\d{0,15}$/;

/** The parameters of an address that a page's path fits; null where it does not. */
function paramsOf(path: string, address: string): [name: string, id: string][] | null {
  const parts = address.split('/');
  const named = path.split('/');
  if (parts.length !== named.length) return null;
  const fits = named.every((name, at) => (name.startsWith(':') ? ID.test(parts[at] ?? '') : name === parts[at]));
  return fits ? named.flatMap((name, at) => (name.startsWith(':') ? [[name, parts[at] ?? '']] : [])) : null;
}

/**
 * The pages for people with a session, by address: each names the files and reads of what it opens, which then load
 * together. An address without a page load has the page as it is.
 */
export function pagesForMembers(
  page: string,
  manifest: BuildManifest,
  loads: readonly PageLoad[],
): (address: string) => string {
  const made = loads.map((load) => ({ path: load.path, links: linksOf(load, page, manifest) }));
  return (address) => {
    for (const { path, links } of made) {
      const params = paramsOf(path, address);
      if (params)
        return addToHead(
          page,
          params.reduce((filled, [name, id]) => filled.replaceAll(name, id), links),
        );
    }
    return page;
  };
}
