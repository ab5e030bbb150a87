import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { EQUIVALENT } from './equivalent.ts';
import { mutate } from './mutate.ts';
import { scoreOf, writePage } from './page.ts';
import { ARC } from './project.ts';
import { roomOf } from './rooms.ts';

// `npm run mutate -- [ROOM …] [--change [--since REF]] [--tests PATH] [--minutes N] [--sample N] [--unseen]
// [--processes N] [--files N] [--seconds N]`
const PAGE = 'docs/mutation.md';
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    change: { type: 'boolean', default: false },
    tests: { type: 'string', default: '' },
    since: { type: 'string', default: 'main' },
    minutes: { type: 'string', default: '20' },
    sample: { type: 'string', default: 'Infinity' },
    unseen: { type: 'boolean', default: false },
    processes: { type: 'string', default: '2' },
    files: { type: 'string', default: '6' },
    seconds: { type: 'string', default: '10' },
  },
});

const git = (...given: string[]) => execFileSync('git', given, { encoding: 'utf8' }).trim();

/** The files that differ from the branching point; on the base branch itself, from the previous commit. */
function changedSince(reference: string): Set<string> {
  const base = git('merge-base', 'HEAD', reference);
  const from = base === git('rev-parse', 'HEAD') ? `${base}~1` : base;
  return new Set([
    ...git('diff', '--name-only', from).split('\n'),
    ...git('ls-files', '--others', '--exclude-standard').split('\n'),
  ]);
}

const unknown = positionals.filter((room) => !(room in ARC.rooms));
if (unknown.length > 0) {
  console.error(`There is no room ${unknown.join(', ')}. Choose from: ${Object.keys(ARC.rooms).join(', ')}.`);
  process.exit(2);
}
const changed = values.change ? changedSince(values.since) : null;
const named = positionals.length > 0 ? positionals : Object.keys(ARC.rooms);
const rooms = changed ? named.filter((room) => [...changed].some((file) => roomOf(file) === room)) : named;

// Temporary files of killed processes are removed with the run's directory.
const temporary = mkdtempSync(join(tmpdir(), 'arc-mutate-'));
process.env.TMPDIR = temporary;
process.once('exit', () => rmSync(temporary, { recursive: true, force: true, maxRetries: 3 }));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const { rows } = await mutate(ARC, {
  rooms,
  changed,
  tests: values.tests,
  minutes: Number(values.minutes),
  sample: Number(values.sample),
  onlyUnseen: values.unseen,
  processes: Number(values.processes),
  limits: { files: Number(values.files), seconds: Number(values.seconds) },
  equivalent: EQUIVALENT,
  say: (text) => console.log(text),
  onRow: (row) => {
    // A score of a change only, or with some tests only, is not the room's score.
    if (changed || values.tests) return;
    writeFileSync(PAGE, writePage(existsSync(PAGE) ? readFileSync(PAGE, 'utf8') : '', [row], Object.keys(ARC.rooms)));
  },
});
console.table(Object.fromEntries(rows.map((row) => [row.room, { ...row, room: undefined, score: scoreOf(row) }])));
process.exit(0);
