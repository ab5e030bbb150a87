import type { Evaluation } from '../../../engine/agents/agent.ts';
import { textOf } from '../../../engine/documents/documentText.ts';
import { countGaps } from '../../../engine/files/wordDocument.ts';
import { writeWord } from '../../../engine/files/writeWord.ts';
import { readZipDirectory } from '../../../engine/files/zipArchive.ts';
import { checkProcedure } from '../files/checkProcedure.ts';
import { composeProcedure } from '../files/procedure.ts';
import { writeWorkbook } from '../files/workbook.ts';
import { readProcess } from '../process/readProcess.ts';
import { findRisks } from '../risks/findRisks.ts';
import cases from './cases.json' with { type: 'json' };

/** A description with what a reader labelled. */
type Case = {
  id: string;
  text: string;
  truth: {
    title: string | null;
    /** Who does each step; null where the description names nobody. */
    who: (string | null)[];
    purpose: number;
    scope: number;
    records: number;
    exceptions: number;
    /** Words of a step that point to a risk: "2:within 5 days". */
    risks: string[];
    /** Words that have to stand in the procedure. */
    facts: string[];
  };
};

const CASES = cases as unknown as readonly Case[];

type Measure = { name: string; right: number; of: number; misses: string[] };

const measureOf = (name: string): Measure => ({ name, right: 0, of: 0, misses: [] });

function count(measure: Measure, id: string, what: string, got: unknown, wanted: unknown): void {
  measure.of += 1;
  const [found, labelled] = [JSON.stringify(got), JSON.stringify(wanted)];
  if (found === labelled) measure.right += 1;
  else measure.misses.push(`${id}: ${what} ${found}, labelled ${labelled}`);
}

/** Sections that every procedure has. */
const SECTIONS = ['1. Purpose', '2. Scope', '3. Roles', '4. Steps', '5. Records', '6. Exceptions'];
const PARTS = ['xl/workbook.xml', 'xl/worksheets/sheet1.xml', 'xl/worksheets/sheet2.xml', 'xl/worksheets/sheet3.xml'];

async function measureCases(): Promise<Measure[]> {
  const [steps, parts, risks, sections, facts, invented, valid] = [
    measureOf('Steps and who does them'),
    measureOf('Title, purpose, scope, records, exceptions'),
    measureOf('Words that point to a risk'),
    measureOf('Sections present'),
    measureOf('Facts carried over'),
    measureOf('Nothing invented'),
    measureOf('Format valid'),
  ];
  for (const { id, text, truth } of CASES) {
    const process = readProcess(text);
    const found = findRisks(process);
    count(
      steps,
      id,
      'who',
      process.steps.map(({ actor }) => ('role' in actor ? actor.role : null)),
      truth.who,
    );
    count(parts, id, 'title', process.title, truth.title);
    for (const part of ['purpose', 'scope', 'records', 'exceptions'] as const)
      count(parts, id, part, process[part].length, truth[part]);
    const pointed = found.map(({ step, words }) => `${step}:${words ?? ''}`.toLowerCase());
    for (const wanted of truth.risks)
      count(
        risks,
        id,
        wanted,
        pointed.some((it) => it.startsWith(wanted.toLowerCase())),
        true,
      );
    const base = { process, title: process.title ?? 'Process', sourceName: 'Description.md', day: '26 Nov 2026' };
    const composed = composeProcedure(base);
    const document = await writeWord(composed);
    const workbook = await writeWorkbook({ ...base, risks: found });
    const [written, sheets] = [(await textOf('a.docx', document)) ?? '', (await textOf('a.xlsx', workbook)) ?? ''];
    count(
      sections,
      id,
      'missing',
      SECTIONS.filter((title) => !written.includes(title)),
      [],
    );
    count(
      facts,
      id,
      'missing',
      truth.facts.filter((fact) => !written.includes(fact)),
      [],
    );
    count(facts, id, 'differs', await checkProcedure(process, found, { document, workbook }), []);
    const roles = process.steps.flatMap(({ actor }) => ('role' in actor ? [actor.role] : []));
    count(
      invented,
      id,
      'roles',
      roles.filter((role) => !text.includes(role)),
      [],
    );
    count(
      invented,
      id,
      'ratings',
      /\b(?:low|medium|high|critical) (?:risk|likelihood|severity)\b/i.test(sheets),
      false,
    );
    count(valid, id, 'marks', written.split('[To be filled').length - 1, countGaps(composed));
    count(
      valid,
      id,
      'parts',
      PARTS.filter((part) => !readZipDirectory(workbook).has(part)),
      [],
    );
  }
  return [steps, parts, risks, sections, facts, invented, valid];
}

const BAR = 0.95;

/** Measures the labelled cases, with the built-in engine and no language model. */
export async function evaluate(): Promise<Evaluation> {
  const measures = await measureCases();
  return {
    lines: [
      `${CASES.length} descriptions of processes, labelled by one reader; bar ${BAR} for each measure.`,
      ...measures.map(({ name, right, of }) => `${name}: ${right} of ${of}`),
      ...measures.flatMap(({ misses }) => misses),
    ],
    below: measures
      .filter(({ right, of }) => right / of < BAR)
      .map(({ name }) => `${name} of the labelled descriptions`),
    notRun: [],
  };
}
