// `npm run eval`: how well tickets are told apart and matched, on labelled sets. Ends with 1 where a figure is below its bar.
import { relative } from 'node:path';
import { describeCoverage } from '../../bot/agents/clinical_safety/answers/describe.ts';
import { readSample } from '../../bot/agents/clinical_safety/sample/readSample.ts';
import { analyseLog } from '../../bot/agents/clinical_safety/worker/analyseLog.ts';
import { type LabelledTicket, OUTSIDE_LABELS, readOutsideLabels, readOwnLabels } from './labelled.ts';
import { type Figures, folds, measure } from './measure.ts';
import { train } from './train.ts';

const BARS = { recall: 0.9, precision: 0.8, firstThree: 0.85, sureRight: 0.9 };
let below = 0;

function line(name: string, figures: Figures, judged: boolean): void {
  const figure = (kind: keyof typeof BARS) => {
    const short = figures[kind] < BARS[kind];
    if (judged && short) below += 1;
    return `${figures[kind].toFixed(2)}${short ? (judged ? ' BELOW' : ' (low)') : ''}`;
  };
  console.log(
    `${name.padEnd(34)} ${String(figures.tickets).padStart(3)} tickets  recall ${figure('recall')}  precision ${figure('precision')}  first three ${figure('firstThree')}  sure and right ${figure('sureRight')} of ${figures.sure}  (first ${figures.first.toFixed(2)}, unsure ${figures.unsure})`,
  );
}

/** The pooled outcome of five folds counts as one figure; a single fold is small and is shown beside it. */
function pooled(parts: Figures[]): Figures {
  const sum = (pick: (part: Figures) => number) => parts.reduce((total, part) => total + pick(part), 0);
  const mean = (pick: (part: Figures) => number) => sum(pick) / parts.length;
  return {
    tickets: sum(({ tickets }) => tickets),
    precision: mean(({ precision }) => precision),
    recall: mean(({ recall }) => recall),
    first: mean(({ first }) => first),
    firstThree: mean(({ firstThree }) => firstThree),
    sure: sum(({ sure }) => sure),
    sureRight:
      sum(({ sure, sureRight }) => sure * sureRight) /
      Math.max(
        1,
        sum(({ sure }) => sure),
      ),
    unsure: sum(({ unsure }) => unsure),
    missed: parts.flatMap(({ missed }) => missed),
    wrong: parts.flatMap(({ wrong }) => wrong),
  };
}

const own = readOwnLabels();
const verbose = process.argv.includes('--verbose');

function report(name: string, tickets: LabelledTicket[], retrain: boolean): void {
  const whole = measure(tickets);
  line(`${name}, whole`, whole, true);
  const parts = folds(tickets).map(({ held, rest }) => measure(held, retrain ? train(rest) : undefined));
  for (const [at, part] of parts.entries()) line(`  fold ${at + 1}`, part, false);
  line(`${name}, mean of five folds`, pooled(parts), true);
  if (verbose) console.log({ missed: whole.missed, wrong: whole.wrong });
}

/** What counts as covered on the sample: only what the log or the ticket names, or a person confirmed. */
async function coverageOfSample(): Promise<void> {
  const { log, tickets } = await readSample();
  const { analysisMetadata } = await analyseLog({
    log: { ...log, digest: 'sample' },
    tickets: { ...tickets, digest: 'sample' },
  });
  const { coverage, coverageScore } = analysisMetadata;
  console.log(
    coverageScore === null ? 'Sample: coverage has no figure.' : `Sample: ${describeCoverage(coverage, coverageScore)}`,
  );
}

console.log(
  `Bars: recall ${BARS.recall}, precision ${BARS.precision}, right entry in the first three ${BARS.firstThree}, sure and right ${BARS.sureRight}. Built-in engine, no model.`,
);
report('own labelled set', own, true);
await coverageOfSample();
const outside = readOutsideLabels();
if (outside) {
  console.log(
    'The second set was not used to fit: the weights come from the own set alone. The line for sure was drawn by the precision on both.',
  );
  report('labels outside the repository', outside, false);
} else console.log(`Not run: labels outside the repository (${relative(process.cwd(), OUTSIDE_LABELS)} is not there).`);
console.log(
  below > 0
    ? `${below} figure(s) below their bar.`
    : outside
      ? 'All figures meet their bars.'
      : 'The figures of the own set meet their bars. The set outside the repository was not run, so nothing is said of it.',
);
process.exitCode = below === 0 ? 0 : 1;
