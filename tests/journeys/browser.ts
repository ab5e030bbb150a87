// Finds or installs a browser for the journeys. Runs by itself before Playwright starts, and is imported by its config.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const LOG = join(root, '.cache', 'browser-install.log');
/** Headless Chromium comes first, because it needs only two thirds of the processor time. */
const SHELL = 'chromium-headless-shell';
const KNOWN = [
  `/usr/bin/${SHELL}`,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/opt/google/chrome/chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/**
 * What Chromium needs in a container, without calls home, and with one process for all pages of a context, because a
 * new process per page costs twice as much.
 */
export const BROWSER_ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--renderer-process-limit=1',
  '--disable-site-isolation-trials',
];

/** The installed browser: $CHROMIUM_PATH, a known location, or one on the path; `undefined` if there is none. */
export function installedBrowser(): string | undefined {
  const named = process.env.CHROMIUM_PATH;
  if (named) {
    if (!existsSync(named)) throw new Error(`CHROMIUM_PATH names ${named}, and there is no such file.`);
    return named;
  }
  const known = KNOWN.find((path) => existsSync(path));
  if (known) return known;
  const folders = (process.env.PATH ?? '').split(process.platform === 'win32' ? ';' : ':');
  return folders
    .flatMap((folder) => [SHELL, 'chromium', 'chromium-browser', 'google-chrome'].map((name) => join(folder, name)))
    .find((path) => existsSync(path));
}

function playwrightsOwn(): boolean {
  try {
    const script = "const { chromium } = await import('playwright'); process.stdout.write(chromium.executablePath());";
    const path = execFileSync(process.execPath, ['--input-type=module', '-e', script], { cwd: root }).toString();
    return existsSync(path);
  } catch {
    return false;
  }
}

function run(command: string, input: string[], timeout = 0): boolean {
  mkdirSync(dirname(LOG), { recursive: true });
  const log = openSync(LOG, 'a');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  return spawnSync(command, input, { cwd: root, stdio: ['ignore', log, log], env, timeout }).status === 0;
}

const mayInstall = process.platform === 'linux' && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');

/** Installs a package of the distribution; gives up soon if no mirror answers. */
function installPackage(name: string): boolean {
  if (!mayInstall) return false;
  const patience = '-o DPkg::Lock::Timeout=120 -o Acquire::Retries=0 -o Acquire::http::Timeout=15'.split(' ');
  run('apt-get', [...patience, 'update'], 90_000);
  return run('apt-get', [...patience, 'install', '-y', '--no-install-recommends', name], 300_000);
}

/**
 * The headless shell is worth its 64 MB even beside a full browser: the first run already saves more time than the
 * download takes.
 */
function ensureBrowser(): boolean {
  const browser = installedBrowser();
  if (process.env.CHROMIUM_PATH || browser?.endsWith(SHELL) || (!browser && playwrightsOwn())) return true;
  if (mayInstall) console.log(`Installing ${SHELL} with apt-get …`);
  if (installPackage(SHELL) || browser) return true;
  if (installPackage('chromium') && installedBrowser()) return true;
  console.log('No browser found; fetching Chromium with Playwright …');
  const input = [join(root, 'node_modules/playwright/cli.js'), 'install', 'chromium'];
  return run(process.execPath, input) && playwrightsOwn();
}

if (process.argv[1] === fileURLToPath(import.meta.url) && !ensureBrowser()) {
  console.error(
    `The journeys need a browser, and none could be found or installed (the log is ${LOG}). Install Chromium or Chrome, or set CHROMIUM_PATH to one, and run this again.`,
  );
  process.exit(1);
}
