import { writeFileSync } from 'node:fs';
import { slackManifest } from '../../manifests/slack.ts';
import { TEAMS_PACKAGE, teamsPackage } from '../present/teamsPackage.ts';

const USE = `npm run manifest -- slack --url https://arc.example.org [--socket-mode] [--out FILE]
       npm run manifest -- teams --url https://arc.example.org --app-id GUID --tenant-id GUID [--out ${TEAMS_PACKAGE}]`;
const GUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const [platform = '', ...rest] = process.argv.slice(2);
const option = (name: string) => (rest.includes(name) ? rest[rest.indexOf(name) + 1] : undefined);
const baseUrl = option('--url')?.replace(/\/$/, '') ?? '';

/** What is written for each platform; null where something is missing. */
const WRITERS: Record<string, () => { bytes: string | Buffer; out: string | undefined } | null> = {
  slack: () => ({
    bytes: `${JSON.stringify(slackManifest(baseUrl, rest.includes('--socket-mode')), null, 2)}\n`,
    out: option('--out'),
  }),
  teams() {
    const [appId = '', tenantId = ''] = [option('--app-id'), option('--tenant-id')];
    if (!GUID.test(appId) || !GUID.test(tenantId)) return null;
    return { bytes: teamsPackage({ appId, tenantId, baseUrl }), out: option('--out') ?? TEAMS_PACKAGE };
  },
};

const written = /^https:\/\/[^/]+$/.test(baseUrl) ? WRITERS[platform]?.() : null;
if (!written) {
  process.stderr.write(`Usage: ${USE}\n`);
  process.exit(2);
}
if (written.out) writeFileSync(written.out, written.bytes);
else process.stdout.write(written.bytes);
