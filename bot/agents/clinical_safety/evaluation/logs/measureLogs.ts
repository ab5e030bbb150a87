import { findFindings } from '../../findings/findFindings.ts';
import type { ReadLog } from '../../reading/logModel.ts';
import { readLog } from '../../reading/readLog.ts';
import { LAYOUTS, type Layout } from './layouts.ts';
import { MORE_LAYOUTS } from './moreLayouts.ts';
import { makeRandom, makeTrueHazards, type TrueHazard } from './trueLog.ts';

/** Files of each layout. */
const FILES_PER_LAYOUT = 4;
const MIN_HAZARDS = 8;
const MORE_HAZARDS = 8;
/** Share of the hazards whose recorded risk is changed. */
const FAULTY = 0.12;

/** What was found in one made-up log, against the truth. */
export type LogOutcome = {
  layout: string;
  hazards: number;
  /** Hazards read with their id, name, effect, causes, ratings and risks. */
  read: number;
  /** Read, and not in the file. */
  invented: number;
  /** Wrong risks that were put into the file, and those of them that a finding to fix names. */
  planted: number;
  found: number;
  /** Findings to fix about what nobody put wrong. */
  wrong: number;
  /** The first differences, for people. */
  differences: string[];
};

export type LogFigures = { files: number; hazards: number; read: number; precision: number; recall: number };

/** Reads logs of every layout and compares them with what was written into them. */
export async function measureLogs(): Promise<LogOutcome[]> {
  const outcomes: LogOutcome[] = [];
  for (const [at, layout] of [...LAYOUTS, ...MORE_LAYOUTS].entries())
    for (let file = 0; file < FILES_PER_LAYOUT; file += 1) outcomes.push(await measureLog(layout, at * 100 + file + 1));
  return outcomes;
}

/** The figures of several logs: share of hazards read right, precision and recall of findings to fix, 0 to 1. */
export function pool(outcomes: readonly LogOutcome[]): LogFigures {
  const sum = (pick: (outcome: LogOutcome) => number) => outcomes.reduce((total, outcome) => total + pick(outcome), 0);
  const share = (part: number, whole: number) => (whole === 0 ? 1 : part / whole);
  const hazards = sum((it) => it.hazards + it.invented);
  return {
    files: outcomes.length,
    hazards,
    read: share(
      sum((it) => it.read),
      hazards,
    ),
    precision: share(
      sum((it) => it.found),
      sum((it) => it.found + it.wrong),
    ),
    recall: share(
      sum((it) => it.found),
      sum((it) => it.planted),
    ),
  };
}

/** Writes one log in a layout, reads it, and compares. @param seed the same gives the same log */
export async function measureLog(layout: Layout, seed: number): Promise<LogOutcome> {
  const random = makeRandom(seed * 7919);
  const count = MIN_HAZARDS + Math.floor(random() * MORE_HAZARDS);
  const sound = makeTrueHazards(seed, count, layout.scale);
  const faulty = new Set(sound.filter(() => random() < FAULTY).map(({ id }) => id));
  const written = sound.map((hazard) => (faulty.has(hazard.id) ? { ...hazard, risk: otherRisk(hazard.risk) } : hazard));
  const { bytes, fileName } = await layout.write(written);
  const log = await readLog(bytes, fileName);
  const differences = written.flatMap((hazard) => differenceOf(log, hazard, layout) ?? []);
  const ids = new Set(written.map(({ id }) => id));
  const found = new Set<string>();
  let wrong = 0;
  const findings = findFindings({ log, asOf: null, report: null });
  for (const { level, rule, hazardId, title } of findings) {
    if (level !== 'fix') continue;
    if (layout.isCheckable && rule === 'risk-differs-from-matrix' && hazardId && faulty.has(hazardId))
      found.add(hazardId);
    else if (!isOfFault(rule, hazardId, faulty)) {
      wrong += 1;
      differences.push(`to fix, and right: ${title}`);
    }
  }
  return {
    layout: layout.name,
    hazards: written.length,
    read: written.length - written.filter((hazard) => differenceOf(log, hazard, layout) !== null).length,
    invented: log.hazards.filter(({ id }) => !ids.has(id)).length,
    planted: layout.isCheckable ? faulty.size : 0,
    found: found.size,
    wrong,
    differences,
  };
}

const otherRisk = (risk: number) => (risk > 1 ? risk - 1 : risk + 1);

/** Further findings that a changed risk gives rise to, and what the layouts lack on purpose. */
const isOfFault = (rule: string, hazardId: string | null, faulty: ReadonlySet<string>) =>
  (hazardId !== null && faulty.has(hazardId)) ||
  // The ratings are drawn at random, so a residual risk may be one that is not acceptable.
  rule === 'residual-risk-unacceptable' ||
  // The layouts without residual ratings lack them.
  rule === 'missing-residual' ||
  rule === 'no-residual-columns';

/** What of a hazard was not read as it stands in the file; null where everything was. */
function differenceOf(log: ReadLog, hazard: TrueHazard, { name: layout }: Layout): string | null {
  const read = log.hazards.filter(({ id }) => id === hazard.id);
  const [own] = read;
  if (!own || read.length > 1) return `${layout}: ${hazard.id} was read ${read.length} times`;
  const ratingOf = (text: string | null) => (text ?? '').replace(/^\d+ - /, '');
  const isPriorityNumber = log.columnOf('initial_risk') !== null && own.initial.risk === hazard.risk * 3;
  const pairs: [string, unknown, unknown][] = [
    ['name', own.name, hazard.name],
    ['effect', own.clinicalImpact, hazard.effect],
    ['causes', own.causes.map(({ text }) => text).join('\n'), hazard.causes.join('\n')],
    ['severity', ratingOf(own.initial.severity), hazard.severity],
    ['likelihood', ratingOf(own.initial.likelihood), hazard.likelihood],
    ['risk', isPriorityNumber ? hazard.risk : own.initial.risk, hazard.risk],
    ['controls', own.controls.map(({ text }) => text).join('\n'), hazard.controls],
    ...(log.has('residual_risk')
      ? [['residual risk', own.residual.risk, hazard.residualRisk] as [string, unknown, unknown]]
      : []),
  ];
  const different = pairs.find(([, is, should]) => is !== should);
  return different ? `${layout}: ${different[0]} of ${hazard.id} is “${different[1]}”, not “${different[2]}”` : null;
}
