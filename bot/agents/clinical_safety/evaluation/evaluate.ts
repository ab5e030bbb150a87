import type { Evaluation } from '../../../engine/agents/agent.ts';
import { describeCoverage } from '../answers/describe.ts';
import { readSample } from '../sample/readSample.ts';
import { analyseLog } from '../worker/analyseLog.ts';
import { type LabelledTicket, OUTSIDE_LABELS, OWN_LABELS, readOutsideLabels } from './labelled.ts';
import { type LogFigures, measureLogs, pool as poolLogs } from './logs/measureLogs.ts';
import { type Figures, folds, measure } from './measure.ts';
import { train } from './train.ts';

/** So many differences of made-up logs are listed. */
const MAX_DIFFERENCES = 20;
const BARS = { recall: 0.9, precision: 0.8, firstThree: 0.85, sureRight: 0.9 };
const NAMES: Record<keyof typeof BARS, string> = {
  recall: 'recall',
  precision: 'precision',
  firstThree: 'first three',
  sureRight: 'sure and right',
};

/**
 * Measures how well logs are read and checked, and tickets recognised as relevant and matched to the knowledge base,
 * with the built-in engine and no language model.
 * @param folder labelled sets that are not part of the repository
 */
export async function evaluate(folder: string): Promise<Evaluation> {
  const outcome: Evaluation = { lines: [], below: [], notRun: [] };
  outcome.lines.push(
    `Bars: recall ${BARS.recall}, precision ${BARS.precision}, right entry in the first three ${BARS.firstThree}, sure and right ${BARS.sureRight}. Built-in engine, no model.`,
  );
  await reportLogs(outcome);
  report(outcome, 'own labelled set', OWN_LABELS, true);
  outcome.lines.push(await coverageOfSample());
  const outside = readOutsideLabels(folder);
  if (outside) {
    outcome.lines.push(
      'The second set was not used to fit: the weights come from the own set alone. The threshold for "sure" was chosen by the precision on both.',
    );
    report(outcome, 'labels outside the repository', outside, false);
  } else outcome.notRun.push(OUTSIDE_LABELS);
  return outcome;
}

/** Bars of reading: hazards read right; precision and recall of findings to fix against the faults put in. */
export const LOG_BARS: Pick<LogFigures, 'read' | 'precision' | 'recall'> = { read: 1, precision: 0.98, recall: 0.95 };

async function reportLogs(outcome: Evaluation): Promise<void> {
  const logs = await measureLogs();
  const figures = poolLogs(logs);
  const parts = (Object.keys(LOG_BARS) as (keyof typeof LOG_BARS)[]).map((kind) => {
    const isLow = figures[kind] < LOG_BARS[kind];
    if (isLow) outcome.below.push(`made-up logs: ${kind} ${figures[kind].toFixed(3)}`);
    return `${kind} ${figures[kind].toFixed(3)}${isLow ? ' BELOW' : ''}`;
  });
  const layouts = new Set(logs.map(({ layout }) => layout)).size;
  outcome.lines.push(
    `Logs: ${figures.files} made-up files in ${layouts} layouts, ${figures.hazards} hazards: ${parts.join(', ')}. Seen: who built the reading wrote the layouts.`,
    ...logs.flatMap(({ differences }) => differences).slice(0, MAX_DIFFERENCES),
  );
}

function report(outcome: Evaluation, name: string, tickets: readonly LabelledTicket[], retrain: boolean): void {
  const add = (title: string, figures: Figures, judged: boolean) => {
    const figure = (kind: keyof typeof BARS) => {
      const isLow = figures[kind] < BARS[kind];
      if (judged && isLow) outcome.below.push(`${title}: ${NAMES[kind]} ${figures[kind].toFixed(2)}`);
      return `${NAMES[kind]} ${figures[kind].toFixed(2)}${isLow ? (judged ? ' BELOW' : ' (low)') : ''}`;
    };
    outcome.lines.push(
      `${title.padEnd(44)} ${String(figures.tickets).padStart(3)} tickets  ${figure('recall')}  ${figure('precision')}  ${figure('firstThree')}  ${figure('sureRight')} of ${figures.sure}  (first ${figures.first.toFixed(2)}, unsure ${figures.unsure})`,
    );
  };
  add(`${name}, whole`, measure(tickets), true);
  const parts = folds(tickets).map(({ held, rest }) => measure(held, retrain ? train(rest) : undefined));
  for (const [at, part] of parts.entries()) add(`  fold ${at + 1}`, part, false);
  add(`${name}, mean of five folds`, pool(parts), true);
}

/** The pooled outcome of five folds counts as one figure; a single fold is small and is listed beside it. */
function pool(parts: Figures[]): Figures {
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

/** Coverage of the sample: tickets count only where the log or the ticket names the other, or a person confirmed it. */
async function coverageOfSample(): Promise<string> {
  const { log, tickets } = await readSample();
  const { analysisMetadata } = await analyseLog({
    log: { ...log, digest: 'sample' },
    tickets: { ...tickets, digest: 'sample' },
  });
  const { coverage, coverageScore } = analysisMetadata;
  return coverageScore === null
    ? 'Sample: coverage has no figure.'
    : `Sample: ${describeCoverage(coverage, coverageScore)}`;
}
