import type { Evaluation } from '../../../engine/agents/agent.ts';
import { textOf } from '../../../engine/documents/documentText.ts';
import type { ReadDocument } from '../../../engine/documents/sentences.ts';
import { writeWord } from '../../../engine/files/writeWord.ts';
import { checkQuotes, composeBrief, describeBrief } from '../brief/brief.ts';
import { subjectOf } from '../intents.ts';
import { findPassages } from '../search/findPassages.ts';
import sets from './cases.json' with { type: 'json' };

/** A question to the documents of the set, with what a reader labelled. */
type Case = {
  id: string;
  question: string;
  truth: {
    /** Sentences, or pieces of them, that have to be quoted. */
    quotes: string[];
    /** Words of the question that no document holds. */
    missing: string[];
    /** Whether nothing answers it. */
    nothing: boolean;
  };
};

const { documents, cases } = sets as unknown as { documents: readonly ReadDocument[]; cases: readonly Case[] };

type Measure = { name: string; right: number; of: number; misses: string[] };

const measureOf = (name: string): Measure => ({ name, right: 0, of: 0, misses: [] });

function count(measure: Measure, id: string, what: string, got: unknown, wanted: unknown): void {
  measure.of += 1;
  const [found, labelled] = [JSON.stringify(got), JSON.stringify(wanted)];
  if (found === labelled) measure.right += 1;
  else measure.misses.push(`${id}: ${what} ${found}, labelled ${labelled}`);
}

const SECTIONS = ['What the documents say', 'What is not in them', 'Sources'];

/** Sentences of a brief in the chat that are neither a quote nor one of the brief’s own about what was read. */
const uncited = (text: string): string[] =>
  text
    .split('\n')
    .slice(1, text.split('\n').indexOf('**What is not in them**'))
    .filter((line) => !/^\*\*.+\*\*$/.test(line) && !/^• “.+” \[\d+\]$/.test(line));

async function measureCases(): Promise<Measure[]> {
  const [quotes, nothing, missing, cited, facts, sections] = [
    measureOf('Sentences found'),
    measureOf('Nothing found where nothing answers'),
    measureOf('Words that are in no document'),
    measureOf('Every sentence cited'),
    measureOf('Quotes word for word'),
    measureOf('Sections present, format valid'),
  ];
  for (const { id, question, truth } of cases) {
    const subject = subjectOf(question);
    const found = findPassages(subject, documents);
    const all = found.passages.map(({ quote }) => quote);
    for (const quote of truth.quotes)
      count(
        quotes,
        id,
        quote,
        all.some((one) => one.includes(quote)),
        true,
      );
    count(nothing, id, 'nothing', all.length === 0, truth.nothing);
    count(missing, id, 'missing', found.missing, truth.missing);
    count(cited, id, 'without a source', uncited(describeBrief({ question: subject, found })), []);
    count(facts, id, 'differs', checkQuotes(found.passages, documents), []);
    const written =
      (await textOf('a.docx', await writeWord(composeBrief({ question: subject, found, day: '26 Nov 2026' })))) ?? '';
    count(
      sections,
      id,
      'missing',
      [...SECTIONS, ...all].filter((one) => !written.includes(one)),
      [],
    );
  }
  return [quotes, nothing, missing, cited, facts, sections];
}

const BAR = 0.95;

/** Measures the labelled questions, with the built-in engine and no language model. */
export async function evaluate(): Promise<Evaluation> {
  const measures = await measureCases();
  return {
    lines: [
      `${cases.length} questions to ${documents.length} invented documents, labelled by one reader; bar ${BAR} for each measure.`,
      ...measures.map(({ name, right, of }) => `${name}: ${right} of ${of}`),
      ...measures.flatMap(({ misses }) => misses),
    ],
    below: measures.filter(({ right, of }) => right / of < BAR).map(({ name }) => `${name} of the labelled questions`),
    notRun: [],
  };
}
