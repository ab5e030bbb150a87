import { Types } from 'mongoose';
import { attachmentOf } from '../../../../models/contracts/files.ts';
import { LIMITS } from '../../../../models/contracts/limits.ts';
import { StoredFile } from '../../../../models/file.ts';
import { findFile } from '../../../../models/files.ts';
import { readTimeZone } from '../../../engine/accounts/timeZone.ts';
import { linkToChat } from '../../../engine/delivery/consent.ts';
import { readDocumentText } from '../../../engine/documents/documentText.ts';
import { countGaps } from '../../../engine/files/wordDocument.ts';
import { writeWord } from '../../../engine/files/writeWord.ts';
import { defineWorkflow, type StepContext, type StepResult } from '../../../engine/workflows/workflow.ts';
import { checkProcedure } from '../files/checkProcedure.ts';
import { composeProcedure } from '../files/procedure.ts';
import { writeWorkbook } from '../files/workbook.ts';
import { type Process, readProcess, rolesOf } from '../process/readProcess.ts';
import { sources } from '../process/sources.ts';
import { findRisks, type Risk } from '../risks/findRisks.ts';
import { describeProcedure, summarise } from './describe.ts';
import { findEarlier, keepFiles, noteProcedure } from './keepProcedure.ts';
import { type ProcedureState, procedureState } from './state.ts';

const COST = LIMITS.credits.step;
/** The steps that cost credits: reading and writing. */
const PAID_STEPS = 2;

type Context = StepContext<ProcedureState>;
type Result = Promise<StepResult<ProcedureState>>;

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

type Content = { process: Process; risks: Risk[]; title: string };

const STEM = /\.\w{2,4}$/;
const SUBJECT =
  /\b(?:sop|procedure|checklist|risk register|instruction)s? (?:for|on|about) (?:the |our |a )?([^\n.:]{3,80})/i;

/** What the description holds; null where it can't be read. */
async function contentOf({ run, state }: Context): Promise<Content | null> {
  const { fileId, name } = state.source ?? { fileId: '', name: '' };
  const row = await StoredFile.findOne({ _id: new Types.ObjectId(fileId), accountId: run.accountId }).lean();
  const text = row && (await readDocumentText(row));
  if (!text) return null;
  const process = readProcess(text);
  const isPasted = name === 'Pasted text.txt';
  const asked = SUBJECT.exec(sources.requestPart(state.request))?.[1]?.trim();
  const title = process.title ?? asked ?? (isPasted ? 'Process' : name.replace(STEM, ''));
  return { process, risks: findRisks(process), title };
}

async function refuse({ say }: Context, text: string): Result {
  const short = `A description could not be used. ${linkToChat()}`;
  await say({ key: 'refused', kind: 'refused', text, derived: { redacted: short, reference: short } });
  return { done: { output: text }, cost: 0 };
}

const UNREAD =
  'The description can’t be read, so nothing was written. Send Word (.docx), Markdown (.md) or text (.txt), or paste it.';
const NO_STEPS =
  'I found no step in the description, so nothing was written. Say who does what, a sentence for each step, or list the steps.';

/** Longer ones are no procedure that somebody follows, and take the server long to write. */
const MAX_STEPS = 500;

async function readDescription(context: Context): Result {
  const content = await contentOf(context);
  if (!content) return refuse(context, UNREAD);
  if (content.process.steps.length === 0) return refuse(context, NO_STEPS);
  const { length } = content.process.steps;
  if (length > MAX_STEPS)
    return refuse(
      context,
      `The description has ${length} steps, and a procedure can have ${MAX_STEPS}. Nothing was written: split the description and send the parts.`,
    );
  return { next: 'write', state: { at: new Date().toISOString() }, cost: COST };
}

async function writeFiles(context: Context): Result {
  const { run, state, progress } = context;
  const content = await contentOf(context);
  if (!content) return refuse(context, UNREAD);
  const { process, risks, title } = content;
  const timeZone = await readTimeZone(run.accountId);
  const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone }).format(
    new Date(state.at ?? Date.now()),
  );
  const base = { process, title, sourceName: state.source?.name ?? '', day };
  const composed = composeProcedure(base);
  progress('Writing the procedure', 0, 3);
  const document = await writeWord(composed);
  progress('Writing the checklist and the register', 1, 3);
  const workbook = await writeWorkbook({ ...base, risks });
  progress('Comparing them with the description', 2, 3);
  const problems = await checkProcedure(process, risks, { document, workbook });
  if (problems.length > 0)
    return refuse(context, `The check of the facts failed, so nothing is kept: ${problems.slice(0, 3).join(' ')}`);
  const files = (await keepFiles(run, title, { document, workbook })).map(({ name }) => name);
  const roles = rolesOf(process).length;
  const counts = { steps: process.steps.length, roles, risks: risks.length, toFill: countGaps(composed) };
  await noteProcedure({
    ...{ accountId: run.accountId, runId: run._id, title, files, counts },
    ...{ sourceName: base.sourceName, sourceDigest: state.source?.digest ?? '' },
  });
  const described = { title, text: describeProcedure(content, counts), counts };
  return { next: 'finish', state: { files, described }, cost: COST };
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
