import { describe, expect, test } from '@jest/globals';
import ExcelJS from 'exceljs';
import { composeDraft, subjectOf } from '../../../bot/agents/outreach/drafts/composeDrafts.ts';
import { readNames, readTexts } from '../../../bot/agents/outreach/drafts/fields.ts';
import { writeCsv, writeWorkbook } from '../../../bot/agents/outreach/files/exportDrafts.ts';
import { asksFor, readIntent } from '../../../bot/agents/outreach/intents.ts';
import { decodeText, readCsv } from '../../../bot/agents/outreach/list/readCsv.ts';
import { findColumns } from '../../../bot/agents/outreach/list/readList.ts';
import { pastedList, requestPart } from '../../../bot/agents/outreach/list/sources.ts';
import { makeOptOutCheck, readAddress, readOptOut } from '../../../bot/agents/outreach/optOuts/address.ts';
import { isOptOutName, optOutsIn } from '../../../bot/agents/outreach/optOuts/readOptOuts.ts';
import { type ListOutput, work } from '../../../bot/agents/outreach/thread/work.ts';
import { makeEntry, readZipDirectory, writeZip } from '../../../bot/engine/files/zipArchive.ts';
import { workbookOf } from './workbooks.ts';

describe('an opt-out', () => {
  const isOut = (optOut: string, address: string) =>
    makeOptOutCheck([readOptOut(optOut)].flatMap((one) => one ?? []))(readAddress(address) ?? '');

  test.each([
    ['jo@a.example', 'jo@a.example', true],
    ['JO@A.EXAMPLE', 'jo@a.example', true],
    ['jo@a.example', 'Jo@A.Example', true],
    ['jo@a.example', 'jo+rota@a.example', true],
    ['jo+news@a.example', 'jo@a.example', true],
    ['jo+news@a.example', 'jo+rota@a.example', true],
    ['Jo Lind <jo@a.example>', 'mailto:jo@a.example', true],
    ['jo＠a.example', 'jo@a.example', true],
    ['jo@a.example.', 'jo@a.example', true],
    ['j.o@gmail.com', 'jo+x@googlemail.com', true],
    ['j.o@a.example', 'jo@a.example', false],
    ['@a.example', 'jo@a.example', true],
    ['a.example', 'bo@a.example', true],
    ['*@a.example', 'bo@mail.a.example', true],
    ['*.a.example', 'bo@a.example', true],
    ['@A.Example', 'bo@a.example', true],
    ['@a.example', 'bo@data.example', false],
    ['@mail.a.example', 'bo@a.example', false],
    ['@bücher.example', 'bo@xn--bcher-kva.example', true],
    ['jo@a.example', 'joan@a.example', false],
    ['jo@a.example', 'jo@b.example', false],
  ])('of %s holds for %s: %s', (optOut, address, holds) => {
    expect(isOut(optOut, address)).toBe(holds);
  });

  test('is read from any cell of a list of opt-outs, also between words', () => {
    const rows = readCsv('Who,When\n"Lind, JO@a.example",2025\n@b.example,2025\nno address here,e.g. this\n');
    expect(optOutsIn(rows)).toEqual([
      { kind: 'person', value: 'jo@a.example' },
      { kind: 'domain', value: 'b.example' },
    ]);
  });

  test.each([
    ['Unsubscribed.csv', true],
    ['Opt-outs 2025.xlsx', true],
    ['do_not_contact.txt', true],
    ['Suppression list.csv', true],
    ['Leads.csv', false],
    ['Optician outlets.csv', false],
  ])('is in a document called %s: %s', (name, is) => {
    expect(isOptOutName(name)).toBe(is);
  });
});

describe('a list', () => {
  test.each([
    [
      'a,b\n"x, ""y""",2\n',
      [
        ['a', 'b'],
        ['x, "y"', '2'],
      ],
    ],
    [
      'a;b\r\n1;2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'sep=|\na|b\n1|2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      '\uFEFFa\tb\n"1\n2"\t3',
      [
        ['a', 'b'],
        ['1\n2', '3'],
      ],
    ],
    [
      'a,b\n,\n\n1,2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
  ])('is read from %j', (text, rows) => {
    expect(readCsv(text)).toEqual(rows);
  });

  test('is decoded from what Excel saves', () => {
    expect(decodeText(Buffer.from([0xff, 0xfe, 0x4a, 0, 0xf6, 0]))).toBe('Jö');
    expect(decodeText(Buffer.from([0x4a, 0xf6]))).toBe('Jö');
    expect(decodeText(Buffer.from('Jö'))).toBe('Jö');
  });

  test('has its columns by their headings, and addresses by what stands in them', () => {
    expect(findColumns([['First name', 'Surname', 'E-mail', 'Trust', 'Job title', 'Opted out', 'Notes']])).toEqual({
      ...{ first: 0, last: 1, email: 2, company: 3, role: 4, optedOut: 5 },
    });
    expect(
      findColumns([
        ['Who', 'Where'],
        ['Jo', 'jo@a.example'],
        ['Bo', ''],
      ]).email,
    ).toBe(1);
    expect(
      findColumns([
        ['Who', 'Where'],
        ['Jo', 'York'],
        ['Bo', 'Leeds'],
      ]).email,
    ).toBeUndefined();
  });

  test('says who opted out by a status or a missing consent too; a title is no role', async () => {
    const list =
      'Title,Name,Email,Company,Status,Subscribed\nDr,Jo,jo@a.example,Ward A,opted-out,yes\nMs,Bo,bo@b.example,Ward B,active,No\nMr,Al,al@c.example,Ward C,active,yes';
    const read = await asked(list);
    expect(read.leftOut).toEqual([
      { row: 2, reason: 'opted out' },
      { row: 3, reason: 'opted out' },
    ]);
    expect(read.prospects).toMatchObject([{ address: 'al@c.example', role: '' }]);
  });

  test('of a workbook is its first visible sheet; a sheet of opt-outs counts, a hidden one does not', async () => {
    const bytes = await workbookOf([
      {
        name: 'Old',
        rows: [
          ['Name', 'Email'],
          ['Al', 'al@a.example'],
        ],
        state: 'hidden',
      },
      {
        name: 'Leads',
        rows: [
          ['Name', 'Email'],
          ['Jo', 'jo@a.example'],
          ['Bo', 'bo@b.example'],
        ],
      },
      { name: 'Unsubscribed', rows: [['BO@b.example']] },
    ]);
    const read = (await work({
      ...{ job: 'read', list: { name: 'Leads.xlsx', bytes }, optOutFiles: [], kept: [], addressColumn: null },
    })) as ListOutput;
    expect(read.prospects?.map(({ address }) => address)).toEqual(['jo@a.example']);
    expect(read.leftOut).toEqual([{ row: 3, reason: 'opted out' }]);
    expect(read.optOuts).toEqual([{ kind: 'person', value: 'bo@b.example' }]);
  });

  const asked = (list: string, more: object = {}) =>
    work({
      ...{ job: 'read', list: { name: 'a.csv', bytes: Buffer.from(list) }, optOutFiles: [], kept: [] },
      ...{ addressColumn: null, ...more },
    }) as Promise<ListOutput>;

  test('honours what the company gave before, and a person who opted out in one of two rows', async () => {
    const list = 'Name,Email,Unsubscribed\nJo,jo@a.example,\nJo,JO+x@a.example,yes\nBo,bo@b.example,';
    const read = await asked(list, { kept: [{ kind: 'domain', value: 'b.example' }] });
    expect(read.prospects).toEqual([]);
    expect(read.leftOut.map(({ reason }) => reason)).toEqual(['opted out', 'opted out', 'opted out']);
  });

  test('without a column of addresses asks for one, and reads the one that was chosen', async () => {
    const list = 'Who,Where\nJo,York\nBo,bo@b.example\nAl,Hull';
    expect(await asked(list)).toMatchObject({ prospects: null, headings: ['Who', 'Where'] });
    expect((await asked(list, { addressColumn: 'Where' })).prospects).toMatchObject([{ address: 'bo@b.example' }]);
  });

  test.each([
    ['Opt-outs.pdf', 'x', /opt-outs in Opt-outs\.pdf can’t be read, and without them nothing is drafted/],
    ['Opt-outs.xlsx', 'no archive', /^This workbook is damaged/],
  ])('is not read at all while opt-outs can’t be: %s', async (name, text, says) => {
    const optOutFiles = [{ name, bytes: Buffer.from(text) }];
    await expect(asked('Name,Email\nJo,jo@a.example', { optOutFiles })).rejects.toThrow(says);
  });

  test('of a workbook that unpacks to more than it declares is refused before it is unpacked', async () => {
    const parts = readZipDirectory(await workbookOf([{ name: 'Leads', rows: [['Name', 'Email']] }]));
    const sheet = makeEntry('xl/worksheets/sheet1.xml', ' '.repeat(100_000));
    const bytes = Buffer.from(writeZip(parts.set(sheet.name, { ...sheet, size: 1000 }).values()));
    const read = work({
      ...{ job: 'read', list: { name: 'Leads.xlsx', bytes }, optOutFiles: [], kept: [], addressColumn: null },
    });
    await expect(read).rejects.toMatchObject({ code: 'zip_bomb' });
  });

  test('with more than 2,000 rows is refused', async () => {
    const rows = (count: number) => `Name,Email\n${'Jo,x\n'.repeat(count)}`;
    expect((await asked(rows(2000))).leftOut).toHaveLength(2000);
    await expect(asked(rows(2001))).rejects.toThrow('The list has 2001 rows, and 2000 can be read. Split it.');
    await expect(asked('Name,Email')).rejects.toThrow('The list has no row below its head.');
  });
});

describe('a draft', () => {
  const TEXTS = { offer: 'We make a rota planner. It prints.', ask: 'May I show it to you?', from: 'Ada Okafor' };
  const jo = {
    ...{ row: 2, address: 'jo@a.example', greeting: 'Dear Jo', name: 'Jo Lind', company: 'Ward A' },
    ...{ role: 'Manager', opening: 'Thank you for your talk.' },
  };

  test('holds the list’s cells and the sender’s words, and how to opt out in every mail', () => {
    const { subject, first, second, third } = composeDraft(jo, TEXTS);
    expect(subject).toBe('We make a rota planner');
    expect(first.split('\n\n')).toEqual([
      ...['Dear Jo,', 'Thank you for your talk.', 'I am writing to you as Manager at Ward A.'],
      ...['We make a rota planner. It prints.', 'May I show it to you?', 'Ada Okafor'],
      'If you do not want to hear from us again, reply “stop” and we will not write to you.',
    ]);
    for (const mail of [second, third]) expect(mail).toMatch(/^Dear Jo,[\s\S]+reply “stop”/);
    const bare = composeDraft({ ...jo, greeting: null, role: '', company: '', opening: '' }, TEXTS).first;
    expect(bare.split('\n\n').slice(0, 2)).toEqual(['Hello,', TEXTS.offer]);
  });

  test('has a subject of at most 78 characters, cut between words', () => {
    expect(subjectOf({ ...TEXTS, subject: 'Rotas' })).toBe('Rotas');
    expect(subjectOf({ ...TEXTS, offer: `${'rota '.repeat(15)}end` })).toHaveLength(78);
    expect(subjectOf({ ...TEXTS, offer: `${'rota '.repeat(15)}ends` })).toBe('rota '.repeat(15).trim());
  });

  test('is told by fields of the request, and greets by names that were given', () => {
    expect(readTexts('Draft\nOffer: A\nask:  B \nFrom: C\nSubject: D')).toEqual({
      offer: 'A',
      ask: 'B',
      from: 'C',
      subject: 'D',
    });
    const asked = [
      { row: 2, address: 'jo@a.example' },
      { row: 3, address: 'bo@b.example' },
    ];
    expect(readNames('JO@a.example: Jo\nrow 3: Dr Ek\n4: Al', asked)).toEqual({ 2: 'Dear Jo', 3: 'Dear Dr Ek' });
  });

  test('that is approved is three rows of a workbook and of a CSV, in which no cell is a formula', async () => {
    const drafts = [composeDraft({ ...jo, name: '=1+1', company: '@x' }, TEXTS)];
    const rows = readCsv(writeCsv(drafts));
    const odd = composeDraft({ ...jo, name: '＝1+1', company: '\u200B=1+1' }, TEXTS);
    expect(readCsv(writeCsv([odd]))[1]?.slice(1, 3)).toEqual(["'＝1+1", "'\u200B=1+1"]);
    expect(rows.map((row) => row.slice(0, 5))).toEqual([
      ['Address', 'Name', 'Company', 'Mail', 'Day'],
      ['jo@a.example', "'=1+1", "'@x", '1', '0'],
      ['jo@a.example', "'=1+1", "'@x", '2', '4'],
      ['jo@a.example', "'=1+1", "'@x", '3', '10'],
    ]);
    const bytes = await writeWorkbook({
      ...{ drafts, leftOut: [{ row: 3, reason: 'opted out' }], sourceName: 'Leads.csv', day: '5 Jun 2026' },
    });
    const book = new ExcelJS.Workbook();
    await book.xlsx.load(bytes as never);
    expect(book.worksheets.map(({ name, rowCount }) => [name, rowCount])).toEqual([
      ['About', 6],
      ['Drafts', 4],
      ['Left out', 2],
    ]);
    expect(book.getWorksheet('Drafts')?.getCell('B2').value).toBe('=1+1');
    expect(book.getWorksheet('Drafts')?.getCell('B2').type).toBe(ExcelJS.ValueType.String);
  });
});

describe('a message', () => {
  test('may hold the list below the request, apart from what the mails say', () => {
    const message = 'Draft outreach\nOffer: We, the team\nName,Email\nJo,jo@a.example';
    expect(pastedList(message)).toBe('Name,Email\nJo,jo@a.example');
    expect(requestPart(message)).toBe('Draft outreach\nOffer: We, the team');
    expect(pastedList('Draft outreach\nOffer: We, the team')).toBeNull();
    expect(pastedList('Draft outreach\nDear team, see jo@a.example,\nthanks')).toBeNull();
  });

  test.each([
    ['Draft outreach from Leads.csv', 'outreach', true],
    ['Otis, please write cold emails', 'outreach', true],
    ['Opt out jo@a.example', 'opt-out', true],
    ['Do not write to jo@a.example', 'opt-out', true],
    ['Opt out of this', 'opt-out', false],
    ['Which drafts have you written?', 'lists', false],
    ['Don’t draft outreach', null, false],
    ['I need the lead’s approval', null, false],
    ['Create a sequence diagram', null, false],
    ['Write an SOP\nDraft outreach', null, false],
  ])('“%s” asks for %s, and of nobody in particular: %s', (text, intent, isFor) => {
    expect([readIntent(text), asksFor(text)]).toEqual([intent, isFor]);
  });
});
