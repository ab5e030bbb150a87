import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { transform } from 'esbuild';
import { findAll, importsFirst, listFiles } from './mutation/checkout.ts';
import { EQUIVALENT, isEntryOf } from './mutation/equivalent.ts';
import { instrument } from './mutation/instrument.ts';
import { findMutants } from './mutation/mutants.ts';
import { mutate } from './mutation/mutate.ts';
import { readRows, scoreOf, writePage } from './mutation/page.ts';
import { ARC, type Project } from './mutation/project.ts';
import { ROOMS, roomOf } from './mutation/rooms.ts';
import { nearness } from './mutation/tests.ts';

/** The mutants of every room. */
const ALL = findAll(ARC);

/** The mutants of a source, each on one line where it fits. */
const mutantsOf = (source: string) => findMutants('sample.ts', source).map(({ becomes }) => becomes);

describe('operators', () => {
  test.each<[source: string, mutants: string[]]>([
    ['a < b;', ['a <= b;']],
    ['a >= b;', ['a > b;']],
    ['a === b;', ['a !== b;']],
    ['a && b && c;', ['a && b;', 'a && c;', 'b && c;']],
    ['a || b;', ['a;', 'b;']],
    ['a ?? b;', ['a;', 'b;']],
    ['a ?? null;', ['null;']],
    ['a ??= b;', ['a = b;']],
    ['!a;', ['a;']],
    ['a + b * c;', ['a - b * c;', 'a + b / c;']],
    ["'no ' + b;", []],
    ['a += b;', ['a -= b;']],
    ['0;', ['1;']],
    ['3;', ['4;', '2;']],
    ['60_000;', ['120000;', '30000;']],
    ['true;', ['false;']],
    ["'yes';", ["'no';"]],
    ["'word';", []],
    ['if (a) b;', ['if (true) b;', 'if (false) b;']],
    ['if (a && !b) c;', ['if (false) c;', 'if (a) c;', 'if (!b) c;']],
    ['if (a <= b) c;', ['if (true) c;', 'if (a < b) c;']],
    ['while (a) b;', ['while (false) b;']],
    ['a ? b : c;', ['true ? b : c;', 'false ? b : c;']],
    ['const d = a.some(b);', ['const d = a.every(b);']],
    ['const d = a?.filter(b).length;', ['const d = a?.length;']],
    ['const d = Math.min(a, b);', ['const d = Math.max(a, b);']],
    ['const d = a.toSorted();', ['const d = a;']],
    ['await a();', ['']],
    ['a.b = c;', ['']],
    ["logger.warn({ b: 1 }, 'c');", []],
    ['const d = Math.random().toString(36);', []],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a source.
    ["const d = `${a} ${a === 1 ? 'ticket' : 'tickets'}`;", []],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a source.
    ["const d = `${a === 1 ? 'one ticket' : `${a} tickets`}`;", []],
    ["import b from './b.ts';", []],
    ['type A = 1 | true;', []],
    ['const a: 1 = b;', []],
    ['const A_WIDTHS = [12, 24];', []],
  ])('%s', (source, mutants) => {
    expect(mutantsOf(source)).toEqual(mutants);
  });

  test.each<[source: string, mutants: string[]]>([
    ['const a = Row.find({ b, c });', ['const a = Row.find({ c });', 'const a = Row.find({ b, });']],
    ['const a = Row.find({ b }, { c: 1 });', ['const a = Row.find({ }, { c: 1 });']],
    [
      'const a = Row.updateOne({ b }, { $set: { c, d } });',
      [
        'const a = Row.updateOne({ }, { $set: { c, d } });',
        'const a = Row.updateOne({ b }, { });',
        'const a = Row.updateOne({ b }, { $set: { d } });',
        'const a = Row.updateOne({ b }, { $set: { c, } });',
      ],
    ],
    [
      'const a = { $or: [{ b }, { c }] };',
      ['const a = { };', 'const a = { $or: [ { c }] };', 'const a = { $or: [{ b }, ] };'],
    ],
    ['const a = list.find(b);', []],
    ['const a = call({ b });', []],
  ])('mutates what is passed to the store: %s', (source, mutants) => {
    expect(mutantsOf(source).map((text) => text.replace('[, ', '[ '))).toEqual(mutants);
  });

  test('each mutant has an id of its own that does not change with edits elsewhere in the file', () => {
    const source = 'export const a = (b: number) => b > 1 && b < 3;\n';
    const ids = findMutants('a.ts', source).map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(
      findMutants('a.ts', `const c = 4;\n${source}`)
        .slice(2)
        .map(({ id }) => id),
    ).toEqual(ids);
  });
});

describe('an instrumented source', () => {
  const source = `
    export const measure = (given?: { list: number[] }, least = 2) => {
      const told: string[] = [];
      if (!given) return 'nothing';
      told.push('begun');
      const kept = given?.list.filter((one) => one >= least).length;
      const filter = { $set: { kept, ...(kept > 1 ? { many: true } : {}) } };
      return JSON.stringify([told, kept, filter, (given.list[0] ?? 7) * 2]);
    };`;
  const mutants = findMutants('measure.ts', source);

  const compile = async (code: string) =>
    (await transform(code.replace(/^import .*?;/, ''), { loader: 'ts', format: 'cjs' })).code;

  function run(script: string, active?: number) {
    const module = { exports: {} as { measure: (given?: object, least?: number) => string } };
    const isOn = (number: number) => number === active;
    const nothing = () => undefined;
    const names = ['module', 'exports', '__mutant', '__enter', '__leave'];
    new Function(...names, script)(module, module.exports, isOn, nothing, nothing);
    const { measure } = module.exports;
    const tries = [[], [{ list: [1, 2, 3] }], [{ list: [2] }], [{ list: [] }], [{ list: [5, 5] }, 3]] as const;
    return tries.map((given) => {
      try {
        return measure(...(given as []));
      } catch (error) {
        return String(error);
      }
    });
  }

  test('behaves the same while no mutant is active, and differently with each one', async () => {
    const code = await compile(instrument(source, mutants, './switch.mjs'));
    const right = run(await compile(source));
    expect(run(code)).toEqual(right);
    expect(mutants.length).toBeGreaterThan(15);
    const same = mutants.filter(({ number }) => JSON.stringify(run(code, number)) === JSON.stringify(right));
    expect(same.map(({ becomes }) => becomes)).toEqual([]);
  });

  test('keeps its line numbers', () => {
    expect(instrument(source, mutants, './switch.mjs').split('\n')).toHaveLength(source.split('\n').length);
  });

  test('keeps all imports at the top once it is compiled, where the build of processes looks for them', async () => {
    const script = "import { a } from './a.ts';\nimport './b.ts';\n\nawait a();\nimport('./c.ts');\n";
    const { code } = await transform(instrument(script, [], './switch.mjs'), { loader: 'ts', format: 'esm' });
    expect(importsFirst(code).split('\n')).toEqual([
      'import { __enter, __leave } from "./switch.mjs";',
      'import { a } from "./a.ts";',
      'import "./b.ts";',
      '__enter();',
      'await a();',
      'import("./c.ts");',
      '__leave();',
      '',
    ]);
    const alone = 'import { a } from "./a.ts";\na();\n';
    expect(importsFirst(alone)).toBe(alone);
  });

  test('every source of every room can be instrumented', async () => {
    // One process compiles them all; the synchronous call would start one for each.
    const compiled = [...ALL].map(([file, own]) =>
      transform(instrument(readFileSync(file, 'utf8'), own, './switch.mjs'), { loader: 'ts', sourcefile: file }),
    );
    expect(compiled.length).toBeGreaterThan(500);
    await expect(Promise.all(compiled)).resolves.toHaveLength(compiled.length);
  });
});

describe('mutation rooms', () => {
  const files = listFiles(process.cwd());

  test('have files, and cover every folder of the engine', () => {
    const named = new Set(files.map(roomOf));
    expect(Object.keys(ROOMS).filter((room) => !named.has(room))).toEqual([]);
    const without = files.filter((file) => /^bot\/engine\/.*\.ts$/.test(file) && !roomOf(file));
    expect(without.filter((file) => !file.startsWith('bot/agents/clinical_safety/sample/'))).toEqual([]);
  });

  test('every mutant listed as equivalent exists once, with a reason', () => {
    for (const entry of EQUIVALENT) {
      const own = ALL.get(entry.file) ?? [];
      expect({ entry, mutants: own.filter((mutant) => isEntryOf(entry, mutant)).length }).toEqual({
        entry,
        mutants: 1,
      });
      expect(entry.reason).toMatch(/\w+ \w+/);
    }
  });

  test('the test file that mirrors a source is the nearest', () => {
    const tests = ['tests/api/chat.test.ts', 'tests/agents/clinical_safety/merge.test.ts', 'tests/engine/runs.test.ts'];
    const near = (test: string) => nearness('bot/agents/clinical_safety/merge/plan.ts', test);
    expect(tests.toSorted((one, other) => near(other) - near(one))[0]).toBe(
      'tests/agents/clinical_safety/merge.test.ts',
    );
  });
});

test('the page keeps the rows of rooms that were not tried', () => {
  const row = { files: 1, mutants: 9, tried: 8, noticed: 6, equivalent: 1, isUnseen: true };
  const page = writePage('', [{ room: 'a', ...row }], ['b', 'a']);
  const both = writePage(page, [{ room: 'b', ...row, noticed: 7, isUnseen: false }], ['b', 'a']);
  expect(readRows(both).map(({ room, noticed, isUnseen }) => [room, noticed, isUnseen])).toEqual([
    ['b', 7, false],
    ['a', 6, true],
  ]);
  expect(scoreOf(row)).toBe('86 %');
});

test('a mutant is noticed, survives, hangs, or is not reached, and is not tried again while nothing changed', async () => {
  const cache = mkdtempSync(join(tmpdir(), 'arc-mutation-'));
  const said: string[] = [];
  const project: Project = {
    root: resolve('tests/mutation/sample'),
    rooms: { age: /^age\.ts$/ },
    cache,
    isTest: (file) => file.startsWith('tests/'),
    setupFiles: [],
    patience: 1,
    runner: () => resolve('tests/runner'),
    prepare: async () => ({ end: async () => undefined }),
  };
  const options = {
    rooms: ['age'],
    changed: null,
    tests: '',
    minutes: 5,
    sample: Number.POSITIVE_INFINITY,
    onlyUnseen: false,
    processes: 1,
    limits: { files: 6, seconds: 45 },
    equivalent: [
      {
        file: 'age.ts',
        line: 'export const older = (one: number, other: number): number => (one > other ? one : other);',
        becomes: 'export const older = (one: number, other: number): number => (one >= other ? one : other);',
        reason: 'of two that are as old it makes no difference which is taken',
      },
    ],
    say: (text: string) => said.push(text),
  };
  try {
    const { judged, rows } = await mutate(project, options);
    const outcomeOf = (becomes: string) => judged.find(({ mutant }) => mutant.becomes.includes(becomes))?.outcome;
    expect(outcomeOf('isOfAge = (years: number, age: number): boolean => years > age')).toMatchObject({
      outcome: 'noticed',
      by: { how: 'failed', title: 'of age on the day itself' },
    });
    expect(outcomeOf('years >= age')).toMatchObject({ outcome: 'survived', ran: 1, of: 1 });
    expect(judged.find(({ mutant }) => mutant.becomes === 'while (list.length)')?.outcome).toMatchObject({
      outcome: 'noticed',
      by: { how: 'hung' },
    });
    expect(outcomeOf('=> isOfAge')).toMatchObject({ outcome: 'unreached' });
    expect(outcomeOf('one >= other')).toMatchObject({ outcome: 'equivalent' });
    // It is reached while the file is loaded.
    expect(outcomeOf('RETIRED = 66')).toMatchObject({ outcome: 'noticed', by: { title: 'retired at sixty-five' } });
    // A mutant after one that damages the process is tried in a fresh process.
    expect(outcomeOf('if (age > 89)')).toMatchObject({ outcome: 'noticed', by: { title: 'the year of an age' } });
    expect(outcomeOf('if (age > 91)')).toMatchObject({ outcome: 'survived' });
    // A value that a process creates once is created again, with the mutant active.
    for (const made of ['from: 7', 'from: 5', 'until: 13', 'until: 11'])
      expect(outcomeOf(made)).toMatchObject({ outcome: 'noticed', by: { title: 'values that are created once' } });
    const [row] = rows;
    expect(row).toEqual({ room: 'age', files: 1, mutants: 24, tried: 24, noticed: 16, equivalent: 1, isUnseen: true });
    expect(said.join('\n')).toContain('age.ts:4 boundary (1 of 1 test files ran)');

    said.length = 0;
    const again = await mutate(project, options);
    expect(again.rows).toEqual([{ ...row, isUnseen: false }]);
    expect(said.join('\n')).toMatch(/, 0 of them now in/);
    // The mutant listed as equivalent was not run, so one of the 24 has never been tried.
    expect((await mutate(project, { ...options, onlyUnseen: true })).rows).toMatchObject([{ tried: 1, equivalent: 1 }]);
  } finally {
    rmSync(cache, { recursive: true, force: true });
  }
  // Twenty-four faults in processes of their own: a minute is not enough on a machine with much else to do.
}, 180_000);
