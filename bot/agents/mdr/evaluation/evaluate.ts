import type { Evaluation } from '../../../engine/agents/agent.ts';
import { type DeviceFacts, deviceFacts, type Fact, factOf } from '../facts/facts.ts';
import { readFacts } from '../facts/readFacts.ts';
import { makeChecklist } from '../gspr/checklist.ts';
import { REQUIREMENTS } from '../gspr/requirements.ts';
import { classify } from '../rules/classify.ts';
import { listFacts } from '../rules/describe.ts';
import { reportsDue } from '../surveillance/dates.ts';
import { composeSections } from '../technicalFile/compose.ts';
import type { Section } from '../technicalFile/section.ts';
import cases from './cases.json' with { type: 'json' };

/** A product in the words of an answer, with what a reader labelled. */
type Case = {
  id: string;
  words: string;
  truth: {
    qualifies: string;
    eu: string | null;
    uk: string | null;
    software: string;
    applies: Record<string, string>;
    facts: Record<string, string>;
  };
};

const CASES = cases as unknown as readonly Case[];

/** Every section of Annex II and III that a draft has, by number. */
const SECTIONS = [
  ...[
    '1.1(a)',
    '1.1(b)',
    '1.1(c)',
    '1.1(d)',
    '1.1(e)',
    '1.1(f)',
    '1.1(g)',
    '1.1(h)',
    '1.1(i)',
    '1.1(j)',
    '1.1(k)',
    '1.1(l)',
  ],
  ...['1.2(a)', '1.2(b)', '2(a)', '2(b)', '3(a)', '3(b)', '3(c)', '4(a)', '4(b)', '4(c)', '4(d)', '5(a)', '5(b)'],
  ...['6.1(a)', '6.1(b)', '6.1(c)', '6.1(d)', '6.2(a)', '6.2(b)', '6.2(c)', '6.2(d)', '6.2(e)', '6.2(f)', '6.2(g)'],
].map((number) => `II ${number}`);

type Measure = { name: string; right: number; of: number; misses: string[] };

const measureOf = (name: string): Measure => ({ name, right: 0, of: 0, misses: [] });

function count(measure: Measure, id: string, what: string, got: unknown, wanted: unknown): void {
  measure.of += 1;
  if (got === wanted) measure.right += 1;
  else measure.misses.push(`${id}: ${what} ${got ?? 'none'}, labelled ${wanted ?? 'none'}`);
}

const textOf = (sections: readonly Section[]): string[] =>
  sections.flatMap(({ pieces }) => pieces.flatMap((piece) => (piece.kind === 'fact' ? [piece.text] : [])));

/** Facts that a draft holds and nobody gave. */
const inventedIn = (sections: readonly Section[], facts: DeviceFacts): string[] => {
  const given = listFacts(facts).map((line) => line.slice(line.indexOf(': ') + 2));
  return textOf(sections).filter((text) => !given.includes(text));
};

/** What the labelled cases say about the built-in engine, by measure. */
function measureCases(): Measure[] {
  const [classes, applicability, carried, present, invented] = [
    measureOf('Qualification and classes'),
    measureOf('Applicability of Annex I'),
    measureOf('Facts carried over'),
    measureOf('Sections present'),
    measureOf('Nothing invented'),
  ];
  for (const { id, words, truth } of CASES) {
    const facts = deviceFacts.parse(readFacts(words, { asksPurpose: true }).facts);
    const classification = classify(facts);
    const { qualification, eu, uk, software } = classification;
    count(classes, id, 'qualifies', qualification.qualifies, truth.qualifies);
    count(classes, id, 'EU', eu?.class ?? null, truth.eu);
    count(classes, id, 'Great Britain', uk?.class ?? null, truth.uk);
    count(classes, id, 'IEC 62304', software.class, truth.software);
    const checklist = makeChecklist(facts, new Map());
    for (const [number, applies] of Object.entries(truth.applies))
      count(applicability, id, number, checklist.rows.find((row) => row.number === number)?.applies, applies);
    for (const [fact, value] of Object.entries(truth.facts))
      count(carried, id, fact, factOf(facts, fact as Fact), value);
    const sections = composeSections({
      facts,
      classification,
      checklist,
      evidence: new Map(),
      due: reportsDue(facts, classification, '2026-11-26'),
    });
    const numbers = new Set(sections.map(({ number }) => number));
    count(present, id, 'sections missing', SECTIONS.filter((number) => !numbers.has(number)).join(', '), '');
    count(present, id, 'numbers of Annex I', checklist.rows.length, REQUIREMENTS.length);
    count(invented, id, 'not given', inventedIn(sections, facts).join('; '), '');
  }
  return [classes, applicability, carried, present, invented];
}

const BAR = 0.95;

/** Measures the labelled cases, with the built-in engine and no language model. */
export function evaluate(): Evaluation {
  const measures = measureCases();
  return {
    lines: [
      `${CASES.length} cases, labelled by one reader from the texts; bar ${BAR} for each measure.`,
      ...measures.map(({ name, right, of }) => `${name}: ${right} of ${of}`),
      ...measures.flatMap(({ misses }) => misses),
    ],
    below: measures.filter(({ right, of }) => right / of < BAR).map(({ name }) => `${name} of the labelled cases`),
    notRun: [],
  };
}
