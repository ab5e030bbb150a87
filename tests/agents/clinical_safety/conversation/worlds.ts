import { readSample } from '../../../../bot/agents/clinical_safety/sample/readSample.ts';
import { analyseLog } from '../../../../bot/agents/clinical_safety/worker/analyseLog.ts';
import type { AnalysisResult } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { digestOf } from '../../../factories/hazardLog.ts';
import type { Label } from './labels.ts';
import { makeMadeUpWorld } from './world.ts';

async function analyseSample(): Promise<AnalysisResult> {
  const { log, tickets } = await readSample();
  return analyseLog({
    log: { ...log, digest: digestOf(log.bytes) },
    tickets: { ...tickets, digest: digestOf(tickets.bytes) },
  });
}

/** The results that the labelled questions are about: the sample after its analysis, and the made-up log. */
export const readWorlds = async (): Promise<Record<Label['world'], AnalysisResult>> => ({
  sample: await analyseSample(),
  'made-up': makeMadeUpWorld(),
});
