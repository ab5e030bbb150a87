/** @environment store */
import { beforeEach, describe, expect, test } from '@jest/globals';
import { Types } from 'mongoose';
import { currentTextFile, takeTextFiles } from '../../../bot/engine/agents/textFiles.ts';
import { findNamedDocuments } from '../../../bot/engine/documents/namedDocuments.ts';
import { FileError } from '../../../bot/engine/files/fileError.ts';
import { LIMITS } from '../../../models/contracts/limits.ts';
import { Conversation, type ConversationRow } from '../../../models/conversation.ts';
import { digestOf } from '../../../models/digest.ts';
import { StoredFile } from '../../../models/file.ts';
import { keepFile } from '../../../models/files.ts';
import { Message } from '../../../models/message.ts';
import { runInAccount } from '../../../models/store/context.ts';
import { codeOf, connectTestStore, nextNumber } from '../../factories/account.ts';
import { addConversation } from '../../factories/stepContext.ts';

connectTestStore();
let accountId = 0;
let conversation: ConversationRow;
const inAccount = <T>(work: () => Promise<T>) => runInAccount(accountId, work);
beforeEach(async () => {
  accountId = nextNumber();
  conversation = await inAccount(() => addConversation(accountId));
});

const files = takeTextFiles({
  agentId: 'professionaliser',
  kind: 'note',
  label: 'A note',
  async refuse({ bytes }) {
    if (bytes.byteLength === 1) throw new FileError('short', 'This note is too short.');
  },
  next: { text: 'Say “go”.', label: 'Go', words: 'go' },
});
const drop = async (fileName: string, text: string, key?: string) => {
  const bytes = Buffer.from(text);
  const given = { fileName, bytes, digest: await digestOf(bytes) };
  return inAccount(() => files.accept(conversation, given, key));
};
const said = () => inAccount(() => Message.find({ conversationId: conversation._id }).sort({ _id: 1 }).lean());
const current = () => inAccount(async () => Conversation.findById(conversation._id).lean());

describe('a document of text that is dropped', () => {
  test.each([
    ['a.docx', true],
    ['A.MD', true],
    ['a.txt', true],
    ['a.pdf', false],
    ['a.xlsx', false],
    ['docx', true],
    ['a', false],
  ])('is known by its name: %s', (fileName, isKnown) => {
    expect(files.knows({ fileName, bytes: Buffer.from('') })).toBe(isKnown);
  });

  test('is kept as the current one, and the reply says what is next; a repeated drop says it once', async () => {
    await drop('one.md', 'first', 'd1');
    await drop('one.md', 'first', 'd1');
    const { file, seen } = await drop('two.md', 'second', 'd2');
    expect(seen).toEqual({ kind: 'note', fileName: 'two.md', rowCount: 0 });
    expect((await current())?.files).toEqual({ note: file._id });
    expect(await inAccount(async () => files.ready((await current()) as ConversationRow))).toEqual({ note: file._id });
    const messages = await said();
    expect(messages.map(({ text }) => text)).toEqual([
      'one.md',
      'one.md is here. Say “go”.',
      'two.md',
      'two.md is here. Say “go”.',
    ]);
    expect(messages[1]).toMatchObject({
      agentId: 'professionaliser',
      card: { actions: [{ label: 'Go', action: 'send', value: 'go' }] },
      derived: { reference: 'A note. Say “go”.' },
    });
  });

  test('that can’t be used is told in the chat, and nothing is kept', async () => {
    expect(await codeOf(drop('one.md', 'x', 'd1'))).toBe('invalid_file');
    expect((await said()).map(({ kind, text }) => [kind, text])).toEqual([
      ['upload', 'one.md'],
      ['refused', 'This note is too short.'],
    ]);
    expect(await inAccount(() => StoredFile.countDocuments({}))).toBe(0);
    expect(await inAccount(() => files.ready(conversation))).toEqual({});
    expect((await said()).at(-1)?.derived?.redacted).toContain('Drop in another one (.docx, .md or .txt), or');
  });

  test('finds no room where the account keeps as much as it may, unless it is there already', async () => {
    const { file } = await drop('one.md', 'first');
    const size = LIMITS.uploads.bytes - 1;
    await inAccount(() => StoredFile.updateOne({ _id: file._id }, { $set: { size } }));
    expect(await codeOf(drop('two.md', '22'))).toBe('uploads_full');
    expect((await drop('one.md', 'first')).file._id).toEqual(file._id);
    await inAccount(() => StoredFile.updateOne({ _id: file._id }, { $set: { size: size - 1 } }));
    expect((await drop('two.md', '22')).file.originalName).toBe('two.md');
  });

  test('in the chat counts for its threads, which may have one of their own', async () => {
    const [chat, own] = [new Types.ObjectId(), new Types.ObjectId()];
    const place = await inAccount(() => addConversation(accountId, { files: { note: chat } }));
    const find = (thread: object) =>
      inAccount(() => currentTextFile({ files: {}, placeId: place._id, direct: true, ...thread }, 'note'));
    expect(await find({})).toEqual(chat);
    expect(await find({ files: { note: own } })).toEqual(own);
    expect(await find({ direct: false })).toBeUndefined();
  });
});

describe('the documents that a text names', () => {
  const add = (name: string, by = accountId) =>
    runInAccount(by, () =>
      keepFile({
        accountId: by,
        key: `document:${name}`,
        name,
        kind: 'document',
        type: 'text/plain',
        bytes: Buffer.from(name),
      }),
    );
  const named = (text: string) =>
    inAccount(async () => (await findNamedDocuments(accountId, text)).map(({ originalName }) => originalName));

  test('are found with or without the ending, the longest name first, of this account only', async () => {
    for (const name of ['Drug round.md', 'Drug round of the ward.docx', 'Log.txt']) await add(name);
    await add('Fire drill.md', nextNumber());
    expect(await named('control the drug_round')).toEqual(['Drug round.md']);
    expect(await named('control Drug Round.md, please')).toEqual(['Drug round.md']);
    expect(await named('Drug round of the ward')).toEqual(['Drug round of the ward.docx']);
    // One word is an ordinary one: its document is meant by its whole name.
    expect(await named('write a log')).toEqual([]);
    expect(await named('use log.txt')).toEqual(['Log.txt']);
    expect(await named('the drug rounds and the fire drill')).toEqual([]);
  });
});
