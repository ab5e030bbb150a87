import { buildSampleTickets, SAMPLE_LOG_NAME, SAMPLE_TICKETS_NAME } from './buildSample.ts';
import log from './sample.generated.json' with { type: 'json' };

export type Sample = { log: { fileName: string; bytes: Uint8Array }; tickets: { fileName: string; bytes: Uint8Array } };

/** The product's own sample: a fictional e-prescribing product's log and tickets. Fresh bytes at every call. */
export async function readSample(): Promise<Sample> {
  return {
    // Kept ready made, so that offering the sample needs no spreadsheet library; a test holds it to what buildSample makes.
    log: { fileName: SAMPLE_LOG_NAME, bytes: new Uint8Array(Buffer.from(log.base64, 'base64')) },
    tickets: { fileName: SAMPLE_TICKETS_NAME, bytes: buildSampleTickets() },
  };
}
