import { writeFileSync } from 'node:fs';
import { channels } from '../../bot/channels/index.ts';

const [platform = '', ...rest] = process.argv.slice(2);
const option = (name: string) => (rest.includes(name) ? rest[rest.indexOf(name) + 1] : undefined);
const baseUrl = option('--url')?.replace(/\/$/, '') ?? '';

const writer = channels.find(({ card }) => card.id === platform)?.manifest;
const written = /^https:\/\/[^/]+$/.test(baseUrl)
  ? writer?.write({ baseUrl, option, has: (flag) => rest.includes(flag) })
  : null;
if (!written) {
  const uses = channels.flatMap(({ card, manifest }) =>
    manifest ? [`npm run manifest -- ${card.id} ${manifest.use}`] : [],
  );
  process.stderr.write(`Usage: ${uses.join('\n       ')}\n`);
  process.exit(2);
}
const out = option('--out') ?? written.out;
if (out) writeFileSync(out, written.bytes);
else process.stdout.write(written.bytes);
