// Finds a browser for the journeys, or gets one. Run by itself before Playwright starts; imported by its config.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const LOG = join(root, '.cache', 'browser-install.log');
const KNOWN = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/opt/google/chrome/chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/** What Chromium needs in a container, and what keeps it from calling home. */
export const BROWSER_ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The browser that is installed: $CHROMIUM_PATH, a known place, or one on the path; undefined where there is none. */
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
    .flatMap((folder) => ['chromium', 'chromium-browser', 'google-chrome'].map((name) => join(folder, name)))
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

function run(command: string, ...input: string[]): boolean {
  mkdirSync(dirname(LOG), { recursive: true });
  const log = openSync(LOG, 'a');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  return spawnSync(command, input, { cwd: root, stdio: ['ignore', log, log], env }).status === 0;
}

function ensureBrowser(): boolean {
  if (installedBrowser() || playwrightsOwn()) return true;
  const mayInstall = process.platform === 'linux' && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
  if (mayInstall) {
    console.log('No browser found; installing Chromium with apt-get …');
    const lock = '-o DPkg::Lock::Timeout=120';
    run('apt-get', ...lock.split(' '), 'update');
    run('apt-get', ...lock.split(' '), 'install', '-y', '--no-install-recommends', 'chromium');
    if (installedBrowser()) return true;
  }
  console.log('No browser found; fetching Chromium with Playwright …');
  return run(process.execPath, join(root, 'node_modules/playwright/cli.js'), 'install', 'chromium') && playwrightsOwn();
}

if (process.argv[1] === fileURLToPath(import.meta.url) && !ensureBrowser()) {
  console.error(
    `The journeys need a browser, and none could be found or installed (the log is ${LOG}). Install Chromium or Chrome, or set CHROMIUM_PATH to one, and run this again.`,
  );
  process.exit(1);
}
