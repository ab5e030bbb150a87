import { Types } from 'mongoose';
import { attachmentOf } from '../../../../models/contracts/files.ts';
import { LIMITS } from '../../../../models/contracts/limits.ts';
import { StoredFile } from '../../../../models/file.ts';
import { findFile, readFileBytes } from '../../../../models/files.ts';
import { dayOf } from '../../../engine/accounts/timeZone.ts';
import { linkToChat } from '../../../engine/delivery/consent.ts';
import { takesDocuments } from '../../../engine/documents/sandbox.ts';
import { FileError } from '../../../engine/files/fileError.ts';
import { runInThread } from '../../../engine/files/threads.ts';
import { choicesIn } from '../../../engine/questions/kinds/choices.ts';
import { makeRefusal } from '../../../engine/workflows/refusal.ts';
import { defineWorkflow, type StepContext, type StepResult } from '../../../engine/workflows/workflow.ts';
import type { Author } from '../control/writeControlled.ts';
import { readRequestValues } from '../rules/controlFields.ts';
import { sources } from '../source/sources.ts';
import type { Output, Request } from '../thread/work.ts';
import { describePlan, summarise } from './describePlan.ts';
import { findEarlier, keepControlled, noteState, saveControlled } from './keepControlled.ts';
import { askSpellings, toAsk } from './spellingQuestions.ts';
import { type ControlState, controlState } from './state.ts';

const COST = LIMITS.credits.step;
/** The steps that cost credits: reading and writing. */
const PAID_STEPS = 2;

type Context = StepContext<ControlState>;
type Result = Promise<StepResult<ControlState>>;

const { refuseBadFile } = makeRefusal('A document could not be used.', 'Nothing was written.');

/** From a rough document to a controlled one with every change tracked, saved as a draft after approval. */
export const controlWorkflow = defineWorkflow({
  name: 'control-document',
  state: controlState,
  title: 'Bring the document into controlled form',
  first: 'find',
  reserve: COST * PAID_STEPS,
  steps: {
    find: { label: 'Find the document', run: findDocument },
    given: { label: 'Read the answer', run: readGiven },
    read: { label: 'Read the document', run: readDocument },
    chosen: { label: 'Read the choices', run: readChoices },
    write: { label: 'Write the changes and check every fact', run: writeDocument },
    present: { label: 'Put the results together', run: present },
    decided: { label: 'Read the decision', run: readDecision },
  },
});

const UNNAMED =
  'Which document should I bring into controlled form? Write the name of one of your company’s documents, or paste its text.';

async function findDocument({ run, state, conversation }: Context): Result {
  const { accountId } = run;
  const source = await sources.findSource(state.request, { accountId, conversation, key: `${run._id}` });
  if (source && state.isScheduled && (await findEarlier(accountId, source.digest)))
    return { done: { output: `${source.originalName} has not changed since it was controlled.` }, cost: 0 };
  if (source)
    return {
      next: 'read',
      state: { source: { fileId: String(source._id), name: source.originalName }, isUnknown: false },
    };
  if (state.isScheduled)
    return {
      done: {
        output:
          'The schedule names no document of your company, so nothing was controlled. Add its name to the schedule’s text.',
      },
      cost: 0,
    };
  const description = await sources.describeSources(accountId);
  return {
    ask: {
      interruptType: 'input',
      prompt: state.isUnknown ? `None of your documents has that name. ${UNNAMED}` : UNNAMED,
      context: { step: 'document', ...(description ? { description } : {}) },
    },
    next: 'given',
  };
}

async function readGiven({ run, answer }: Context): Result {
  const { userInput } = (await answer()).userResponse as { userInput: string };
  if (!sources.isText(userInput)) return { next: 'find', state: { request: userInput, isUnknown: true } };
  const kept = await sources.keepText({ accountId: run.accountId, key: `${run._id}` }, userInput);
  return { next: 'read', state: { source: { fileId: String(kept._id), name: kept.originalName } } };
}

/** Has a thread plan the document, and write it where an author is given. @throws FileError */
async function workOn({ run, state, signal }: Context, author?: Author): Promise<Output & { digest: string }> {
  const { accountId } = run;
  const { fileId, name } = state.source ?? { fileId: '', name: '' };
  const row = await StoredFile.findOne({ _id: new Types.ObjectId(fileId), accountId }).lean();
  if (!row) throw new FileError('gone', `${name} is no longer here. Add it again and ask once more.`);
  const source = { name: row.originalName, bytes: await readFileBytes(row) };
  const given = { values: readRequestValues(sources.requestPart(state.request)), chosen: state.chosen };
  const input: Request = { job: author ? 'write' : 'plan', source, given, ...(author ? { author } : {}) };
  return { ...(await runInThread<Output>('professionaliser', { accountId, input, signal })), digest: row.digest };
}

function readDocument(context: Context): Result {
  return refuseBadFile(context, async () => {
    const { variants } = await workOn(context);
    const at = new Date().toISOString();
    const asked = context.state.isScheduled ? [] : toAsk(variants);
    if (asked.length > 0) return { ask: askSpellings(asked), next: 'chosen', state: { at }, cost: COST };
    return { next: 'write', state: { at }, cost: COST };
  });
}

async function readChoices({ answer }: Context): Result {
  const made = choicesIn((await answer()).userResponse);
  return { next: 'write', state: { chosen: Object.fromEntries(made.map(({ point, choice }) => [point, choice])) } };
}

function writeDocument(context: Context): Result {
  return refuseBadFile(context, async () => {
    const { run, state, agent, progress } = context;
    const at = state.at ?? new Date().toISOString();
    progress('Writing the changes and checking every fact', 0, 1);
    const author = { name: `${agent.displayName} (Arc)`, at, day: await dayOf(run.accountId, at) };
    const { written, digest } = await workOn(context, author);
    if (!written) throw new Error('A job with an author writes the document.');
    const { title, counts, bytes } = written;
    const source = { name: state.source?.name ?? '', digest };
    const file = await keepControlled(run, { title, bytes, counts, source });
    const described = { title, text: describePlan(written, counts), counts };
    return { next: 'present', state: { fileName: file.name, described }, cost: COST };
  });
}

const UNSAVED = `The sandbox workspace is not in use, so it is not saved among your documents; the download stays for ${LIMITS.retentionDays} days.`;

async function present(context: Context): Result {
  const { run, state, say } = context;
  const file = await findFile({ name: state.fileName ?? '' });
  const {
    title,
    text: told,
    counts,
  } = state.described ?? { title: '', text: '', counts: { changes: 0, open: 0, toFill: 0 } };
  const canSave = await takesDocuments(run.accountId);
  const text = canSave ? told : `${told}\n${UNSAVED}`;
  const short = `A controlled document is ready: ${summarise(counts)}. ${linkToChat()}`;
  await say({
    key: 'written',
    kind: 'text',
    text,
    attachments: [attachmentOf(file)],
    derived: { redacted: short, reference: short },
    card: {
      headline: `${title}, a draft`,
      figures: [
        { label: counts.changes === 1 ? 'kind of change' : 'kinds of change', value: String(counts.changes) },
        { label: counts.open === 1 ? 'open point' : 'open points', value: String(counts.open) },
        { label: 'to be filled', value: String(counts.toFill) },
      ],
      actions: [{ label: 'Download the document', action: 'download', value: file.name }],
    },
  });
  if (!canSave) {
    await noteState(run, 'not-saved');
    return { done: { output: `${title}: ${summarise(counts)}. ${UNSAVED}` } };
  }
  return {
    ask: {
      interruptType: 'approval',
      prompt: `Save “${title}” as a draft in your company’s documents?`,
      context: {
        step: 'save',
        description: `${file.name}: ${summarise(counts)}. Read it first: each change is tracked and can be accepted or rejected in Word. Approving saves the draft; it approves nothing that the document says.`,
      },
    },
    next: 'decided',
  };
}

async function readDecision({ run, state, answer, agent, say }: Context): Result {
  const { resolution } = await answer();
  const file = await findFile({ name: state.fileName ?? '' });
  const isApproved = resolution?.outcome === 'approved';
  const isSaved = isApproved && (await saveControlled(run, file, agent.displayName));
  await noteState(run, isSaved ? 'saved' : 'not-saved');
  const stays = `The download stays for ${LIMITS.retentionDays} days.`;
  const output = isSaved
    ? `Saved as a draft in your company’s documents: ${file.name}.`
    : isApproved
      ? `It could not be saved: the company’s documents are full or switched off. ${stays}`
      : `Not saved, as decided. ${stays}`;
  const short = isSaved ? 'The draft is saved.' : 'The draft was not saved.';
  await say({ key: 'decided', kind: 'text', text: output, derived: { redacted: short, reference: short } });
  return { done: { output } };
}
