import { runSample } from '../../../../models/contracts/clinical_safety/sampleResult.ts';
import type { AnswerOf } from '../../../../models/contracts/endpoint.ts';
import { digestOf } from '../../../../models/digest.ts';
import { defineCall } from '../../../engine/calls/call.ts';
import { readSample } from '../sample/readSample.ts';
import { analyse } from '../worker/pool.ts';
import { resultFigures } from '../workflows/completeAnalysis.ts';

type Sampled = AnswerOf<typeof runSample>;

const MAX_FINDINGS = 3;

async function analyseSample(): Promise<Sampled> {
  const { log, tickets } = await readSample();
  const [logDigest, ticketsDigest] = await Promise.all([digestOf(log.bytes), digestOf(tickets.bytes)]);
  const { existingHazards, findings, newHazards, analysisMetadata } = await analyse({
    log: { ...log, digest: logDigest },
    tickets: { ...tickets, digest: ticketsDigest },
  });
  return {
    logFileName: log.fileName,
    ticketsFileName: tickets.fileName,
    figures: resultFigures({ existingHazards, findings, newHazards, analysisMetadata }),
    findings: findings
      .filter(({ level }) => level === 'fix')
      .slice(0, MAX_FINDINGS)
      .map(({ id, title, hazardId, places }) => ({ id, title, hazardId, places })),
    findingCount: findings.length,
    hazards: existingHazards.map(({ id, name, initial, residual, rows }) => ({ id, name, initial, residual, rows })),
    matrix: analysisMetadata.log.matrix,
  };
}

let result: Promise<Sampled> | undefined;

/** The sample's result: the same for everybody, so it is analysed once in a process. A failure is not remembered. */
function sampleResult(): Promise<Sampled> {
  result ??= analyseSample().catch((error: unknown) => {
    result = undefined;
    throw error;
  });
  return result;
}

/** Shows visitors what an analysis gives. Nothing is stored. */
export const sampleCall = defineCall(runSample, () => sampleResult());
