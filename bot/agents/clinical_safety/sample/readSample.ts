import { buildSampleTickets, SAMPLE_LOG_NAME, SAMPLE_TICKETS_NAME } from './buildSample.ts';
import log from './sample.generated.json' with { type: 'json' };

export type Sample = { log: { fileName: string; bytes: Uint8Array }; tickets: { fileName: string; bytes: Uint8Array } };

/**
 * Reads the sample: a fictional e-prescribing product's log and tickets. Each call returns its own copy of the bytes.
 */
export async function readSample(): Promise<Sample> {
  return {
    // Pre-built, so that the sample needs no spreadsheet library; a test compares it with the output of buildSample.
    log: { fileName: SAMPLE_LOG_NAME, bytes: new Uint8Array(Buffer.from(log.base64, 'base64')) },
    tickets: { fileName: SAMPLE_TICKETS_NAME, bytes: buildSampleTickets() },
  };
}
