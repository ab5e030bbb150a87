import type { Evaluation } from '../../../engine/agents/agent.ts';
import { describeCoverage } from '../answers/describe.ts';
import { readSample } from '../sample/readSample.ts';
import { analyseLog } from '../worker/analyseLog.ts';
import { OUTSIDE_LABELS, OWN_LABELS, readOutsideLabels } from './labelled.ts';
import { type LogFigures, measureLogs, pool as poolLogs } from './logs/measureLogs.ts';
import { byProduct, type Figures, measure, pool } from './measure.ts';
import { measureMatches } from './measureMatches.ts';
import { measureProposals } from './measureProposals.ts';
import { FITTED_PRODUCTS, HELD_OUT_PRODUCTS, SEEN_PRODUCTS } from './products.ts';
import { train } from './train.ts';

/** At most this many differences of generated logs are listed. */
const MAX_DIFFERENCES = 20;
const BARS = { recall: 0.9, precision: 0.8, firstThree: 0.85, sureRight: 0.9 };
const NAMES: Record<keyof typeof BARS, string> = {
  recall: 'recall',
  precision: 'precision',
  firstThree: 'kind in the first three',
  sureRight: 'sure and right',
};
/** Bars of matches: the right hazard among the first three, and none offered where none is right. */
const MATCH_BARS = { firstThree: 0.85, noneFirst: 0.8 };
const MATCH_NAMES: Record<keyof typeof MATCH_BARS, string> = {
  firstThree: 'right hazard in the first three',
  noneFirst: 'none offered where none is right',
};
/** Products with a log of their own, by whether a weight, a threshold or a word was chosen with them. */
const SEEN = 'products that were tuned with';
const UNSEEN = 'products that were held out';
const GROUPS = [
  { group: SEEN, products: SEEN_PRODUCTS },
  { group: UNSEEN, products: HELD_OUT_PRODUCTS },
];

/**
 * Measures how well logs are read and checked, and tickets recognised as relevant and matched to the knowledge base and
 * to the hazards of a log, with the built-in engine and no language model: by product, never by row.
 * @param folder labelled sets that are not part of the repository
 */
export async function evaluate(folder: string): Promise<Evaluation> {
  const outcome: Evaluation = { lines: [], below: [], notRun: [] };
  outcome.lines.push(
    `Bars: recall ${BARS.recall}, precision ${BARS.precision}, right kind in the first three ${BARS.firstThree}, sure and right ${BARS.sureRight}; hazard in the first three ${MATCH_BARS.firstThree}, none where none is right ${MATCH_BARS.noneFirst}. Built-in engine, no model.`,
  );
  await reportLogs(outcome);
  reportTickets(outcome);
  await reportMatches(outcome);
  await reportProposals(outcome);
  outcome.lines.push(await coverageOfSample());
  const outside = readOutsideLabels(folder);
  if (outside) {
    outcome.lines.push(
      'Labels outside the repository: seen. The weights come from the sets of the repository, but words of the knowledge base and the threshold for "sure" were chosen with it.',
    );
    addFigures(outcome, 'labels outside the repository', measure(outside), true);
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

/** The labelled products that the weights are fitted to. */
const FITTED = [
  ...byProduct(OWN_LABELS).map(({ product, tickets }) => ({ product, tickets, group: 'own set' })),
  ...FITTED_PRODUCTS.map(({ product, tickets }) => ({ product, tickets, group: SEEN })),
];
/** The others: the engine’s weights do not know them. */
const NOT_FITTED = [
  ...SEEN_PRODUCTS.filter((one) => !FITTED_PRODUCTS.includes(one)).map((one) => ({ ...one, group: SEEN })),
  ...HELD_OUT_PRODUCTS.map((one) => ({ ...one, group: UNSEEN })),
];

/** Relevance, kinds and sureness, by product. */
function reportTickets(outcome: Evaluation): void {
  outcome.lines.push(
    'Tickets: the weights of relevance of each product come from the other products; those of the held-out ones, and of Marlowe, are the engine’s, which were fitted without them.',
  );
  const measured = [
    ...FITTED.map(({ product, group, tickets }) => {
      const others = FITTED.flatMap((other) => (other.product === product ? [] : other.tickets));
      return { group, product, figures: measure(tickets, train(others)) };
    }),
    ...NOT_FITTED.map(({ product, group, tickets }) => ({ group, product, figures: measure(tickets) })),
  ];
  for (const group of ['own set', SEEN, UNSEEN]) {
    const own = measured.filter((one) => one.group === group);
    for (const { product, figures } of own) addFigures(outcome, `  ${product}`, figures, false);
    addFigures(outcome, group, pool(own.map(({ figures }) => figures)), group !== SEEN);
  }
}

/** Proposals for all tickets of a product together, as an analysis makes them. */
async function reportProposals(outcome: Evaluation): Promise<void> {
  for (const { group, products } of GROUPS) {
    const figures = await Promise.all(products.map((product) => measureProposals(product)));
    const sum = (kind: 'proposals' | 'right' | 'sure' | 'sureAndRight') =>
      figures.reduce((total, own) => total + own[kind], 0);
    const isLow = sum('sureAndRight') < BARS.sureRight * sum('sure');
    if (group === UNSEEN && isLow)
      outcome.below.push(`${group}: sure proposals right ${sum('sureAndRight')} of ${sum('sure')}`);
    outcome.lines.push(
      `${group}, proposals: ${sum('proposals')}, of the right kind ${sum('right')}; called sure ${sum('sure')}, of these right ${sum('sureAndRight')}${isLow ? ' BELOW' : ''}`,
      ...figures.flatMap(({ misses }) => misses.map((miss) => `    ${miss}`)),
    );
  }
}

/** The hazards of a product's log for its relevant tickets. */
async function reportMatches(outcome: Evaluation): Promise<void> {
  for (const { group, products } of GROUPS) {
    const figures = await Promise.all(products.map(measureMatches));
    const sum = (kind: 'paired' | 'firstThree' | 'possible' | 'without' | 'noneFirst') =>
      figures.reduce((total, own) => total + own[kind], 0);
    const shares = { firstThree: sum('firstThree') / sum('paired'), noneFirst: sum('noneFirst') / sum('without') };
    const said = (Object.keys(MATCH_BARS) as (keyof typeof MATCH_BARS)[]).map((kind) => {
      const isLow = group === UNSEEN && shares[kind] < MATCH_BARS[kind];
      if (isLow) outcome.below.push(`${group}: ${MATCH_NAMES[kind]} ${shares[kind].toFixed(2)}`);
      return `${MATCH_NAMES[kind]} ${shares[kind].toFixed(2)}${isLow ? ' BELOW' : ''}`;
    });
    outcome.lines.push(
      `${group}, matches with the log, ${sum('paired')} tickets with a right hazard and ${sum('without')} without: ${said.join(', ')}, right one offered as possible ${(sum('possible') / sum('paired')).toFixed(2)}`,
      ...figures.flatMap(({ misses }) => misses.map((miss) => `    ${miss}`)),
    );
  }
}

function addFigures(outcome: Evaluation, title: string, figures: Figures, judged: boolean): void {
  const figure = (kind: keyof typeof BARS) => {
    const isLow = figures[kind] < BARS[kind];
    if (judged && isLow) outcome.below.push(`${title}: ${NAMES[kind]} ${figures[kind].toFixed(2)}`);
    return `${NAMES[kind]} ${figures[kind].toFixed(2)}${isLow ? (judged ? ' BELOW' : ' (low)') : ''}`;
  };
  outcome.lines.push(
    `${title.padEnd(44)} ${String(figures.tickets).padStart(3)} tickets  ${figure('recall')}  ${figure('precision')}  ${figure('firstThree')}  ${figure('sureRight')} of ${figures.sure}  (first ${figures.first.toFixed(2)}, unsure ${figures.unsure})`,
  );
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
