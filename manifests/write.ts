import { writeFileSync } from 'node:fs';
import { slackManifest } from './slack.ts';

const USE = 'npm run manifest -- slack --url https://arc.example.org [--socket-mode] [--out FILE]';
const [platform, ...rest] = process.argv.slice(2);
const option = (name: string) => (rest.includes(name) ? rest[rest.indexOf(name) + 1] : undefined);
const url = option('--url')?.replace(/\/$/, '');

if (platform !== 'slack' || !url || !/^https:\/\/[^/]+$/.test(url)) {
  process.stderr.write(`Usage: ${USE}\n`);
  process.exit(2);
}
const text = `${JSON.stringify(slackManifest(url, rest.includes('--socket-mode')), null, 2)}\n`;
const out = option('--out');
if (out) writeFileSync(out, text);
else process.stdout.write(text);
