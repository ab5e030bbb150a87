import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findAll, listFiles, makeCopy } from './checkout.ts';
import type { Equivalent } from './equivalent.ts';
import { type Judged, judgeRoom, type Limits } from './judge.ts';
import { openLanes } from './lanes.ts';
import { type Row, rowOf } from './page.ts';
import type { Project } from './project.ts';
import { findReach } from './reach.ts';
import { readReach } from './reached.ts';
import { hashOf } from './tests.ts';
import { keepWarm, type Warm } from './warm.ts';

export type Options = {
  rooms: string[];
  /** If given, only these files are mutated. */
  changed: Set<string> | null;
  /** Only test files whose path contains this are run. */
  tests: string;
  /** Time for each room. */
  minutes: number;
  sample: number;
  /** Skips mutants that were tried in any earlier run, since tests may have been written for them. */
  onlyUnseen: boolean;
  processes: number;
  limits: Limits;
  equivalent: Equivalent[];
  say: (text: string) => void;
  /** Called with each room's row when it is done. */
  onRow?: (row: Row) => void;
};

/** The survivors, formatted for people. */
export function describe({ mutant, outcome }: Judged): string {
  const how = outcome.outcome === 'unreached' ? 'no test reaches it' : `${outcome.ran} of ${outcome.of} test files ran`;
  return `${mutant.file}:${mutant.line} ${mutant.operator} (${how})\n    ${mutant.before}\n  → ${mutant.becomes || '(nothing)'}`;
}

/** Mutates rooms of a project, one mutant at a time. */
export async function mutate(project: Project, options: Options): Promise<{ rows: Row[]; judged: Judged[] }> {
  const { say, processes } = options;
  const mutants = findAll(project);
  const sources = new Map(
    [...mutants.keys()].map((path) => [path, hashOf(readFileSync(join(project.root, path), 'utf8'))]),
  );
  const copy = await makeCopy(project, mutants);
  const shared = await project.prepare(copy);
  const warm: Warm[] = [];
  try {
    const lanes = await openLanes(project, copy);
    warm.push(...Array.from({ length: processes }, () => keepWarm(lanes, project)));
    const tests = listFiles(project.root).filter((file) => project.isTest(file) && file.includes(options.tests));
    const reach = await findReach(project, mutants, tests, { sources, lanes, warm, say });
    const waysOf = readReach(reach);
    const rows: Row[] = [];
    const all: Judged[] = [];
    for (const room of options.rooms) {
      const firstOf = (file: string) => Object.keys(project.rooms).find((name) => project.rooms[name]!.test(file));
      const files = [...mutants.keys()].filter((file) => firstOf(file) === room);
      const chosen = files.filter((file) => !options.changed || options.changed.has(file));
      const own = chosen.flatMap((file) => mutants.get(file) ?? []);
      if (own.length === 0) continue;
      say(`\n${room}: ${own.length} mutants in ${chosen.length} files`);
      const start = Date.now();
      let anew = 0;
      const judged = await judgeRoom(project, own, {
        sources,
        reach,
        waysOf,
        lanes,
        warm,
        limits: options.limits,
        equivalent: options.equivalent,
        sample: options.sample,
        onlyUnseen: options.onlyUnseen,
        until: start + options.minutes * 60_000,
        say,
        onJudged: (one, isNew) => {
          if (isNew) anew += 1;
          if (one.outcome.outcome === 'survived' || one.outcome.outcome === 'unreached') say(describe(one));
        },
      });
      const row = rowOf(room, chosen.length, own.length, judged);
      const seconds = (Date.now() - start) / 1000;
      const hung = judged.filter(({ outcome }) => outcome.by?.how === 'hung').length;
      say(
        `${room}: tried ${row.tried} of ${row.mutants}, ${anew} of them now in ${seconds.toFixed(0)} s; noticed ${row.noticed} (${hung} hung), equivalent ${row.equivalent}`,
      );
      rows.push(row);
      options.onRow?.(row);
      all.push(...judged);
    }
    return { rows, judged: all };
  } finally {
    for (const one of warm) await one.close();
    await shared.end();
  }
}
