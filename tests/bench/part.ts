import type { BenchRow } from './row.ts';

/** The parts of the bench, by name. */
export const PARTS: Record<string, () => Promise<BenchRow[]>> = {
  serving: async () => (await import('./serving.ts')).benchServing(),
  pages: async () => (await import('./pages.ts')).benchPages(),
  polling: async () => (await import('./polling.ts')).benchPolling(),
  chat: async () => (await import('./chat.ts')).benchChat(),
  commands: async () => (await import('./commands.ts')).benchCommands(),
  thinking: async () => (await import('./thinking.ts')).benchThinking(),
  hazards: async () => (await import('./hazards.ts')).benchHazards(),
  slack: async () => (await import('./slack.ts')).benchSlack(),
  teams: async () => (await import('./teams.ts')).benchTeams(),
  accounts: async () => (await import('./accounts.ts')).benchAccounts(),
  syncs: async () => (await import('./syncs.ts')).benchSyncs(),
  store: async () => (await import('./store.ts')).benchStore(),
  stranger: async () => (await import('./stranger.ts')).benchStranger(),
};

const [name = ''] = process.argv.slice(2);
if (process.argv[1]?.endsWith('part.ts') && PARTS[name]) {
  const rows = await PARTS[name]();
  console.log(`\n${name}`);
  console.table(
    Object.fromEntries(
      rows.map(({ name: label, value, limit, ok }) => [label, { value, limit, '': ok ? 'ok' : 'MISSED' }]),
    ),
  );
  process.exit(rows.every(({ ok }) => ok) ? 0 : 1);
}
