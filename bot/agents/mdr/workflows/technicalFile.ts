import { attachmentOf } from '../../../../models/contracts/files.ts';
import { LIMITS } from '../../../../models/contracts/limits.ts';
import { findFile } from '../../../../models/files.ts';
import { linkToChat } from '../../../engine/delivery/consent.ts';
import { choicesIn } from '../../../engine/questions/kinds/choices.ts';
import { saysNotKnown } from '../../../engine/questions/notKnown.ts';
import { defineWorkflow, type StepContext, type StepResult } from '../../../engine/workflows/workflow.ts';
import { chooseDevice, findDevice, keepFacts, keepLatest } from '../facts/devices.ts';
import { CHOICE_FACTS, type DeviceFacts, factOf } from '../facts/facts.ts';
import { readFacts } from '../facts/readFacts.ts';
import { classify } from '../rules/classify.ts';
import { describeClass, describeReasoning } from '../rules/describe.ts';
import { TO_CHECK } from '../rules/editions.ts';
import { findContradiction } from '../rules/softwareSafety.ts';
import { describeDue } from '../surveillance/describeDue.ts';
import { askChanges, askMissing, askPoints, askProduct, describeUnread, nextPoints } from './factQuestions.ts';
import { contentOf, keepChecklist, keepDocument, type RunContent, readCompany } from './keepFiles.ts';
import { type FileState, fileState } from './state.ts';

const COST = LIMITS.credits.step;
/** The steps that cost credits: the reasoning, the checklist and the documentation. */
const PAID_STEPS = 3;

type Context = StepContext<FileState>;
type Result = Promise<StepResult<FileState>>;

/** The name of the tool that this work needs. */
export const MDR_TOOL = 'mdrtools';

/** From facts to a class with its reasons, a checklist of Annex I, and the documentation of Annex II and III. */
export const technicalFileWorkflow = defineWorkflow({
  name: 'mdr-technical-file',
  state: fileState,
  title: 'Draft the technical file',
  first: 'product',
  tool: MDR_TOOL,
  reserve: COST * PAID_STEPS,
  exclusive: {
    noun: 'technical file',
    replaced: 'The facts that were given are kept.',
    keeps: 'The facts that were given are kept.',
  },
  steps: {
    product: { label: 'Find the product', run: findProduct, brief: true },
    productGiven: { label: 'Read the facts', run: readProductAnswer },
    missing: { label: 'Ask for a needed fact', run: askForMissing, brief: true },
    points: { label: 'Find open facts', run: askOpenPoints, brief: true },
    pointsGiven: { label: 'Read the choices', run: readPointsAnswer },
    reason: { label: 'Reason the class', run: reason },
    checklist: { label: 'Write the checklist of Annex I', run: writeChecklistStep },
    document: { label: 'Write Annex II and III', run: writeDocumentStep },
    finish: { label: 'Put the results together', run: finish },
  },
});

/** The facts with those given, and the same kept under the product's name. */
async function withFacts(accountId: number, facts: DeviceFacts, given: DeviceFacts): Promise<DeviceFacts> {
  const name = factOf({ ...facts, ...given }, 'name');
  if (name === undefined) return { ...facts, ...given };
  // Facts of another product must not follow when an answer names this one.
  const isOther = given.name && facts.name && given.name.value.toLowerCase() !== facts.name.value.toLowerCase();
  return (await keepFacts(accountId, name, isOther ? given : { ...facts, ...given })).facts;
}

/** The first needed fact that is not known. */
const missingOf = (facts: DeviceFacts): 'name' | 'purpose' | null =>
  !facts.name ? 'name' : !facts.purpose ? 'purpose' : null;

async function findProduct({ run, state }: Context): Result {
  const { accountId } = run;
  const { facts: given } = readFacts(state.request);
  const named = given.name ? await findDevice(accountId, given.name.value) : null;
  const known = given.name ? named : await chooseDevice(accountId, state.request);
  if (!known && Object.keys(given).length === 0) {
    if (state.isScheduled) {
      const output =
        'I know no product yet, so there is no technical file to draft. Ask me for one in the chat: I’ll ask for the facts once.';
      return { done: { output }, cost: 0 };
    }
    return { ask: askProduct([]), next: 'productGiven', state: { asked: 'product' } };
  }
  const facts = await withFacts(accountId, known?.facts ?? {}, given);
  const missing = missingOf(facts);
  if (missing && state.isScheduled)
    return { done: { output: `The ${missing} of the product is missing. Tell me in the chat.` }, cost: 0 };
  if (missing) return { ask: askMissing(missing, facts), next: 'productGiven', state: { facts, asked: missing } };
  // Who has just told facts is not asked what changed.
  if (known && Object.keys(given).length === 0 && !state.isScheduled)
    return { ask: askChanges(known.name, facts), next: 'productGiven', state: { facts, asked: 'changes' } };
  return { next: 'points', state: { facts } };
}

const SAYS_NOTHING =
  /^(?:no(?:thing|ne)?|nothing (?:has )?(?:changed|new)|no changes?|unchanged|same|all the same)[\s.!]*$/i;

async function readProductAnswer({ run, state, answer }: Context): Result {
  const { userInput } = (await answer()).userResponse as { userInput: string };
  if (state.asked === 'changes' && SAYS_NOTHING.test(userInput)) return { next: 'points' };
  const { facts: read, unread } = readFacts(userInput, {
    asksPurpose: state.asked === 'product' || state.asked === 'purpose',
  });
  // The answer to "What is it called?" is the name, whatever it looks like, unless nobody knows it.
  const given: DeviceFacts =
    state.asked === 'name' && !read.name && !saysNotKnown(userInput)
      ? { ...read, name: { value: userInput.slice(0, 200).trim(), words: userInput.slice(0, 200) } }
      : read;
  const facts = await withFacts(run.accountId, state.facts, given);
  const missing = missingOf(facts);
  if (missing) return { next: 'missing', state: { facts, asked: missing, unread, isAgain: missing === state.asked } };
  return { next: 'points', state: { facts, unread } };
}

async function askForMissing({ state }: Context): Result {
  const fact = missingOf(state.facts);
  return fact ? { ask: askMissing(fact, state.facts, state.isAgain), next: 'productGiven' } : { next: 'points' };
}

async function askOpenPoints({ state }: Context): Result {
  const open = state.isScheduled ? null : nextPoints(state.facts, state.group);
  if (!open) return { next: 'reason' };
  return {
    ask: askPoints(open.points, open.group, state.unread),
    next: 'pointsGiven',
    state: { group: open.group, unread: [] },
  };
}

async function readPointsAnswer({ run, state, answer }: Context): Result {
  const made = choicesIn((await answer()).userResponse);
  const given: DeviceFacts = {};
  for (const { point, choice } of made) {
    const fact = CHOICE_FACTS.find((id) => id === point);
    if (fact && choice !== null) given[fact] = { value: choice, words: null };
  }
  const facts = await withFacts(run.accountId, state.facts, given);
  return { next: 'points', state: { facts, group: state.group + 1 } };
}

async function reason({ state: { facts, unread }, say }: Context): Result {
  const parts = describeReasoning(facts, classify(facts));
  const text = [
    `**${factOf(facts, 'name')}**${describeUnread(unread)}`,
    ...parts.flatMap(({ heading, lines }) => [`**${heading}**`, ...lines.map((line) => `• ${line}`)]),
  ].join('\n');
  const short = `The class is reasoned in writing. ${linkToChat()}`;
  await say({ key: 'reasoning', kind: 'text', text, derived: { redacted: short, reference: short } });
  return { next: 'checklist', cost: COST };
}

async function writeChecklistStep({ run, state, progress }: Context): Result {
  const documents = await readCompany(run.accountId, progress);
  const file = await keepChecklist(run, contentOf(state.facts, documents));
  return { next: 'document', state: { documents, files: [file.name] }, cost: COST };
}

/** What the checklist was made from: the documents are read once in a run. */
const contentIn = async ({ run, state, progress }: Context): Promise<RunContent> =>
  contentOf(state.facts, state.documents ?? (await readCompany(run.accountId, progress)));

async function writeDocumentStep(context: Context): Result {
  const { run, state } = context;
  const file = await keepDocument(run, await contentIn(context));
  return { next: 'finish', state: { files: [...state.files.slice(0, 1), file.name] }, cost: COST };
}

async function finish(context: Context): Result {
  const { run, state, say } = context;
  const content = await contentIn(context);
  const { classification, checklist, due, toWrite } = content;
  const name = factOf(state.facts, 'name') ?? 'the product';
  const { counts } = checklist;
  const contradiction = findContradiction(state.facts);
  const classes = [
    `EU ${classification.eu ? describeClass(classification.eu) : 'no device'}`,
    ...(classification.uk ? [`Great Britain ${describeClass(classification.uk)}`] : []),
    `IEC 62304 ${classification.software.class}`,
  ].join(', ');
  const text = [
    `Draft of the technical file of ${name}: ${classes}.`,
    `Annex I: ${counts.applies} of ${counts.all} numbers apply, ${counts.open} ${counts.open === 1 ? 'is' : 'are'} open; for ${counts.withGap} an expected document was not found. ${toWrite} passages of Annex II and III are marked for a person to write.`,
    ...(contradiction ? [contradiction] : []),
    ...due.map(describeDue),
    TO_CHECK,
  ].join('\n');
  const files = await Promise.all(state.files.map((one) => findFile({ name: one })));
  const short = `A draft of a technical file is ready: ${counts.applies} numbers of Annex I apply, ${counts.withGap} with a gap. ${linkToChat()}`;
  await keepLatest(run.accountId, name, {
    runId: run._id,
    at: new Date(),
    eu: classification.eu?.class ?? null,
    uk: classification.uk?.class ?? null,
    software: classification.software.class,
    files: state.files,
    counts: { ...counts, toWrite },
  });
  await say({
    key: 'finished',
    kind: 'text',
    text,
    attachments: files.map(attachmentOf),
    derived: { redacted: short, reference: short },
    card: {
      headline: `Technical file of ${name}, a draft`,
      figures: [
        { label: 'numbers that apply', value: String(counts.applies) },
        { label: 'with a gap', value: String(counts.withGap) },
        { label: 'passages to write', value: String(toWrite) },
      ],
      actions: files.map(({ name: file }, at) => ({
        label: at === 0 ? 'Download the checklist' : 'Download the documentation',
        action: 'download',
        value: file,
      })),
    },
  });
  return { done: { output: text } };
}
