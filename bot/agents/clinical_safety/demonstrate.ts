import { HazardAnalysis } from '../../../models/clinical_safety/hazardAnalysis.ts';
import { Interrupt } from '../../../models/interrupt.ts';
import type { Who } from '../../../models/policies/who.ts';
import type { RunRow } from '../../../models/run.ts';
import type { UserAgentRow } from '../../../models/userAgent.ts';
import { createJob } from '../../engine/automation/jobs.ts';
import { openChat } from '../../engine/conversations/threads.ts';
import { addDocument } from '../../engine/documents/sandbox.ts';
import { answerInterrupt } from '../../engine/interrupts/answerInterrupt.ts';
import { acceptFile } from '../../engine/turns/acceptFile.ts';
import { startWork } from '../../engine/turns/startWork.ts';
import { waitForRun } from '../../engine/workflows/waitForRun.ts';
import { beginWith } from '../../engine/workflows/workflow.ts';
import { readSample } from './sample/readSample.ts';
import { analyseWorkflow } from './workflows/analyse.ts';
import { mergeWorkflow } from './workflows/merge.ts';

const TIMEOUT_MS = 60_000;

const SAFETY_CASE = `# Quillmere Prescribing: clinical safety case, extract

Quillmere Prescribing lets a practice write, sign and send prescriptions. It is used by prescribers and by the people
who work with them. This extract names what the hazard log covers and what it leaves to the practice.

- In scope: choosing the patient, choosing the medicine, dose and instructions, signing, sending, cancelling.
- Out of scope: dispensing, stock, and the clinical content of the medicines database.
- Left to the practice: checking who the patient is, and reading the medicine back before signing.
`;

/** Polls until a value is there. @throws Error after TIMEOUT_MS */
async function pollUntil<T>(read: () => Promise<T | null>, description: string): Promise<T> {
  const deadline = Date.now() + TIMEOUT_MS;
  for (;;) {
    const value = await read();
    if (value) return value;
    if (Date.now() > deadline) throw new Error(`Timed out waiting for ${description}.`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/**
 * Fills a demonstration company: a document, a schedule, the sample analysed, reviewed and merged, and a second review
 * that stays open.
 * @throws Error where a step takes longer than a minute
 */
export async function demonstrate(who: Who, agent: UserAgentRow): Promise<void> {
  await addDocument(who, { fileName: 'Safety case, extract.md', bytes: new TextEncoder().encode(SAFETY_CASE) });
  await createJob(who, {
    name: 'Weekly check of the hazard log',
    actionType: 'hazard_log_analysis',
    prompt: '',
    cronExpression: '0 9 * * 1',
    enabled: true,
  });
  const conversation = await openChat(who);
  const { log, tickets } = await readSample();
  for (const file of [log, tickets]) await acceptFile(conversation, file);
  const analyse = (startKey: string) =>
    startWork(who, agent, startKey, beginWith(analyseWorkflow, 'Analyse my hazard log', {}));
  const waitForQuestion = async (runId: RunRow['_id']): Promise<number> => {
    const findPending = () => Interrupt.findOne({ runId, status: 'pending' }).lean();
    return (await pollUntil(findPending, 'a question of the analysis'))._id;
  };

  const first = await analyse('seed:1');
  await answerInterrupt(who, await waitForQuestion(first._id), { approved: true }, 'arc-chat');
  // Its possible matches stay open, and are asked again by the second analysis.
  await waitForQuestion(first._id);
  const analysis = await HazardAnalysis.findOne({ runId: first._id }).lean();
  if (!analysis) throw new Error('The run left no analysis.');
  const merging = beginWith(mergeWorkflow, 'Merge new lines into Hazard Log', { analysisId: analysis._id });
  const merge = await startWork(who, agent, 'seed:merge', merging);
  await waitForRun(merge._id, TIMEOUT_MS);
  const second = await analyse('seed:2');
  await waitForQuestion(second._id);
}
