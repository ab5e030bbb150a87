import type { Evaluation } from '../../../engine/agents/agent.ts';
import { readPart, readZipDirectory } from '../../../engine/files/zipArchive.ts';
import { checkCarried } from '../control/checkCarried.ts';
import { type Plan, planDocument } from '../control/plan.ts';
import { writeControlled } from '../control/writeControlled.ts';
import { readRequestValues } from '../rules/controlFields.ts';
import { readSource } from '../source/readSource.ts';
import { openDocument } from '../word/openDocument.ts';
import { bodyOf } from '../word/paragraphs.ts';
import { textsOf } from '../word/views.ts';
import { parseXml } from '../word/xml.ts';
import cases from './cases.json' with { type: 'json' };

/** A rough document with what a reader labelled. */
type Case = {
  id: string;
  name: string;
  text: string;
  request: string;
  truth: {
    title: string;
    /** Headings with their new numbers, in order. */
    headings: string[];
    /** Values of the control block; every other field is to be filled. */
    control: Record<string, string>;
    /** Weak words and places left open, in order. */
    weak: string[];
    /** Spellings that a person has to choose among. */
    spellings: string[][];
    /** Words that have to stand in the new document. */
    facts: string[];
    /** Open points by kind. */
    points: Record<string, number>;
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

/** Sections that every controlled document has. */
const SECTIONS = ['Document control', 'Terms and abbreviations', 'Open points', 'Changes made'];

const AUTHOR = { name: 'Petra (Arc)', at: '2026-11-26T09:00:00Z', day: '26 Nov 2026' };

/** Why a file would not open: markup, marks that are numbered twice, numbering that is not there. */
function findFaults(bytes: Uint8Array): string[] {
  const entries = readZipDirectory(bytes);
  const document = readPart(entries, 'word/document.xml') ?? '';
  const ids = [...document.matchAll(/<w:(?:ins|del|pPrChange) w:id="(\d+)"/g)].map(([, id]) => id);
  const numbering = readPart(entries, 'word/numbering.xml') ?? '';
  const used = [...document.matchAll(/<w:numId w:val="(\d+)"/g)].map(([, id]) => id);
  const types = readPart(entries, '[Content_Types].xml') ?? '';
  for (const part of [document, numbering, types]) parseXml(part);
  return [
    ...(new Set(ids).size === ids.length ? [] : ['marks numbered twice']),
    ...used.filter((id) => !numbering.includes(`w:numId="${id}"`)).map((id) => `no numbering ${id}`),
    ...(types.includes('numbering') ? [] : ['a part without a type']),
  ];
}

const weakIn = ({ openPoints }: Plan): string[] =>
  openPoints.flatMap(({ kind, why }) => (kind === 'weak' || kind === 'gap' ? [/^“(.*)”: /.exec(why)?.[1] ?? ''] : []));

function measureCases(): Measure[] {
  const [structure, control, weak, spelling, sections, facts, invented, valid] = [
    measureOf('Title and numbered headings'),
    measureOf('Control block'),
    measureOf('Weak words and open points'),
    measureOf('Spellings asked about'),
    measureOf('Sections present'),
    measureOf('Facts carried over'),
    measureOf('Nothing invented'),
    measureOf('Format valid'),
  ];
  for (const { id, name, text, request, truth } of CASES) {
    const source = readSource(name, Buffer.from(text));
    const plan = planDocument(openDocument(source), name, { values: readRequestValues(request), chosen: {} });
    const written = writeControlled(source, plan, AUTHOR);
    const accepted = textsOf(
      bodyOf(parseXml(readPart(readZipDirectory(written), 'word/document.xml') ?? '')),
      'accepted',
    );
    const headings = plan.outline.headings.map((it) => (it.number ? `${it.number} ${it.text}` : it.text));
    count(structure, id, 'title', plan.title, truth.title);
    count(structure, id, 'headings', headings, truth.headings);
    const given = plan.control.filter(({ toFill }) => toFill === null).map(({ field, value }) => [field, value]);
    count(control, id, 'values', given, Object.entries(truth.control).sort(byOrder(plan)));
    count(weak, id, 'weak words', weakIn(plan), truth.weak);
    for (const [kind, wanted] of Object.entries(truth.points))
      count(weak, id, kind, plan.openPoints.filter((point) => point.kind === kind).length, wanted);
    const asked = plan.terms.variants.filter(({ sure }) => sure === null);
    count(
      spelling,
      id,
      'spellings',
      asked.map((it) => it.spellings.map((one) => one.text).sort()),
      truth.spellings,
    );
    count(
      sections,
      id,
      'missing',
      SECTIONS.filter((title) => !accepted.includes(title)),
      [],
    );
    const whole = accepted.join('\n');
    count(
      facts,
      id,
      'missing',
      truth.facts.filter((fact) => !whole.includes(fact)),
      [],
    );
    count(facts, id, 'differs', checkCarried(source, written, plan, {}), []);
    const values = plan.control.flatMap(({ value }) => (value === null ? [] : [value]));
    count(
      invented,
      id,
      'not given',
      values.filter((value) => !`${text}\n${request}`.includes(value)),
      [],
    );
    count(valid, id, 'faults', findFaults(written), []);
  }
  return [structure, control, weak, spelling, sections, facts, invented, valid];
}

/** Labels are in any order; the control block has one. */
const byOrder =
  ({ control }: Plan) =>
  ([one]: [string, string], [other]: [string, string]): number =>
    control.findIndex(({ field }) => field === one) - control.findIndex(({ field }) => field === other);

const BAR = 0.95;

/** Measures the labelled cases, with the built-in engine and no language model. */
export function evaluate(): Evaluation {
  const measures = measureCases();
  return {
    lines: [
      `${CASES.length} rough documents, labelled by one reader; bar ${BAR} for each measure.`,
      ...measures.map(({ name, right, of }) => `${name}: ${right} of ${of}`),
      ...measures.flatMap(({ misses }) => misses),
    ],
    below: measures.filter(({ right, of }) => right / of < BAR).map(({ name }) => `${name} of the labelled documents`),
    notRun: [],
  };
}
