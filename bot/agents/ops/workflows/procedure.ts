import { Types } from 'mongoose';
import { attachmentOf } from '../../../../models/contracts/files.ts';
import { LIMITS } from '../../../../models/contracts/limits.ts';
import { StoredFile } from '../../../../models/file.ts';
import { findFile } from '../../../../models/files.ts';
import { dayOf } from '../../../engine/accounts/timeZone.ts';
import { linkToChat } from '../../../engine/delivery/consent.ts';
import { readStoredBytes } from '../../../engine/documents/storedText.ts';
import type { ThreadProgress } from '../../../engine/files/serveThread.ts';
import { runInThread } from '../../../engine/files/threads.ts';
import { makeRefusal } from '../../../engine/workflows/refusal.ts';
import { defineWorkflow, type StepContext, type StepResult } from '../../../engine/workflows/workflow.ts';
import { sources } from '../process/sources.ts';
import type { Output, Request } from '../thread/work.ts';
import { summarise } from './describe.ts';
import { findEarlier, keepFiles, noteProcedure } from './keepProcedure.ts';
import { type ProcedureState, procedureState } from './state.ts';

const COST = LIMITS.credits.step;
/** The steps that cost credits: reading and writing. */
const PAID_STEPS = 2;

type Context = StepContext<ProcedureState>;
type Result = Promise<StepResult<ProcedureState>>;

const { refuse, refuseBadFile } = makeRefusal('A description could not be used.', 'Nothing was written.');

/** From the description of a process to a procedure, a checklist and a risk register. */
export const procedureWorkflow = defineWorkflow({
  name: 'operating-procedure',
  state: procedureState,
  title: 'Write the procedure',
  first: 'find',
  reserve: COST * PAID_STEPS,
  steps: {
    find: { label: 'Find the description', run: findDescription },
    given: { label: 'Read the answer', run: readGiven },
    read: { label: 'Read steps, roles and records', run: readDescription },
    write: { label: 'Write the procedure, the checklist and the register', run: writeFiles },
    finish: { label: 'Put the results together', run: finish },
  },
});

const UNNAMED =
  'Which process should I write a procedure for? Describe it in a few sentences or a list of steps, or write the name of a document that does.';

async function findDescription({ run, state, conversation }: Context): Result {
  const { accountId } = run;
  const key = `${run._id}`;
  const found = state.isDescription
    ? await sources.keepText({ accountId, key }, state.request)
    : await sources.findSource(state.request, { accountId, conversation, key });
  if (found && state.isScheduled && (await findEarlier(accountId, found.digest)))
    return { done: { output: `${found.originalName} has not changed since its procedure was written.` }, cost: 0 };
  if (found) {
    const source = { fileId: String(found._id), name: found.originalName, digest: found.digest };
    return { next: 'read', state: { source, isUnknown: false } };
  }
  if (state.isScheduled) {
    const output =
      'The schedule names no document of your company, so no procedure was written. Add its name to the schedule’s text.';
    return { done: { output }, cost: 0 };
  }
  const description = await sources.describeSources(accountId);
  return {
    ask: {
      interruptType: 'input',
      prompt: state.isUnknown ? `None of your documents has that name. ${UNNAMED}` : UNNAMED,
      context: { step: 'description', ...(description ? { description } : {}) },
    },
    next: 'given',
  };
}

async function readGiven({ run, answer }: Context): Result {
  const { userInput } = (await answer()).userResponse as { userInput: string };
  // Two sentences are a description already, however short.
  const isDescription = sources.isText(userInput) || /[.!?]\s+\p{Lu}/u.test(userInput);
  if (!isDescription) return { next: 'find', state: { request: userInput, isUnknown: true } };
  const kept = await sources.keepText({ accountId: run.accountId, key: `${run._id}` }, userInput);
  return {
    next: 'read',
    state: { source: { fileId: String(kept._id), name: kept.originalName, digest: kept.digest } },
  };
}

const STEM = /\.\w{2,4}$/;
const SUBJECT =
  /\b(?:sop|procedure|checklist|risk register|instruction)s? (?:for|on|about) (?:the |our |a )?([^\n.:]{3,80})/i;

/** A long description is written for this long at most. */
const MILLISECONDS = 60_000;

/** Has a thread read the description, and write its procedure where a day is given. @throws FileError */
async function workOn({ run, state, signal, progress }: Context, day: string | null): Promise<Output> {
  const { accountId } = run;
  const { fileId, name } = state.source ?? { fileId: '', name: '' };
  const row = await StoredFile.findOne({ _id: new Types.ObjectId(fileId), accountId }).lean();
  const bytes = row && (await readStoredBytes(row));
  if (!bytes) return null;
  const isPasted = name === 'Pasted text.txt';
  const asked = SUBJECT.exec(sources.requestPart(state.request))?.[1]?.trim();
  const input: Request = { name, bytes, usualTitle: asked ?? (isPasted ? 'Process' : name.replace(STEM, '')), day };
  const job = {
    ...{ accountId, input, signal },
    onProgress: ({ label, done, total }: ThreadProgress) => progress(label, done, total),
  };
  return runInThread<Output>('ops', job, MILLISECONDS);
}

const UNREAD =
  'The description can’t be read, so nothing was written. Send Word (.docx), Markdown (.md) or text (.txt), or paste it.';
const NO_STEPS =
  'I found no step in the description, so nothing was written. Say who does what, a sentence for each step, or list the steps.';

/** Descriptions with more steps are refused: nobody follows a procedure of that length. */
const MAX_STEPS = 500;

function readDescription(context: Context): Result {
  return refuseBadFile(context, async () => {
    const read = await workOn(context, null);
    if (!read) return refuse(context, UNREAD);
    if (read.steps === 0) return refuse(context, NO_STEPS);
    if (read.steps > MAX_STEPS)
      return refuse(
        context,
        `The description has ${read.steps} steps, and a procedure can have ${MAX_STEPS}. Nothing was written: split the description and send the parts.`,
      );
    return { next: 'write', state: { at: new Date().toISOString() }, cost: COST };
  });
}

function writeFiles(context: Context): Result {
  return refuseBadFile(context, async () => {
    const { run, state } = context;
    const { accountId } = run;
    const day = await dayOf(accountId, new Date(state.at ?? Date.now()));
    const written = (await workOn(context, day))?.written;
    if (!written) return refuse(context, UNREAD);
    const { document, workbook, problems, ...described } = written;
    if (problems.length > 0)
      return refuse(context, `The check of the facts failed, so nothing is kept: ${problems.slice(0, 3).join(' ')}`);
    const { title, counts } = described;
    const files = (await keepFiles(run, title, { document, workbook })).map(({ name }) => name);
    const { name: sourceName = '', digest: sourceDigest = '' } = state.source ?? {};
    await noteProcedure({ accountId, runId: run._id, title, files, counts, sourceName, sourceDigest });
    return { next: 'finish', state: { files, described }, cost: COST };
  });
}

async function finish({ state, say }: Context): Result {
  const { title, text, counts } = state.described ?? {
    title: '',
    text: '',
    counts: { steps: 0, roles: 0, risks: 0, toFill: 0 },
  };
  const files = await Promise.all(state.files.map((name) => findFile({ name })));
  const short = `A procedure is ready: ${summarise(counts)}. ${linkToChat()}`;
  await say({
    key: 'finished',
    kind: 'text',
    text,
    attachments: files.map(attachmentOf),
    derived: { redacted: short, reference: short },
    card: {
      headline: `${title}, a draft`,
      figures: [
        { label: counts.steps === 1 ? 'step' : 'steps', value: String(counts.steps) },
        { label: counts.risks === 1 ? 'risk' : 'risks', value: String(counts.risks) },
        { label: 'to be filled', value: String(counts.toFill) },
      ],
      actions: files.map(({ name }, at) => ({
        label: at === 0 ? 'Download the procedure' : 'Download checklist and risks',
        action: 'download',
        value: name,
      })),
    },
  });
  return { done: { output: `${title}: ${summarise(counts)}.` } };
}
