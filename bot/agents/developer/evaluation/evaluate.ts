import type { Evaluation } from '../../../engine/agents/agent.ts';
import { readPart, readZipDirectory } from '../../../engine/files/zipArchive.ts';
import type { App, Kind } from '../apps/app.ts';
import { describeFormula } from '../objective/readFormula.ts';
import { readObjective } from '../objective/readObjective.ts';
import { writeProject } from '../project/writeProject.ts';
import cases from './cases.json' with { type: 'json' };

/** An objective with what a reader labelled. */
type Case = {
  id: string;
  objective: string;
  truth: {
    /** The kind of app; null where the objective names none. */
    kind: Kind | null;
    title: string;
    /** Fields with their types; empty where the objective names none. */
    fields: string[];
    options?: Record<string, string[]>;
    ranges?: Record<string, [number, number]>;
    required?: string[];
    rules?: string[];
    columns?: string[];
    points?: string[];
    call?: string;
    formula?: string;
    /** Whether the app has to say that it is a demonstration. */
    demo?: boolean;
  };
};

const CASES = cases as unknown as readonly Case[];
const FILES = ['index.html', 'README.md', 'package.json', 'tests/steps.mjs', 'tests/app.spec.mjs'];

type Measure = { name: string; right: number; of: number; misses: string[] };

const measureOf = (name: string): Measure => ({ name, right: 0, of: 0, misses: [] });

function count(measure: Measure, id: string, what: string, got: unknown, wanted: unknown): void {
  measure.of += 1;
  const [found, labelled] = [JSON.stringify(got), JSON.stringify(wanted)];
  if (found === labelled) measure.right += 1;
  else measure.misses.push(`${id}: ${what} ${found}, labelled ${labelled}`);
}

/** What an app has, in the form of the labels, as far as a case labels it. */
function detailsOf({ fields, rules, columns, points, call, formula, isDemonstration }: App, truth: Case['truth']) {
  const find = (label: string) => fields.find((field) => field.label === label);
  const named = (id: string) => fields.find((field) => field.id === id)?.label;
  return {
    options: Object.fromEntries(Object.keys(truth.options ?? {}).map((label) => [label, find(label)?.options])),
    ranges: Object.fromEntries(
      Object.keys(truth.ranges ?? {}).map((label) => [label, [find(label)?.min, find(label)?.max]]),
    ),
    required: fields.filter(({ isRequired }) => isRequired).map(({ label }) => label),
    rules: rules.map(({ field, when, is }) => `${named(field)} when ${named(when)} is ${is}`),
    ...{ columns, points, call },
    formula: describeFormula(formula, fields),
    demo: isDemonstration,
  };
}

function measureCases(): Measure[] {
  const [kinds, titles, fields, details, files, invented, valid] = [
    measureOf('Kind of app'),
    measureOf('Title'),
    measureOf('Fields with their types'),
    measureOf('Answers, limits, rules, columns, points, formulas'),
    measureOf('Files present, fields in the page'),
    measureOf('Nothing invented'),
    measureOf('Format valid'),
  ];
  for (const { id, objective, truth } of CASES) {
    const { title, app } = readObjective(objective);
    count(kinds, id, 'kind', app?.kind ?? null, truth.kind);
    count(titles, id, 'title', title, truth.title);
    if (!app) continue;
    const given = app.isAssumed ? [] : app.fields.map(({ label, type }) => `${label}:${type}`);
    count(fields, id, 'fields', given, truth.fields);
    const found = detailsOf(app, truth) as Record<string, unknown>;
    for (const [name, labelled] of Object.entries(truth))
      if (name in found) count(details, id, name, found[name], labelled);
    const { page, archive } = writeProject(app);
    const entries = readZipDirectory(archive);
    count(
      files,
      id,
      'missing',
      FILES.filter((name) => !entries.has(name)),
      [],
    );
    const data = JSON.parse(/id="app">(.*?)<\/script>/s.exec(page)?.[1] ?? '{}') as App;
    count(
      files,
      id,
      'fields in the page',
      data.fields?.map(({ label }) => label),
      app.fields.map(({ label }) => label),
    );
    const words = objective.toLowerCase();
    count(
      invented,
      id,
      'words',
      [...(app.isAssumed ? [] : app.fields.map(({ label }) => label)), ...app.points].filter(
        (text) => !words.includes(text.toLowerCase()),
      ),
      [],
    );
    count(invented, id, 'addresses', page.match(/https?:\/\/(?!www\.w3\.org\/2000\/svg)[^\s"'<]+/g) ?? [], []);
    count(valid, id, 'scripts', page.match(/<script/g)?.length, 2);
    count(valid, id, 'page in the archive', readPart(entries, 'index.html'), page);
  }
  return [kinds, titles, fields, details, files, invented, valid];
}

const BAR = 0.95;

/** Measures the labelled cases, with the built-in engine and no language model. */
export async function evaluate(): Promise<Evaluation> {
  const measures = measureCases();
  return {
    lines: [
      `${CASES.length} objectives, labelled by one reader; bar ${BAR} for each measure.`,
      ...measures.map(({ name, right, of }) => `${name}: ${right} of ${of}`),
      ...measures.flatMap(({ misses }) => misses),
    ],
    below: measures.filter(({ right, of }) => right / of < BAR).map(({ name }) => `${name} of the labelled objectives`),
    notRun: [],
  };
}
