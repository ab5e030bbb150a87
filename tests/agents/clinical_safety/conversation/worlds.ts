import { readSample } from '../../../../bot/agents/clinical_safety/sample/readSample.ts';
import { analyseLog } from '../../../../bot/agents/clinical_safety/worker/analyseLog.ts';
import type { AnalysisResult } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { digestOf } from '../../../factories/hazardLog.ts';
import type { Label } from './labels.ts';
import sampleTickets from './sampleTickets.generated.json' with { type: 'json' };
import { makeMadeUpWorld } from './world.ts';

/**
 * The result of the sample's analysis. Its verdicts, proposals and coverage are those of engine 1.6, which the labels
 * were written for: they measure how a question is answered, and must not move with the ranking of tickets.
 */
async function readSampleResult(): Promise<AnalysisResult> {
  const { log, tickets } = await readSample();
  const result = await analyseLog({
    log: { ...log, digest: digestOf(log.bytes) },
    tickets: { ...tickets, digest: digestOf(tickets.bytes) },
  });
  const { coverage, coverageScore, ...rest } = sampleTickets as unknown as Pick<
    AnalysisResult,
    'tickets' | 'newHazards'
  > &
    Pick<AnalysisResult['analysisMetadata'], 'coverage' | 'coverageScore'>;
  return { ...result, ...rest, analysisMetadata: { ...result.analysisMetadata, coverage, coverageScore } };
}

/** The results that the labelled questions are about: the sample after its analysis, and the made-up log. */
export const readWorlds = async (): Promise<Record<Label['world'], AnalysisResult>> => ({
  sample: await readSampleResult(),
  'made-up': makeMadeUpWorld(),
});
