import type { TeamsAdapter } from './adapter.ts';

let adapter: TeamsAdapter | null = null;

/** Called when the channel opens, which loads the library. */
export function setConnector(it: TeamsAdapter): void {
  adapter = it;
}

/** The adapter for calls to Teams. */
export function connector(): TeamsAdapter {
  if (!adapter) throw new Error('Teams is not open in this process.');
  return adapter;
}
