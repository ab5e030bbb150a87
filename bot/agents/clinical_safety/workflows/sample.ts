import { attachmentOf, SHEET_TYPES } from '../../../../models/contracts/files.ts';
import { keepFile } from '../../../../models/files.ts';
import { setCurrentFiles } from '../../../engine/conversations/conversations.ts';
import type { StepContext, StepResult, Workflow } from '../../../engine/workflows/workflow.ts';
import { readSample } from '../sample/readSample.ts';
import { onlyReference } from './derived.ts';

/** Adds the sample log and its tickets to the conversation as if they had been uploaded. */
export const sampleWorkflow: Workflow = {
  name: 'clinical-safety-sample',
  title: null,
  first: 'load',
  reserve: 0,
  steps: { load: { label: 'Load the sample', run: loadSample } },
};

async function loadSample(context: StepContext): Promise<StepResult> {
  const { conversation, run } = context;
  if (!conversation) return { done: { output: '' } };
  const sample = await readSample();
  const keep = (part: 'log' | 'tickets') =>
    keepFile({
      accountId: run.accountId,
      name: sample[part].fileName,
      kind: part === 'log' ? 'hazard-log' : 'tickets',
      type: part === 'log' ? SHEET_TYPES.xlsx : 'text/csv',
      key: `sample:${conversation._id}:${part}`,
      bytes: sample[part].bytes,
    });
  const [log, tickets] = await Promise.all([keep('log'), keep('tickets')]);
  await setCurrentFiles(conversation, { [log.kind]: log._id, [tickets.kind]: tickets._id });
  const text =
    'Here is a sample: the hazard log of a made-up e-prescribing product, and its tickets. The log has planted faults, so there is something to find.';
  await context.say({
    key: 'sample',
    kind: 'upload',
    text,
    attachments: [attachmentOf(log), attachmentOf(tickets)],
    derived: onlyReference('Here is a sample: a made-up hazard log and its tickets.'),
    card: { actions: [{ label: 'Start the analysis', action: 'send', value: 'Analyse my hazard log' }] },
  });
  return { done: { output: text } };
}
