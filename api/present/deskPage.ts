import { allowedTabs, type DashboardState, shownTabs, TAB_NAMES } from '../../models/contracts/dashboardTabs.ts';
import type { readDesk } from '../../models/contracts/desk.ts';
import {
  describeAsker,
  describeFigures,
  describeNext,
  hasDesk,
  pathToContinue,
} from '../../models/contracts/deskWords.ts';
import type { AnswerOf } from '../../models/contracts/endpoint.ts';
import { putWords } from './firstPage.ts';
import { escapeHtml } from './html.ts';

type Desk = AnswerOf<typeof readDesk>;

const STYLE = `<style>
      .first-words { box-sizing: border-box; width: 100%; max-width: 1120px; margin: 0 auto; padding: 86px 24px 0; font: 15px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
      [data-kept] .first-words { padding: 0; }
      .first-words h1 { margin: 0 0 12px; font-size: 22px; font-weight: 600; line-height: 1.2; }
      .first-words dl { display: grid; gap: 16px 24px; margin: 0; }
      @media (min-width: 760px) { .first-words dl { grid-template-columns: minmax(0, 1fr) minmax(0, 1.7fr) minmax(0, 1fr); } }
      .first-words dt, .first-words .soft { color: #645e56; font-size: 13px; }
      .first-words dd { margin: 0; }
      .first-words dd.soft { margin-top: 2px; }
      .first-words dd a { color: #0a6c66; font-weight: 600; }
      .first-words .go { display: inline-block; margin-top: 16px; padding: 8px 16px; border-radius: 6px; background: #0a6c66; color: #fff; font-size: 14px; font-weight: 600; text-decoration: none; }
      .first-words nav { display: flex; flex-wrap: wrap; gap: 0 6px; margin-top: 24px; border-bottom: 1px solid #e7e3dd; font-size: clamp(12px, 3.6vw, 14px); }
      .first-words nav > * { flex: 1 1 auto; padding: 10px 0; white-space: nowrap; color: inherit; text-align: center; text-decoration: none; }
      .first-words nav > .soft { font-size: inherit; }
      html, body { background: #faf9f7; color: #1f1d1a; }
      @media screen {
        [data-mantine-color-scheme="dark"], [data-mantine-color-scheme="dark"] body { background: #151412; color: #ece9e4; }
        [data-mantine-color-scheme="dark"] .first-words dt, [data-mantine-color-scheme="dark"] .first-words .soft { color: #a8a298; }
        [data-mantine-color-scheme="dark"] .first-words nav { border-color: #2f2d29; }
        [data-mantine-color-scheme="dark"] .first-words dd a { color: #62c9be; }
        [data-mantine-color-scheme="dark"] .first-words .go { background: #12807a; }
      }
    </style>`;

const link = (path: string, text: string) => `<a href="${escapeHtml(path)}">${escapeHtml(text)}</a>`;

/** The dashboard's tabs as links. One that is opened before the script has loaded is open when it has. */
function tabsOf(state: DashboardState): string {
  const allowed = allowedTabs(state);
  const tabs = shownTabs(state).map((tab) =>
    allowed.includes(tab) ? link(`#${tab}`, TAB_NAMES[tab]) : `<span class="soft">${TAB_NAMES[tab]}</span>`,
  );
  return `<nav aria-label="Dashboard">${tabs.join('')}</nav>`;
}

/** What waits, the newest result and the next run. @param timeZone of the company; times are shown in it */
function wordsOf(desk: Desk, timeZone: string): string {
  const moment = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone });
  const at = (iso: string) => moment.format(new Date(iso));
  const { next, assigned, newest, nextRun } = desk;
  const [given] = assigned;
  const cells: [label: string, html: string, more?: string][] = [
    next
      ? ['Waiting for you', escapeHtml(describeNext(next)), describeAsker(desk)]
      : ['Waiting for you', given ? link(given.path, given.text) : 'Nothing'],
    newest
      ? ['Latest result', link(newest.path, describeFigures(newest)), `${newest.title}, ${at(newest.at)}`]
      : ['Latest result', 'No analysis so far'],
    nextRun ? ['Next scheduled run', at(nextRun.at), nextRun.name] : ['Next scheduled run', 'None scheduled'],
  ];
  const list = cells.map(
    ([label, html, more]) =>
      `<div><dt>${label}</dt><dd>${html}</dd>${more ? `<dd class="soft">${escapeHtml(more)}</dd>` : ''}</div>`,
  );
  const go = `<a class="go" href="${escapeHtml(pathToContinue(desk))}">Continue</a>`;
  return `<dl>${list.join('')}</dl>${go}`;
}

/**
 * The dashboard's page with its tabs and what waits for its person as text, which a browser shows before any script has
 * loaded. The page's script shows it until it has the dashboard itself.
 * @param page as `pagesForMembers` makes it
 * @param timeZone of the company; times are shown in it
 */
export function pageWithDesk(page: string, desk: Desk, state: DashboardState, timeZone: string): string {
  const title = hasDesk(desk) ? 'Where you left off' : 'Dashboard';
  const words = hasDesk(desk) ? wordsOf(desk, timeZone) : '';
  const section = `<section class="first-words" aria-label="${title}"><h1>${title}</h1>${words}${tabsOf(state)}</section>`;
  return putWords(page, `${STYLE}\n    <div id="root">${section}</div>`);
}
