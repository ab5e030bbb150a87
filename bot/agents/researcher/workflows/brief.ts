import { attachmentOf } from '../../../../models/contracts/files.ts';
import { LIMITS } from '../../../../models/contracts/limits.ts';
import type { ConversationRow } from '../../../../models/conversation.ts';
import { StoredFile } from '../../../../models/file.ts';
import { findFile } from '../../../../models/files.ts';
import { dayOf } from '../../../engine/accounts/timeZone.ts';
import { linkToChat } from '../../../engine/delivery/consent.ts';
import { lookUp } from '../../../engine/documents/documentIndex.ts';
import { readDocuments } from '../../../engine/documents/sandbox.ts';
import type { ReadDocument } from '../../../engine/documents/sentences.ts';
import { readDocumentText } from '../../../engine/documents/storedText.ts';
import { runInThread } from '../../../engine/files/threads.ts';
import { writeWord } from '../../../engine/files/writeWord.ts';
import { askedAgain, saysNotKnown } from '../../../engine/questions/notKnown.ts';
import { makeRefusal } from '../../../engine/workflows/refusal.ts';
import { defineWorkflow, type StepContext, type StepResult } from '../../../engine/workflows/workflow.ts';
import { composeBrief, describeBrief, type Origin } from '../brief/brief.ts';
import { subjectOf } from '../intents.ts';
import { namesSubject } from '../search/findPassages.ts';
import { chooseDocuments, statisticsOfIndex } from '../search/statistics.ts';
import { termsOf } from '../search/terms.ts';
import type { Output, Request } from '../thread/work.ts';
import { keepBrief, summarise } from './keepBrief.ts';
import { type BriefState, briefState } from './state.ts';

const COST = LIMITS.credits.step;

/** The kind under which uploads for this agent are kept. */
export const SOURCE_KIND = 'research-document';

type Context = StepContext<BriefState>;
type Result = Promise<StepResult<BriefState>>;

const { refuse, refuseBadFile } = makeRefusal('No brief was written.', 'No brief was written.');

/** From a question to a brief over the company's documents, every sentence quoted. */
export const briefWorkflow = defineWorkflow({
  name: 'research-brief',
  state: briefState,
  title: 'Write a brief over the documents',
  first: 'subject',
  reserve: COST,
  steps: {
    subject: { label: 'Read the question', run: readSubject },
    given: { label: 'Read the answer', run: readGiven },
    write: {
      label: 'Read the documents and write the brief',
      run: (context) => refuseBadFile(context, () => writeBrief(context)),
    },
    finish: { label: 'Put the results together', run: finish },
  },
});

const ASKS_SUBJECT = 'What should the brief be about? Name the subject in a few words, as your documents would.';

async function readSubject({ state }: Context): Result {
  if (namesSubject(state.question)) return { next: 'write', state: { at: new Date().toISOString() } };
  if (state.isScheduled)
    return {
      done: { output: 'The schedule has no question, so no brief was written. Add it to the schedule’s text.' },
      cost: 0,
    };
  return {
    ask: {
      interruptType: 'input',
      prompt: state.isAgain ? askedAgain(ASKS_SUBJECT) : ASKS_SUBJECT,
      context: { step: 'question', description: 'For example: rounding of doses in children' },
    },
    next: 'given',
  };
}

async function readGiven({ answer }: Context): Result {
  const { userInput } = (await answer()).userResponse as { userInput: string };
  return { next: 'subject', state: saysNotKnown(userInput) ? { isAgain: true } : { question: subjectOf(userInput) } };
}

/** What is searched for a question. Only documents that can hold a passage are read. */
type Searched = { input: Request; origins: Map<string, Origin> };

/** Looks the question up in the company's documents, and in those that were uploaded to the conversation, each name once. */
async function readFitting(
  accountId: number,
  question: string,
  conversation: ConversationRow | null,
  progress: Context['progress'],
): Promise<Searched> {
  const prefix = `upload:${conversation?._id}:${SOURCE_KIND}:`;
  const uploads = conversation
    ? await StoredFile.find({ accountId, kind: SOURCE_KIND, removed: false }).sort({ createdAt: -1 }).lean()
    : [];
  const files = [...uploads.filter(({ key }) => key.startsWith(prefix)), ...(await readDocuments(accountId))];
  const stems = termsOf(question).map(({ stem }) => stem);
  const indexed = await lookUp(accountId, files, stems);
  const fitting = chooseDocuments(question, indexed);
  const documents: ReadDocument[] = [];
  for (const [at, { row }] of fitting.entries()) {
    progress('Reading your documents', at, fitting.length);
    documents.push({ name: row.name, text: await readDocumentText(row) });
  }
  const origins = new Map(
    files.flatMap(({ name, source }) => (source?.url ? [[name, { url: source.url, tool: source.name }]] : [])),
  );
  return { input: { question, documents, statistics: statisticsOfIndex(indexed) }, origins };
}

const NO_DOCUMENTS =
  'Your company has no document that I can read, so no brief was written. Add Word, Excel, Markdown, CSV or text to the sandbox workspace, or drop a file into the chat with me.';

async function writeBrief(context: Context): Result {
  const { run, state, conversation, progress, signal } = context;
  const { accountId } = run;
  const { question } = state;
  const { input, origins } = await readFitting(accountId, question, conversation, progress);
  signal.throwIfAborted();
  if (input.statistics.read === 0) return refuse(context, NO_DOCUMENTS);
  // In a thread, as documents can be many and long.
  const { found, problems } = await runInThread<Output>('researcher', { accountId, input, signal });
  if (problems.length > 0)
    return refuse(context, `The check of the quotes failed, so nothing is kept: ${problems.slice(0, 3).join(' ')}`);
  const day = await dayOf(accountId, new Date(state.at ?? Date.now()));
  const counts = {
    quotes: found.passages.length,
    documents: new Set(found.passages.map(({ document }) => document)).size,
    read: found.read,
    missing: found.missing.length,
  };
  const bytes = await writeWord(composeBrief({ question, found, day, origins }));
  const file = await keepBrief(run, { question, bytes, counts });
  const described = { text: describeBrief({ question, found, origins }), counts };
  return { next: 'finish', state: { fileName: file.name, described }, cost: COST };
}

async function finish({ state, say }: Context): Result {
  const file = await findFile({ name: state.fileName ?? '' });
  const { text, counts } = state.described ?? { text: '', counts: { quotes: 0, documents: 0, read: 0, missing: 0 } };
  const short = `A brief is ready: ${summarise(counts)}. ${linkToChat()}`;
  await say({
    key: 'finished',
    kind: 'text',
    text,
    attachments: [attachmentOf(file)],
    derived: { redacted: short, reference: short },
    card: {
      headline: state.question,
      figures: [
        { label: counts.quotes === 1 ? 'quote' : 'quotes', value: String(counts.quotes) },
        { label: counts.documents === 1 ? 'document quoted' : 'documents quoted', value: String(counts.documents) },
        { label: 'read', value: String(counts.read) },
      ],
      actions: [{ label: 'Download the brief', action: 'download', value: file.name }],
    },
  });
  return { done: { output: `${state.question}: ${summarise(counts)}.` } };
}
