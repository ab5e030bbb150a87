import { stampText } from '../../../../models/contracts/zonedText.ts';
import { countGaps } from '../../../engine/files/wordDocument.ts';
import { writeWord } from '../../../engine/files/writeWord.ts';
import type { HazardJobs } from '../worker/jobs.ts';
import type { ConcernedHazard } from './findConcerned.ts';
import { makeIncidentRecord } from './makeIncidentRecord.ts';

const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

const named = (hazards: readonly ConcernedHazard[]) => hazards.map(({ hazard: { id, name } }) => ({ id, name }));

/** Writes the record of an incident's first hour as a Word document, and sums up what it holds. */
export async function writeIncidentRecord(
  input: HazardJobs['writeIncidentRecord']['input'],
): Promise<HazardJobs['writeIncidentRecord']['output']> {
  const { document, facts, concerned } = makeIncidentRecord(input);
  return {
    bytes: await writeWord(document),
    fileName: `Incident record (draft), ${stampText(input.toldAt, input.timeZone).replace(':', '')}.docx`,
    contentType: DOCX,
    summary: {
      said: facts.filter(({ quotes }) => quotes.length > 0).length,
      points: facts.length,
      questions: facts.flatMap(({ quotes, question }) => (quotes.length > 0 ? [] : [question])),
      near: named(concerned.filter(({ isNear }) => isNear)),
      further: named(concerned.filter(({ isNear }) => !isNear)),
      gaps: countGaps(document),
    },
  };
}
