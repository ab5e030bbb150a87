// `npm run sample`: writes the sample's log as a file to look at, and as the bytes that the product offers.
import { writeFileSync } from 'node:fs';
import {
  buildSampleLog,
  buildSampleTickets,
  SAMPLE_LOG_NAME,
  SAMPLE_TICKETS_NAME,
} from '../../bot/agents/clinical_safety/sample/buildSample.ts';

const folder = new URL('../../bot/agents/clinical_safety/sample/', import.meta.url);
const log = await buildSampleLog();
writeFileSync(new URL(encodeURIComponent(SAMPLE_LOG_NAME), folder), log);
writeFileSync(new URL(encodeURIComponent(SAMPLE_TICKETS_NAME), folder), buildSampleTickets());
writeFileSync(
  new URL('sample.generated.json', folder),
  `${JSON.stringify({ base64: Buffer.from(log).toString('base64') })}\n`,
);
console.log(`${SAMPLE_LOG_NAME}: ${log.length} bytes`);
