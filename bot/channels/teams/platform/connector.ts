import type { TeamsAdapter } from './adapter.ts';

let adapter: TeamsAdapter | null = null;

/** Called at start; the library behind it is loaded only then. */
export function setConnector(it: TeamsAdapter): void {
  adapter = it;
}

/** How Arc calls Teams. */
export function connector(): TeamsAdapter {
  if (!adapter) throw new Error('Teams is not open in this process.');
  return adapter;
}
