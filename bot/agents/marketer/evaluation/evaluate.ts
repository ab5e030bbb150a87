import type { Evaluation } from '../../../engine/agents/agent.ts';
import { textOf } from '../../../engine/documents/documentText.ts';
import { readZipDirectory } from '../../../engine/files/zipArchive.ts';
import { readBrief } from '../brief/readBrief.ts';
import { checkClaims } from '../claims/checkClaims.ts';
import { figuresOf } from '../claims/evidence.ts';
import { work } from '../thread/work.ts';
import cases from './cases.json' with { type: 'json' };

/** A text about a product with what a reader labelled. */
type Case = {
  id: string;
  request: string;
  text: string;
  evidence: { name: string; text: string }[];
  truth: {
    product: string;
    /** For whom it is; null where the text does not say. */
    audience: string | null;
    /** Sentences that may stand in the copy. */
    written: string[];
    /** Claims that must not, with their kind. */
    flagged: Record<string, string>;
  };
};

const CASES = cases as unknown as readonly Case[];
const SECTIONS = [
  ...['1. Positioning', '2. Copy', '3. A/B plan', '4. Evidence for each sentence'],
  ...['5. What was left out, and why', '6. Rules and limits'],
];

type Measure = { name: string; right: number; of: number; misses: string[] };

const measureOf = (name: string): Measure => ({ name, right: 0, of: 0, misses: [] });

function count(measure: Measure, id: string, what: string, got: unknown, wanted: unknown): void {
  measure.of += 1;
  const [found, labelled] = [JSON.stringify(got), JSON.stringify(wanted)];
  if (found === labelled) measure.right += 1;
  else measure.misses.push(`${id}: ${what} ${found}, labelled ${labelled}`);
}

/** The copy without its first line, its labels and its gaps, whose words are Arc's. */
const wordsOfCopy = (copy: string): string =>
  copy
    .slice(copy.indexOf('\n'))
    .replace(/\[To be filled: [^\]]*\]/g, '')
    .replace(/^At most \d+ characters:$/gm, '');

const sorted = (pairs: readonly string[]) => [...pairs].sort();

async function measureCases(): Promise<Measure[]> {
  const [named, used, kept, sections, invented, valid] = [
    measureOf('Product and audience'),
    measureOf('Sentences that may be used'),
    measureOf('Claims left out, with their kind'),
    measureOf('Sections present'),
    measureOf('Nothing invented, no flagged claim in the copy'),
    measureOf('Format valid'),
  ];
  for (const { id, request, text, evidence, truth } of CASES) {
    const given = [{ name: 'Brief.md', text }, ...evidence];
    const brief = readBrief(request, given);
    const { written, flagged } = checkClaims(brief);
    count(named, id, 'product', brief.product?.value ?? null, truth.product);
    count(named, id, 'audience', brief.audience?.value ?? null, truth.audience);
    const said = new Set(written.map((one) => one.text));
    for (const sentence of truth.written) count(used, id, sentence, said.has(sentence), true);
    count(
      kept,
      id,
      'left out',
      sorted(flagged.map((one) => `${one.text} (${one.kind})`)),
      sorted(Object.entries(truth.flagged).map(([claim, kind]) => `${claim} (${kind})`)),
    );
    const documents = given.map(({ name, text: words }) => ({ name, bytes: Buffer.from(words) }));
    const output = await work({ documents, request, answers: {}, day: '26 Nov 2026', approval: null }, () => undefined);
    const copy = output?.written?.copy ?? '';
    const document = output?.written?.document ?? new Uint8Array();
    const read = (await textOf('a.docx', document)) ?? '';
    const all = new Set(given.flatMap(({ text: words }) => figuresOf(words)));
    count(
      sections,
      id,
      'missing',
      SECTIONS.filter((title) => !read.includes(title)),
      [],
    );
    count(
      invented,
      id,
      'in the copy',
      [
        ...(output?.written?.problems ?? ['not written']),
        ...Object.keys(truth.flagged).filter((claim) => copy.includes(claim)),
        ...figuresOf(wordsOfCopy(copy)).filter((figure) => !all.has(figure)),
      ],
      [],
    );
    count(
      valid,
      id,
      'parts',
      ['word/document.xml'].filter((part) => !readZipDirectory(document).has(part)),
      [],
    );
  }
  return [named, used, kept, sections, invented, valid];
}

const BAR = 0.95;

/** Measures the labelled cases, with the built-in engine and no language model. */
export async function evaluate(): Promise<Evaluation> {
  const measures = await measureCases();
  return {
    lines: [
      `${CASES.length} texts about products, labelled by one reader; bar ${BAR} for each measure.`,
      ...measures.map(({ name, right, of }) => `${name}: ${right} of ${of}`),
      ...measures.flatMap(({ misses }) => misses),
    ],
    below: measures.filter(({ right, of }) => right / of < BAR).map(({ name }) => `${name} of the labelled texts`),
    notRun: [],
  };
}
