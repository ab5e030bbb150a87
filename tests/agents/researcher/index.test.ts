/** @environment store */
import { beforeEach, describe, expect, test } from '@jest/globals';
import sets from '../../../bot/agents/researcher/evaluation/cases.json' with { type: 'json' };
import { subjectOf } from '../../../bot/agents/researcher/intents.ts';
import { findPassages } from '../../../bot/agents/researcher/search/findPassages.ts';
import { chooseDocuments, statisticsOfIndex } from '../../../bot/agents/researcher/search/statistics.ts';
import { termsOf } from '../../../bot/agents/researcher/search/terms.ts';
import { indexDocuments, lookUp } from '../../../bot/engine/documents/documentIndex.ts';
import { readDocuments } from '../../../bot/engine/documents/sandbox.ts';
import type { ReadDocument } from '../../../bot/engine/documents/sentences.ts';
import { readDocumentText } from '../../../bot/engine/documents/storedText.ts';
import { DocumentWord } from '../../../models/documentWord.ts';
import { deleteFile, keepFile, removeExpiredFiles } from '../../../models/files.ts';
import { IndexedDocument } from '../../../models/indexedDocument.ts';
import { runInAccount } from '../../../models/store/context.ts';
import { connectTestStore, nextNumber } from '../../factories/account.ts';

connectTestStore();
let accountId = 0;
beforeEach(() => {
  accountId = nextNumber();
});

const inAccount = <T>(work: () => Promise<T>) => runInAccount(accountId, work);
const add = (name: string, text: string) =>
  inAccount(() =>
    keepFile({
      accountId,
      key: `document:${name}`,
      name,
      kind: 'document',
      type: 'text/plain',
      bytes: Buffer.from(text),
    }),
  );

/** Answers a question from the index. @returns what was found, and how many texts were read for it */
const answer = (question: string) =>
  inAccount(async () => {
    const stems = termsOf(question).map(({ stem }) => stem);
    const indexed = await lookUp(accountId, await readDocuments(accountId), stems);
    const texts = await Promise.all(
      chooseDocuments(question, indexed).map(async ({ row }) => ({
        name: row.name,
        text: await readDocumentText(row),
      })),
    );
    return { found: findPassages(question, texts, statisticsOfIndex(indexed)), texts: texts.length };
  });
/** Answers it by reading every text, as it was done before there was an index. */
const answerFromAll = (question: string) =>
  inAccount(async () => {
    const files = await readDocuments(accountId);
    const all = await Promise.all(files.map(async (row) => ({ name: row.name, text: await readDocumentText(row) })));
    return findPassages(question, all);
  });

describe('the index of documents', () => {
  test('answers every labelled question as all texts do, and reads fewer of them', async () => {
    const { documents, cases } = sets as unknown as { documents: ReadDocument[]; cases: { question: string }[] };
    for (const { name, text } of documents) await add(name, text ?? '');
    await add('Scan.pdf', '%PDF-1.7');
    let read = 0;
    for (const { question } of cases) {
      const { found, texts } = await answer(subjectOf(question));
      expect([question, found]).toEqual([question, await answerFromAll(subjectOf(question))]);
      read += texts;
    }
    const all = cases.length * (documents.length + 1);
    expect([read, all]).toEqual([34, 288]);
  }, 60_000);

  test('reads the two texts of a hundred that can answer', async () => {
    for (let at = 0; at < 98; at += 1) await add(`Note ${at}.md`, `# Note ${at}\n\nThe corridor is painted in spring.`);
    await add('Fridge.md', 'The fridge alarm rings at 8 degrees.');
    await add('Alarm.md', '# Fridge\n\nEvery alarm is answered by the ward.');
    const { found, texts } = await answer('fridge alarm');
    expect(texts).toBe(2);
    expect(found.read).toBe(100);
    expect(found.passages.map(({ document }) => document).sort()).toEqual(['Alarm.md', 'Fridge.md']);
    expect(found).toEqual(await answerFromAll('fridge alarm'));
    expect((await answer('corridor dragons')).texts).toBe(98);
    expect((await answer('dragons unicorns')).texts).toBe(0);
  }, 60_000);

  test('is built for what is new, and forgets what is deleted or expired', async () => {
    const index = () => inAccount(() => indexDocuments(accountId));
    const words = () => inAccount(() => DocumentWord.countDocuments({ accountId }));
    const first = await add('A.md', 'The fridge alarm rings.');
    await add('B.md', 'The guard closes the door.');
    expect(await index()).toBe(2);
    expect(await index()).toBe(0);
    await add('C.md', 'The guard walks at night.');
    expect(await index()).toBe(1);
    await inAccount(() => deleteFile(first));
    expect((await answer('fridge alarm')).found).toMatchObject({ passages: [], missing: ['fridge', 'alarm'], read: 2 });
    expect(await inAccount(() => IndexedDocument.countDocuments({ fileId: first._id }))).toBe(0);
    expect(await words()).toBe(9);
    const upload = await inAccount(() =>
      keepFile({
        ...{ accountId, key: 'upload', name: 'D.md', kind: 'research-document', type: 'text/plain' },
        bytes: Buffer.from('The guard sleeps at noon.'),
      }),
    );
    await inAccount(() => lookUp(accountId, [upload], ['guard']));
    expect(await words()).toBe(14);
    await inAccount(() => removeExpiredFiles(new Date(Date.now() + 100 * 86_400_000)));
    expect(await words()).toBe(9);
  });

  test('of one company knows nothing of another', async () => {
    await add('A.md', 'The fridge alarm rings.');
    await answer('fridge');
    accountId = nextNumber();
    await add('B.md', 'The guard closes the door.');
    expect((await answer('fridge')).found).toMatchObject({ passages: [], missing: ['fridge'], read: 1 });
  });

  test('is read again where its rules have changed', async () => {
    await add('A.md', 'The fridge alarm rings.');
    await answer('fridge');
    await inAccount(async () => {
      await IndexedDocument.updateMany({}, { $set: { version: 0 } });
      await DocumentWord.updateMany({}, { $set: { version: 0 } });
    });
    expect((await answer('fridge')).found.passages).toHaveLength(1);
    expect(await inAccount(() => DocumentWord.countDocuments({ version: 0 } as never))).toBe(0);
  });

  test('built twice at once holds each word once', async () => {
    await add('A.md', 'The fridge alarm rings.');
    await Promise.all([answer('fridge'), answer('alarm'), inAccount(() => indexDocuments(accountId))]);
    expect(await inAccount(() => DocumentWord.countDocuments({ accountId }))).toBe(4);
    expect((await answer('fridge alarm')).found.passages).toHaveLength(1);
  });
});
