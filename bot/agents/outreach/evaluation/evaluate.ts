import type { Evaluation } from '../../../engine/agents/agent.ts';
import { readZipDirectory } from '../../../engine/files/zipArchive.ts';
import { composeDraft, type Texts } from '../drafts/composeDrafts.ts';
import { readTexts } from '../drafts/fields.ts';
import { writeCsv, writeWorkbook } from '../files/exportDrafts.ts';
import { readCsv } from '../list/readCsv.ts';
import { type ListOutput, work } from '../thread/work.ts';
import cases from './cases.json' with { type: 'json' };

/** A list with what a reader labelled. */
type Case = {
  id: string;
  request: string;
  name: string;
  list: string;
  /** The text of a document with opt-outs; empty for none. */
  optOuts: string;
  truth: {
    /** Addresses that get a draft, in order. */
    drafted: string[];
    /** Rows without one, with the reason. */
    left: Record<string, string>;
    /** Rows without a name to greet by. */
    missing: string[];
    greetings: Record<string, string>;
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

/** Words of the drafts that are Arc's own; all others come from the list or the request. */
const OWN_WORDS =
  /Dear|Hello|I am writing to(?: you as)?| at |A few days ago I wrote to you about this:|This is my last mail on this\.|Following up:|If you do not want to hear from us again, reply “stop” and we will not write to you\./g;

async function measureCases(): Promise<Measure[]> {
  const [drafted, left, missing, sections, invented, valid] = [
    measureOf('Who gets a draft'),
    measureOf('Who is left out, with the reason'),
    measureOf('Names that are missing, greetings'),
    measureOf('Parts of a draft present'),
    measureOf('Nothing invented, nobody who opted out in a file'),
    measureOf('Format valid'),
  ];
  for (const { id, request, name, list, optOuts, truth } of CASES) {
    const files = optOuts === '' ? [] : [{ name: 'Opt-outs.csv', bytes: Buffer.from(optOuts) }];
    const read = (await work({
      ...{ job: 'read', list: { name, bytes: Buffer.from(list) }, optOutFiles: files, kept: [], addressColumn: null },
    })) as ListOutput;
    const prospects = read.prospects ?? [];
    count(
      drafted,
      id,
      'drafted',
      prospects.map(({ address }) => address),
      truth.drafted,
    );
    count(
      left,
      id,
      'left out',
      Object.fromEntries(read.leftOut.map((one) => [String(one.row), one.reason])),
      truth.left,
    );
    count(
      missing,
      id,
      'missing',
      prospects.filter(({ greeting }) => greeting === null).map(({ row }) => String(row)),
      truth.missing,
    );
    const drafts = prospects.map((one) => composeDraft(one, readTexts(request) as Texts));
    for (const [address, greeting] of Object.entries(truth.greetings))
      count(missing, id, address, drafts.find((draft) => draft.address === address)?.first.split('\n')[0], greeting);
    const { offer = '', ask = '', from = '' } = readTexts(request);
    count(
      sections,
      id,
      'without',
      drafts
        .filter(({ first }) => ![offer, ask, from, 'reply “stop”'].every((part) => first.includes(part)))
        .map(({ row }) => row),
      [],
    );
    const csv = writeCsv(drafts);
    const known = `${request}\n${list.normalize('NFKC')}`;
    const words = drafts.flatMap(
      ({ subject, first, second, third }) =>
        [subject, first, second, third]
          .join('\n')
          .replace(OWN_WORDS, ' ')
          .match(/[\p{L}\d]+/gu) ?? [],
    );
    const out = Object.keys(truth.left).map((row) => readCsv(list)[Number(row) - 1]?.join(' ') ?? '');
    count(
      invented,
      id,
      'in the drafts',
      [...words.filter((word) => !known.includes(word)), ...out.filter((cells) => cells !== '' && csv.includes(cells))],
      [],
    );
    const book = await writeWorkbook({ drafts, leftOut: read.leftOut, sourceName: name, day: '26 Nov 2026' });
    count(
      valid,
      id,
      'parts',
      ['xl/workbook.xml', 'xl/worksheets/sheet3.xml'].filter((part) => !readZipDirectory(book).has(part)),
      [],
    );
    count(valid, id, 'rows of the CSV', readCsv(csv).length, 1 + 3 * drafts.length);
  }
  return [drafted, left, missing, sections, invented, valid];
}

const BAR = 0.95;

/** Measures the labelled cases, with the built-in engine and no language model. */
export async function evaluate(): Promise<Evaluation> {
  const measures = await measureCases();
  return {
    lines: [
      `${CASES.length} lists of people, labelled by one reader; bar ${BAR} for each measure.`,
      ...measures.map(({ name, right, of }) => `${name}: ${right} of ${of}`),
      ...measures.flatMap(({ misses }) => misses),
    ],
    below: measures.filter(({ right, of }) => right / of < BAR).map(({ name }) => `${name} of the labelled lists`),
    notRun: [],
  };
}
