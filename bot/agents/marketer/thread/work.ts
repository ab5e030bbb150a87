import { requireSettledText, textOf } from '../../../engine/documents/documentText.ts';
import type { ThreadProgress } from '../../../engine/files/serveThread.ts';
import { countGaps } from '../../../engine/files/wordDocument.ts';
import { writeWord } from '../../../engine/files/writeWord.ts';
import { type Answers, readBrief } from '../brief/readBrief.ts';
import type { Given } from '../brief/sentences.ts';
import { checkClaims } from '../claims/checkClaims.ts';
import { checkCopy } from '../copy/checkCopy.ts';
import { composeCopy } from '../copy/composeCopy.ts';
import { type Publishable, publishableOf } from '../copy/publishable.ts';
import { composeDocument } from '../files/copyDocument.ts';
import { writeCopyText } from '../files/copyText.ts';
import { describeCampaign } from '../workflows/describe.ts';

/** What is asked of a thread: to read the documents, or to write the copy on a day such as "5 Jun 2026". */
export type Request = {
  documents: { name: string; bytes: Uint8Array }[];
  /** The words of the person. */
  request: string;
  answers: Answers;
  day: string | null;
  /** Who approved the copy, and when; null for a draft. */
  approval: { by: string; day: string } | null;
};

type Counts = { written: number; flagged: number; medical: number; toFill: number };

/** What was written; `problems` are empty where every sentence of the copy is one that was given. */
type Written = {
  text: string;
  counts: Counts;
  document: Uint8Array;
  copy: string;
  publishable: Publishable;
  problems: string[];
};

/** What the documents say of the product, with the copy where a day was given; null where no text could be read. */
export type Output = {
  product: string | null;
  audience: string | null;
  unread: string[];
  written: Written | null;
} | null;

const inOneLine = (text: string): string => text.replace(/[\s#•]+/g, ' ').trim();

/** Does one job. @throws FileError tracked_changes */
export async function work(
  { documents, request, answers, day, approval }: Request,
  report: (progress: ThreadProgress) => void,
): Promise<Output> {
  const given: Given[] = [];
  const unread: string[] = [];
  for (const { name, bytes } of documents) {
    requireSettledText(name, bytes);
    const text = await textOf(name, bytes);
    if (text) given.push({ name, text });
    else unread.push(name);
  }
  if (given.length === 0 || given[0]?.name !== documents[0]?.name) return null;
  const brief = readBrief(request, given, answers);
  const read = { product: brief.product?.value ?? null, audience: brief.audience?.value ?? null, unread };
  if (day === null || !brief.product) return { ...read, written: null };
  const checked = checkClaims(brief);
  const copy = composeCopy(brief, checked);
  const title = brief.product.value;
  const sources = given.map(({ name }) => name);
  report({ label: 'Writing the copy', done: 0, total: 2 });
  const composed = composeDocument({ brief, checked, copy, title, sources, day, approval });
  const document = await writeWord(composed);
  report({ label: 'Comparing it with the documents', done: 1, total: 2 });
  const told = [request, answers.product, answers.audience, ...given.map(({ text }) => text)].join('\n');
  const written = inOneLine((await textOf('a.docx', document)) ?? '');
  const problems = [
    ...checkCopy(copy, brief, checked, told),
    ...checked.flagged
      .filter(({ text }) => !written.includes(inOneLine(text)))
      .map(({ text }) => `“${text}” was left out, and the document does not say so.`),
  ];
  const counts: Counts = {
    written: checked.written.length,
    flagged: checked.flagged.length,
    medical: checked.flagged.filter(({ isMedical }) => isMedical).length,
    toFill: countGaps(composed),
  };
  const state = approval ? `Final, approved by ${approval.by}, ${approval.day}` : `Draft of ${day}, not approved`;
  return {
    ...read,
    written: {
      text: describeCampaign({ title, checked, copy, unread }, counts),
      counts,
      document,
      copy: writeCopyText(copy, title, state),
      publishable: publishableOf(copy),
      problems,
    },
  };
}
