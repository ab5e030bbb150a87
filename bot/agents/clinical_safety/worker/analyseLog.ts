import type { AnalysisResult } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { counted } from '../counted.ts';
import { ENGINE_VERSION, STANDARD } from '../engineVersion.ts';
import { findFindings } from '../findings/findFindings.ts';
import { readDay } from '../findings/readDay.ts';
import { readSafetyReport } from '../findings/safetyReport.ts';
import type { ReadLog } from '../reading/logModel.ts';
import { readLog } from '../reading/readLog.ts';
import { countCoverage, judgeTickets } from '../tickets/coverage.ts';
import { indexHazards } from '../tickets/hazardMatching.ts';
import { proposeHazards } from '../tickets/proposals.ts';
import { cleanTickets, readTickets } from '../tickets/readTickets.ts';
import { scoreTicket } from '../tickets/relevance.ts';
import type { AnalyseInput, Progress, ProgressStep } from './jobs.ts';

type Report = (progress: Progress) => void;

async function readAllTickets(input: AnalyseInput['tickets']) {
  if (!input) return { records: [], duplicates: 0, empty: 0, source: null, digest: null };
  if ('records' in input) return { ...cleanTickets(input.records), source: input.source, digest: input.digest };
  const { records, duplicates, empty } = await readTickets(input.bytes, input.fileName);
  return { records, duplicates, empty, source: input.fileName, digest: input.digest };
}

/** The latest review date in the log; null where it has none. */
function latestDay(log: ReadLog): string | null {
  const days = log.dataRows.flatMap((row) => readDay(log.text(row, 'review_date')) ?? []);
  return days.sort().at(-1) ?? null;
}

/**
 * Analyses a log: reads it, runs the rules, scores and matches the tickets, and proposes hazards. Deterministic.
 * @throws HazardFileError
 */
export async function analyseLog(input: AnalyseInput, report: Report = () => {}): Promise<AnalysisResult> {
  const step = (name: ProgressStep, label: string, done: number, total: number) =>
    report({ step: name, label, done, total });
  step('reading-log', `Reading ${input.log.fileName}`, 0, 1);
  const log = await readLog(input.log.bytes, input.log.fileName, input.settled);
  step('reading-tickets', input.tickets ? 'Reading the tickets' : 'No tickets added', 0, 1);
  const tickets = await readAllTickets(input.tickets);
  const hazards = counted(log.hazards.length, 'hazard');
  const given = counted(tickets.records.length, 'ticket');
  step('checking', `Checking ${hazards} against the rules`, 0, log.hazards.length);
  const findings = findFindings({
    log,
    asOf: input.asOf ?? latestDay(log),
    report: input.report ? readSafetyReport(input.report.text, input.report.fileName) : null,
  });
  const index = indexHazards(log.hazards, (done) =>
    step('checking', `Comparing ${hazards} with the knowledge base`, done, log.hazards.length),
  );
  const scored = tickets.records.map((ticket, at) => {
    step('scoring', `Scoring ${given}`, at, tickets.records.length);
    return scoreTicket(ticket);
  });
  const judged = judgeTickets(scored, index, input.decisions ?? [], (done) =>
    step('matching', `Matching ${given} with ${hazards}`, done, scored.length),
  );
  step('proposing', 'Proposing hazards that the log does not have', 0, 1);
  const newHazards = proposeHazards(judged, index);
  const verdicts = judged.map(({ verdict }) => verdict);
  const { coverage, coverageScore } = countCoverage(verdicts, newHazards);
  step('proposing', 'Done', 1, 1);
  return {
    existingHazards: log.hazards.map(
      (
        { rowNumbers: _rows, hasId: _hasId, textPlaces: _places, furtherIds: _ids, notInPlace: _apart, ...hazard },
        at,
      ) => ({
        ...hazard,
        kbIds: (index.rankings[at]?.top ?? []).map(({ entry }) => entry.id),
      }),
    ),
    newHazards,
    findings,
    tickets: verdicts,
    analysisMetadata: {
      coverageScore,
      coverage,
      jiraAnalysis: {
        ticketsAnalyzed: tickets.records.length,
        duplicates: tickets.duplicates,
        empty: tickets.empty,
        source: tickets.source,
      },
      modelUsed: false,
      log: { ...log.shape, unread: log.findUnread() },
      standard: STANDARD,
      engineVersion: ENGINE_VERSION,
      logDigest: input.log.digest,
      ticketsDigest: tickets.digest,
    },
  };
}
