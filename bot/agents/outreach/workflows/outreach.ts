import { AppError } from '../../../../models/contracts/errors.ts';
import { LIMITS } from '../../../../models/contracts/limits.ts';
import type { FileRow } from '../../../../models/file.ts';
import { FileError } from '../../../engine/files/fileError.ts';
import { askedAgain, saysNotKnown } from '../../../engine/questions/notKnown.ts';
import { makeRefusal } from '../../../engine/workflows/refusal.ts';
import { defineWorkflow, type StepResult } from '../../../engine/workflows/workflow.ts';
import { composeDraft, subjectOf, type Texts } from '../drafts/composeDrafts.ts';
import { readNames, TEXT_FIELDS } from '../drafts/fields.ts';
import { REASONS } from '../files/exportDrafts.ts';
import { describeContactTools, findContactTool, keepCrmList } from '../list/crmList.ts';
import type { Prospect } from '../list/readList.ts';
import { describeLists, findSources, keepList, pastedList, requestPart } from '../list/sources.ts';
import { keepOptOuts } from '../optOuts/keepOptOuts.ts';
import { DRAFT_REVIEW } from '../questions/draftReview.ts';
import { NOT_SENT, summarise } from './describe.ts';
import { findEarlier, noteDrafts } from './keepLists.ts';
import { type OutreachContext, readGiven, textsOf } from './readGiven.ts';
import { type OutreachState, outreachState } from './state.ts';
import { writeDecided } from './writeDecided.ts';

const COST = LIMITS.credits.step;
/** The steps that cost credits: reading and drafting. */
const PAID_STEPS = 2;
/** More drafts than that nobody reads one by one. */
const MAX_DRAFTS = 100;

type Result = Promise<StepResult<OutreachState>>;

const { refuse, refuseBadFile } = makeRefusal('Nothing was drafted.', 'Nothing was drafted.');

/** From a list of people to drafts that are approved one by one. Nothing is sent. */
export const outreachWorkflow = defineWorkflow({
  name: 'outreach-drafts',
  state: outreachState,
  title: 'Draft outreach',
  first: 'find',
  reserve: COST * PAID_STEPS,
  steps: {
    find: { label: 'Find the list and the opt-outs', run: findList },
    given: { label: 'Read the answer', run: readAnswer },
    texts: { label: 'See what the mails should say', run: askTexts },
    told: { label: 'Read the answer', run: readText },
    read: { label: 'Read the list and leave out who opted out', run: readPeople },
    column: { label: 'Read the chosen column', run: readColumn },
    names: { label: 'Read the names', run: readMissing },
    draft: { label: 'Write the drafts', run: draft },
    decided: { label: 'Write what was approved', run: writeDecided },
  },
});

const UNNAMED =
  'Which list should I draft outreach from? Write the name of a CSV or Excel file of your company, or paste the list with its head.';

const fileOf = ({ _id, originalName, digest }: FileRow) => ({ fileId: String(_id), name: originalName, digest });

/** The list of a connected tool, where the request means one; a refusal in words where it can't be read. */
async function readTool({ run, state }: OutreachContext, has: { list: FileRow | null; isUpload: boolean }) {
  const { accountId } = run;
  if (has.list && !has.isUpload) return null;
  const tool = await findContactTool(accountId, state.request, has.list === null && !state.isUnknown);
  if (!tool) return null;
  const list = await keepCrmList({ accountId, key: `${run._id}` }, tool, state.request).catch((error: unknown) => {
    if (error instanceof AppError || error instanceof FileError) return error;
    throw error;
  });
  return list instanceof Error ? { refusal: `${list.message} Nothing was drafted.` } : { list, tool: tool.id };
}

async function findList(context: OutreachContext): Result {
  const { run, state, conversation } = context;
  const { accountId } = run;
  const found = await findSources(state.request, { accountId, conversation, key: `${run._id}` });
  const read = await readTool(context, found);
  if (read && 'refusal' in read) return refuse(context, read.refusal ?? '');
  const list = read?.list ?? found.list;
  if (list && state.isScheduled && (await findEarlier(accountId, list.digest)))
    return { done: { output: `${list.originalName} has not changed since its drafts were written.` }, cost: 0 };
  if (list) {
    const from = read ? { tool: read.tool } : {};
    return {
      next: 'texts',
      state: { list: fileOf(list), optOutFiles: found.optOuts.map(fileOf), isUnknown: false, ...from },
    };
  }
  if (state.isScheduled)
    return {
      done: {
        output:
          'The schedule names no list of your company, so nothing was drafted. Add its name to the schedule’s text.',
      },
      cost: 0,
    };
  const described = [await describeLists(accountId), await describeContactTools(accountId)];
  const description = described.filter(Boolean).join('. ');
  return {
    ask: {
      interruptType: 'input',
      prompt: state.isUnknown ? `None of your lists has that name. ${UNNAMED}` : UNNAMED,
      context: { step: 'list', ...(description ? { description } : {}) },
    },
    next: 'given',
  };
}

async function readAnswer({ run, state, answer, conversation }: OutreachContext): Result {
  const { userInput } = (await answer()).userResponse as { userInput: string };
  const { accountId } = run;
  const pasted = pastedList(`\n${userInput}`);
  const request = `${requestPart(state.request)} ${pasted === null ? userInput : ''}`;
  if (pasted === null) return { next: 'find', state: { request, isUnknown: true } };
  const list = fileOf(await keepList({ accountId, key: `${run._id}` }, pasted));
  const { optOuts } = await findSources(request, { accountId, conversation, key: `${run._id}` });
  return { next: 'texts', state: { list, optOutFiles: optOuts.map(fileOf) } };
}

async function askTexts({ state }: OutreachContext): Result {
  const texts = textsOf(state);
  const missing = TEXT_FIELDS.find(({ name }) => !texts[name]);
  if (!missing) return { next: 'read' };
  if (state.isScheduled)
    return {
      done: {
        output: `The schedule does not say what the mails should say, so nothing was drafted. Add lines “Offer: …”, “Ask: …” and “From: …”.`,
      },
      cost: 0,
    };
  return {
    ask: {
      interruptType: 'input',
      prompt: state.isAgain ? askedAgain(missing.question) : missing.question,
      context: { step: missing.name },
    },
    next: 'told',
    state: { asked: missing.name },
  };
}

async function readText({ state, answer }: OutreachContext): Result {
  const { userInput } = (await answer()).userResponse as { userInput: string };
  if (!state.asked || saysNotKnown(userInput)) return { next: 'texts', state: { isAgain: true } };
  return { next: 'texts', state: { texts: { ...state.texts, [state.asked]: userInput }, isAgain: false } };
}

const MAX_COLUMNS_ASKED = 20;
const LISTED = 10;

function readPeople(context: OutreachContext): Result {
  return refuseBadFile(context, async () => {
    const { run, state } = context;
    const read = await readGiven(context);
    await keepOptOuts(run.accountId, read.optOuts);
    if (!read.prospects) {
      if (state.isScheduled || state.addressColumn)
        return refuse(context, 'No column of the list holds addresses, so nothing was drafted.');
      return {
        ask: {
          interruptType: 'decision',
          prompt: 'Which column of the list holds the addresses?',
          options: read.headings.slice(0, MAX_COLUMNS_ASKED),
          context: { step: 'column' },
        },
        next: 'column',
      };
    }
    const unnamed = read.prospects.filter(({ greeting }) => greeting === null);
    const at = state.at ?? new Date().toISOString();
    if (unnamed.length === 0 || state.isScheduled) return { next: 'draft', state: { at }, cost: COST };
    const rows = unnamed.slice(0, LISTED).map(({ row, address }) => `row ${row}, ${address}`);
    return {
      ask: {
        interruptType: 'input',
        prompt: `${unnamed.length} of ${read.prospects.length} people ${unnamed.length === 1 ? 'has' : 'have'} no name to greet by. Write names, one a line, as “${unnamed[0]?.address}: Jo”. Others are greeted with “Hello”; “leave out” gives them no draft.`,
        context: {
          step: 'names',
          description: `${rows.join('; ')}${unnamed.length > LISTED ? `; and ${unnamed.length - LISTED} more` : ''}`,
        },
      },
      next: 'names',
      state: { at },
      cost: COST,
    };
  });
}

async function readColumn({ answer }: OutreachContext): Result {
  const { selectedOption } = (await answer()).userResponse as { selectedOption: string };
  return { next: 'read', state: { addressColumn: selectedOption } };
}

function readMissing(context: OutreachContext): Result {
  return refuseBadFile(context, async () => {
    const { userInput } = (await context.answer()).userResponse as { userInput: string };
    const unnamed = ((await readGiven(context)).prospects ?? []).filter(({ greeting }) => greeting === null);
    const names = readNames(userInput, unnamed);
    const isLeftOut = /\bleave\b.*\bout\b/i.test(userInput);
    const out = unnamed.filter(({ row }) => isLeftOut && !names[row]);
    return {
      next: 'draft',
      state: {
        greetings: names,
        leftOut: out.map(({ row }) => ({ row, reason: 'no name to greet by, left out as decided' })),
      },
    };
  });
}

function draft(context: OutreachContext): Result {
  return refuseBadFile(context, async () => {
    const { run, state } = context;
    const { prospects, leftOut: unusable } = await readGiven(context);
    const decidedOut = new Set(state.leftOut.map(({ row }) => row));
    const people: Prospect[] = (prospects ?? [])
      .filter(({ row }) => !decidedOut.has(row))
      .map((one) => ({ ...one, greeting: state.greetings?.[one.row] ?? one.greeting }));
    const leftOut = [
      ...unusable.map(({ row, reason }) => ({ row, reason: REASONS[reason] })),
      ...state.leftOut.filter(({ row }) => !unusable.some((one) => one.row === row)),
    ].sort((one, other) => one.row - other.row);
    if (people.length === 0)
      return refuse(
        context,
        `Nobody of the list can be written to, so nothing was drafted: ${unusable.length} rows were left out.`,
      );
    if (people.length > MAX_DRAFTS)
      return refuse(
        context,
        `The list has ${people.length} people, and ${MAX_DRAFTS} drafts can be approved one by one. Split it. Nothing was drafted.`,
      );
    const texts = textsOf(state) as Texts;
    const drafts = people.map((one) => composeDraft(one, texts));
    const optedOut = unusable.filter(({ reason }) => reason === 'opted out').length;
    const counts = { drafts: drafts.length, optedOut, leftOut: leftOut.length - optedOut, approved: 0, rejected: 0 };
    const { name: sourceName = '', digest: sourceDigest = '' } = state.list ?? {};
    const title = subjectOf(texts);
    const row = { accountId: run.accountId, runId: run._id, title, sourceName, sourceDigest, files: [], counts };
    await noteDrafts({ ...row, state: 'waiting' });
    return {
      ask: {
        interruptType: DRAFT_REVIEW,
        prompt: `Which of these ${drafts.length === 1 ? 'drafts' : `${drafts.length} drafts`} may be used?`,
        context: { step: 'drafts', description: `${summarise(counts)}. ${NOT_SENT}`, rows: drafts },
      },
      next: 'decided',
      state: { counts, leftOut },
      cost: COST,
    };
  });
}
