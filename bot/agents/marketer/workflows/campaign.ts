import { attachmentOf } from '../../../../models/contracts/files.ts';
import { LIMITS } from '../../../../models/contracts/limits.ts';
import type { FileRow } from '../../../../models/file.ts';
import { findFile } from '../../../../models/files.ts';
import { dayOf } from '../../../engine/accounts/timeZone.ts';
import { linkToChat } from '../../../engine/delivery/consent.ts';
import { findNamedDocuments } from '../../../engine/documents/namedDocuments.ts';
import { askedAgain, saysNotKnown } from '../../../engine/questions/notKnown.ts';
import { makeRefusal } from '../../../engine/workflows/refusal.ts';
import { defineWorkflow, type StepResult } from '../../../engine/workflows/workflow.ts';
import { isReadable, sources } from '../source/sources.ts';
import { summarise } from './describe.ts';
import { findEarlier, keepFiles, noteCampaign, noteState } from './keepCampaign.ts';
import { saveCopy } from './saveCopy.ts';
import { type CampaignState, campaignState } from './state.ts';
import { type CampaignContext, workOn } from './workOn.ts';

const COST = LIMITS.credits.step;
/** The steps that cost credits: reading and writing. */
const PAID_STEPS = 2;

type Context = CampaignContext;
type Result = Promise<StepResult<CampaignState>>;

const { refuse, refuseBadFile } = makeRefusal('No copy could be written.', 'Nothing was written.');

/** From documents about a product to positioning, copy and an A/B plan; final after an approval. */
export const campaignWorkflow = defineWorkflow({
  name: 'product-copy',
  state: campaignState,
  title: 'Write positioning and copy',
  first: 'find',
  reserve: COST * PAID_STEPS,
  steps: {
    find: { label: 'Find the documents', run: findSources },
    given: { label: 'Read the answer', run: readGiven },
    read: { label: 'Read what they say of the product', run: readSources },
    product: { label: 'Read the product’s name', run: readProduct },
    audience: { label: 'Read for whom it is', run: readAudience },
    write: { label: 'Check the claims and write the copy', run: writeDraft },
    present: { label: 'Put the results together', run: present },
    decided: { label: 'Read the decision', run: readDecision },
  },
});

const UNNAMED =
  'What should I write copy from? Paste a text about your product, or write the name of a document of your company.';
/** Documents of evidence beside the source. */
const MAX_EVIDENCE = 5;

const fileOf = ({ _id, originalName, digest }: FileRow) => ({ fileId: String(_id), name: originalName, digest });

/** The documents that a request names, in its order: the first is the source, the others give evidence. */
async function namedInOrder(accountId: number, request: string): Promise<FileRow[]> {
  const words = request.toLowerCase();
  const place = ({ originalName }: FileRow) => words.indexOf(originalName.toLowerCase().replace(/\.\w{2,4}$/, ''));
  const named = (await findNamedDocuments(accountId, request)).filter(({ originalName }) => isReadable(originalName));
  return named.sort((one, other) => place(one) - place(other));
}

async function findSources({ run, state, conversation }: Context): Result {
  const { accountId } = run;
  const key = `${run._id}`;
  const named = await namedInOrder(accountId, sources.requestPart(state.request));
  const isPasted = sources.pastedText(state.request) !== null;
  const found =
    (isPasted ? undefined : named[0]) ?? (await sources.findSource(state.request, { accountId, conversation, key }));
  if (found && state.isScheduled && (await findEarlier(accountId, found.digest)))
    return { done: { output: `${found.originalName} has not changed since its copy was written.` }, cost: 0 };
  if (found) {
    const evidence = named.filter(({ _id }) => !_id.equals(found._id));
    return {
      next: 'read',
      state: { documents: [found, ...evidence.slice(0, MAX_EVIDENCE)].map(fileOf), isUnknown: false },
    };
  }
  if (state.isScheduled) {
    const output =
      'The schedule names no document of your company, so no copy was written. Add its name to the schedule’s text.';
    return { done: { output }, cost: 0 };
  }
  const description = await sources.describeSources(accountId);
  return {
    ask: {
      interruptType: 'input',
      prompt: state.isUnknown ? `None of your documents has that name. ${UNNAMED}` : UNNAMED,
      context: { step: 'source', ...(description ? { description } : {}) },
    },
    next: 'given',
  };
}

async function readGiven({ run, answer }: Context): Result {
  const { userInput } = (await answer()).userResponse as { userInput: string };
  // Two sentences are a text already, however short.
  const isText = sources.isText(userInput) || /[.!?]\s+\p{Lu}/u.test(userInput);
  if (!isText) return { next: 'find', state: { request: userInput, isUnknown: true } };
  const kept = await sources.keepText({ accountId: run.accountId, key: `${run._id}` }, userInput);
  return { next: 'read', state: { documents: [fileOf(kept)] } };
}

const UNREAD =
  'The text can’t be read, so nothing was written. Send Word (.docx), Markdown (.md) or text (.txt), or paste it.';

const ASKS_PRODUCT = 'What is the product called? The text does not say it.';

const ask = (step: 'product' | 'audience', prompt: string) => ({
  ask: { interruptType: 'input' as const, prompt, context: { step } },
  next: step,
});

function readSources(context: Context): Result {
  return refuseBadFile(context, async () => {
    const { state } = context;
    const read = await workOn(context, { day: null });
    if (!read) return refuse(context, UNREAD);
    if (!read.product) {
      if (state.isScheduled)
        return refuse(
          context,
          'The text does not say what the product is called, so nothing was written. Add a line “Product: …”.',
        );
      return ask('product', state.isAgain ? askedAgain(ASKS_PRODUCT) : ASKS_PRODUCT);
    }
    const at = state.at ?? new Date().toISOString();
    if (!read.audience && !state.isAudienceAsked && !state.isScheduled)
      return {
        ...ask(
          'audience',
          `For whom is ${read.product}? Say it as it should stand in the copy, for example “ward nurses”.`,
        ),
        state: { at, isAudienceAsked: true },
        cost: COST,
      };
    return { next: 'write', state: { at }, cost: COST };
  });
}

async function readProduct({ answer }: Context): Result {
  const { userInput } = (await answer()).userResponse as { userInput: string };
  return { next: 'read', state: saysNotKnown(userInput) ? { isAgain: true } : { product: userInput } };
}

async function readAudience({ answer }: Context): Result {
  const { userInput } = (await answer()).userResponse as { userInput: string };
  // Without an audience its places are left for a person.
  return { next: 'write', state: saysNotKnown(userInput) ? {} : { audience: userInput } };
}

const fault = (problems: readonly string[]): string =>
  `The check of the facts failed, so nothing is kept: ${problems.slice(0, 3).join(' ')}`;

function writeDraft(context: Context): Result {
  return refuseBadFile(context, async () => {
    const { run, state } = context;
    const { accountId } = run;
    const read = await workOn(context, { day: await dayOf(accountId, new Date(state.at ?? Date.now())) });
    if (!read?.written || !read.product) return refuse(context, UNREAD);
    const { document, copy, problems, text, counts } = read.written;
    if (problems.length > 0) return refuse(context, fault(problems));
    const title = read.product;
    const files = (await keepFiles(run, 'draft', { title, document, copy })).map(({ name }) => name);
    const { name: sourceName = '', digest: sourceDigest = '' } = state.documents[0] ?? {};
    const row = { accountId, runId: run._id, title, files, counts, sourceName, sourceDigest };
    await noteCampaign({ ...row, state: counts.written > 0 ? 'waiting' : 'draft' });
    return { next: 'present', state: { files, described: { title, text, counts } }, cost: COST };
  });
}

async function present({ run, state, say }: Context): Result {
  const { title, text, counts } = state.described ?? {
    ...{ title: '', text: '', counts: { written: 0, flagged: 0, medical: 0, toFill: 0 } },
  };
  const files = await Promise.all(state.files.map((name) => findFile({ name })));
  const short = `Copy is ready: ${summarise(counts)}. ${linkToChat()}`;
  await say({
    key: 'written',
    kind: 'text',
    text,
    attachments: files.map(attachmentOf),
    derived: { redacted: short, reference: short },
    card: {
      headline: `${title}, a draft`,
      figures: [
        { label: counts.written === 1 ? 'sentence' : 'sentences', value: String(counts.written) },
        { label: 'left out', value: String(counts.flagged) },
        { label: 'to be filled', value: String(counts.toFill) },
      ],
      actions: files.map(({ name }, at) => ({
        label: at === 0 ? 'Download the document' : 'Download the text',
        action: 'download',
        value: name,
      })),
    },
  });
  const output = `${title}: ${summarise(counts)}.`;
  if (counts.written === 0)
    return { done: { output: `${output} Nothing may be used, so there is nothing to approve.` } };
  if (state.isScheduled) {
    await noteState(run, { state: 'draft' });
    return { done: { output } };
  }
  return {
    ask: {
      interruptType: 'approval',
      prompt: `Is this the final copy of “${title}”?`,
      context: {
        step: 'final',
        description: `${state.files[0]}: ${summarise(counts)}. Read it first. Approving names you as the one who approved it; it publishes nothing, and claims that were left out stay out.`,
      },
    },
    next: 'decided',
  };
}

function readDecision(context: Context): Result {
  return refuseBadFile(context, async () => {
    const { run, state, answer, say } = context;
    const { resolution } = await answer();
    const title = state.described?.title ?? '';
    if (resolution?.outcome !== 'approved') {
      await noteState(run, { state: 'draft' });
      const reason = resolution?.reason?.trim();
      const output = `The copy of ${title} stays a draft${reason ? `: ${reason}` : ''}. Change the document or the request and ask again.`;
      const short = 'The copy stays a draft.';
      await say({ key: 'decided', kind: 'text', text: output, derived: { redacted: short, reference: short } });
      return { done: { output } };
    }
    const day = await dayOf(run.accountId, new Date(state.at ?? Date.now()));
    const approval = { by: resolution.by.name, day: await dayOf(run.accountId, resolution.at) };
    const written = (await workOn(context, { day, approval }))?.written;
    if (!written) return refuse(context, UNREAD);
    if (written.problems.length > 0) return refuse(context, fault(written.problems));
    const files = await keepFiles(run, 'final', { title, ...written });
    await noteState(run, { state: 'final', files: files.map(({ name }) => name) });
    const [document] = files;
    const places = document
      ? await saveCopy(run, { ...written, title, fileName: document.originalName, type: document.type })
      : [];
    const told = `The copy of ${title} is final, approved by ${approval.by}. Nothing was published.`;
    const output = [told, ...places].join('\n');
    const short = 'The copy is final.';
    await say({
      key: 'decided',
      kind: 'text',
      text: output,
      attachments: files.map(attachmentOf),
      derived: { redacted: short, reference: short },
    });
    return { done: { output } };
  });
}
