import { describe, expect, test } from '@jest/globals';
import { asksFor, readIntent } from '../../../bot/agents/professionaliser/intents.ts';
import { makeControlRows, readRequestValues } from '../../../bot/agents/professionaliser/rules/controlFields.ts';
import { singularOf, spellingKey } from '../../../bot/agents/professionaliser/rules/terms.ts';
import { readSource } from '../../../bot/agents/professionaliser/source/readSource.ts';
import { sources } from '../../../bot/agents/professionaliser/source/sources.ts';
import { FileError } from '../../../bot/engine/files/fileError.ts';
import { control, linesOf, planOf } from './wordFiles.ts';

const headingsOf = (text: string, name = 'Text.txt') =>
  planOf(text, {}, name).outline.headings.map(({ number, text: words }) => (number ? `${number} ${words}` : words));

describe('headings', () => {
  test.each([
    ['lines that count up from 1 are steps', 'Do this:\n1. Stop\n2. Wait\n3. Start', []],
    [
      'a number that goes on behind steps is a heading',
      '1. Aim\nText.\n\n2. Way\n1. Stop\n2. Go\n3. Rest\n\n3. End\nText.',
      ['1 Aim', '2 Way', '3 End'],
    ],
    ['a sentence is none', '1. The nurse reads the scale.\n\nText.', []],
    ['thirteen words are none', `1. ${'word '.repeat(13).trim()}\n\nText.`, []],
    ['twelve words are one', `1. ${'word '.repeat(12).trim()}\n\nText.`, [`1 ${'word '.repeat(12).trim()}`]],
    ['a warning in capitals is none', 'WARNING\nHot.\n\nSCOPE\nAll.', ['1 SCOPE']],
    ['capitals with nothing below are none', 'Text.\n\nSCOPE', []],
    ['two lines in capitals are none', 'ALPHA\nBETA', []],
    ['a label with its value is none', 'DEPARTMENT: RADIOLOGY\nText.', []],
  ])('%s', (_, text, headings) => {
    expect(headingsOf(text)).toEqual(headings);
  });

  test.each([
    ['# A\n\n## B\n\nx\n\n#### C\n\nx\n\n### D\n\nx\n\n## E\n\nx', ['1 B', '1.1 C', '1.2 D', '2 E']],
    ['# A\n\nx\n\n# B\n\nx', ['1 A', '2 B']],
    ['# A\n\n## B\n\nx\n\n## Annex: C\n\nx\n\n## D\n\nx', ['1 B', 'Annex: C', '2 D']],
    ['## A\n\nx\n\n# B\n\nx', ['1 A', '2 B']],
  ])('have levels without gaps, and numbers: %j', (text, headings) => {
    expect(headingsOf(text, 'Text.md')).toEqual(headings);
  });
});

describe('the control block', () => {
  const row = (field: string, given: object, found: object, disagree: object = {}) =>
    makeControlRows(given, found, disagree).find((one) => one.field === field);
  const of = (value: string) => ({ value, from: 'request' as const });

  test.each([
    ['owner', {}, {}, null, 'owner'],
    ['owner', {}, { owner: of('Bo') }, 'Bo', null],
    ['owner', { owner: of('Ada') }, { owner: of('Bo') }, 'Ada', 'check: the source says “Bo”'],
    ['owner', { owner: of('Bo') }, { owner: of('Bo') }, 'Bo', null],
    ['status', {}, { status: of('Draft') }, 'Draft', null],
    [
      'status',
      {},
      { status: of('Approved') },
      null,
      'status: the source says “Approved”, and this changed text is a draft',
    ],
    [
      'status',
      { status: of('In force') },
      {},
      null,
      'status: the request says “In force”, and this changed text is a draft',
    ],
    [
      'effective',
      {},
      { effective: of('1 May 2026') },
      null,
      'effective date: the source says “1 May 2026” of its own text',
    ],
    ['approver', { approver: of('Bo') }, {}, 'Bo', null],
  ])('says of the %s what was given, and what to fill', (field, given, found, value, toFill) => {
    expect(row(field, given, found)).toMatchObject({ value, toFill });
  });

  test('holds both values where the source gives two', () => {
    const { plan, written } = control('# A\n\nVersion: 1.2\n\nVersion: 1.3\n\n## B\n\nx');
    expect(plan.control[1]).toMatchObject({ value: null, toFill: 'version: the source says “1.2” and “1.3”' });
    expect(linesOf(written, 'accepted')).toContain('[To be filled: version: the source says “1.2” and “1.3”]');
  });

  test.each([
    ['Version: TBD', null],
    ['Version: [version]', null],
    ['Version: {{version}}', null],
    ['Version: n/a', null],
    ['Version of the app: 2', null],
    [`Version: ${'9'.repeat(121)}`, null],
    ['Version: 2 ', '2'],
    ['Rev: B', 'B'],
  ])('reads the line “%s”', (line, value) => {
    expect(planOf(`${line}\n\nText of the document.`, {}, 'A.txt').control[1]?.value).toBe(value);
  });

  test('reads no value behind the first heading, nor a table of many columns', () => {
    expect(planOf('# A\n\n## B\n\nVersion: 3').control[1]?.value).toBeNull();
    expect(
      planOf('# A\n\n| Version | Date | By |\n|---|---|---|\n| 1 | x | y |\n\n## B\n\nx').control[1]?.value,
    ).toBeNull();
    expect(planOf('# A\n\n| Version | 7 |\n|---|---|\n\n## B\n\nx').control[1]?.value).toBe('7');
  });
});

describe('spellings', () => {
  const asked = (text: string) =>
    planOf(text, {}, 'A.txt')
      .terms.variants.filter(({ sure }) => sure === null)
      .map((it) => it.spellings.map((one) => one.text));

  test.each([
    ['An e-mail. Two emails.', [['e-mail', 'email']]],
    ['The lifecycle. A life cycle.', [['life cycle', 'lifecycle']]],
    ['We sign off. The sign-off.', []],
    ['It is correct. In correct form. It is incorrect.', []],
    ['Every day. An everyday thing.', []],
    ['A programme. The program.', []],
    ['Write “e-mail”. An email.', []],
    ['See e-mail.docx and email@example.org. An email.', []],
    ['Filled and filed.', []],
    ['EMAIL and email.', []],
  ])('of “%s” that a person has to choose: %j', (text, wanted) => {
    expect(asked(text)).toEqual(wanted);
  });

  test('are changed as chosen, with the capitals and the plural that stood there; others stay', () => {
    const text = 'E-mails come. An e-mail goes. E-MAIL is loud. One email.';
    const { written } = control(text, { email: 'email' }, 'A.txt');
    expect(linesOf(written, 'accepted')).toContain('Emails come. An email goes. E-MAIL is loud. One email.');
    expect(linesOf(control(text, { email: null }, 'A.txt').written, 'accepted')).toContain(text);
  });

  test('that the document defines are changed without a question', () => {
    const text =
      'Re-test means a test done again.\nThe retest is noted. The Safety Lead means a person named by the board.\nThe safety lead signs, all safety leads do.';
    const { plan, written } = control(text, {}, 'A.txt');
    expect(plan.terms.variants[0]?.sure).toBe('re-test');
    expect(linesOf(written, 'accepted')).toContain(
      'The re-test is noted. The Safety Lead means a person named by the board.',
    );
  });

  test('are compared by their letters', () => {
    expect(['organise', 'organize', 'Co-ordinate', 'coordinate', 'haemoglobin'].map(spellingKey)).toEqual([
      'organize',
      'organize',
      'coordinate',
      'coordinate',
      'hemoglobin',
    ]);
    expect(['emails', 'process', 'status', 'analysis', 'gas'].map(singularOf)).toEqual([
      'email',
      'process',
      'status',
      'analysis',
      'gas',
    ]);
  });
});

describe('terms', () => {
  const terms = (text: string) =>
    planOf(text, {}, 'A.md').terms.terms.map(({ term, meaning }) => `${term} = ${meaning}`);
  test.each([
    ['The Medical Director (MD) signs.', ['MD = Medical Director']],
    ['The Head of Nursing and Care (HNC) signs.', ['HNC = Head of Nursing and Care']],
    ['The ward (WARD) is closed.', []],
    ['MD (Medical Director) signs.', ['MD = Medical Director']],
    ['“Near miss” means an event without harm.', ['Near miss = an event without harm.']],
    ['This means that it stops.', []],
    [
      '# A\n\n## Definitions\n\nSlot: a time on the list.\n\n## Rule\n\nNote: not a term.',
      ['Slot = a time on the list.'],
    ],
    ['# A\n\n## Glossary\n\n| Slot | a time on the list |\n|---|---|', ['Slot = a time on the list']],
  ])('of %j', (text, wanted) => {
    expect(terms(text)).toEqual(wanted);
  });

  test('are missing for abbreviations that are nowhere written out', () => {
    const points = planOf('The MD and the EWS. Only a note. NOTE ONLY. UK law. Ward IV.', {}, 'A.txt').openPoints;
    expect(points.filter(({ kind }) => kind === 'abbreviation').map(({ words }) => words)).toEqual(['MD', 'EWS']);
  });
});

describe('open points', () => {
  const found = (text: string) => planOf(text, {}, 'A.txt').openPoints.map(({ kind, why }) => `${kind}: ${why}`);
  test.each([
    ['Clean it as needed.', ['weak: “as needed”: Who decides, by what?']],
    ['Clean it daily.', []],
    ['Reduce it as far as possible.', ['weak: “as far as possible”: Who decides, by what?']],
    ['From 03/04/2026.', ['date: Can be read as two different dates.']],
    ['From 13/04/2026, 04/04/2026, 1.2.3 and 03/04/2026/1.', []],
    ['The the end.', ['repeated: A word is repeated.']],
    ['I know that that is.', []],
    ['Ask ???.', ['gap: “???”: Left open in the source.']],
  ])('of “%s”', (text, points) => {
    expect(found(text)).toEqual(points);
  });

  test('name references whose section has another number now, and none whose number stays', () => {
    const text = '1. Aim\nSee section 1 and section 4.\n\n4. Way\nSee section 9 and 5 mg.';
    expect(found(text)).toEqual([
      'reference: That section is now 2.',
      'reference: No heading of the source has this number.',
    ]);
  });
});

describe('a message', () => {
  test.each([
    ['Make a controlled document of Policy.docx', 'control', true],
    ['please turn this procedure into our template', 'control', true],
    ['Petra, tidy up the policy', 'control', false],
    ['Reformat the memo', 'control', true],
    ['Make the technical file', 'control', false],
    ['Don’t make a controlled document yet', null, false],
    ['Which documents have you controlled?', 'documents', false],
    ['Hello', null, false],
    ['What is a controlled document?', null, false],
    ['Thanks\nMake a controlled document of this', null, false],
  ])('“%s” is read as %s', (text, intent, isAsked) => {
    expect([readIntent(text), asksFor(text)]).toEqual([intent, isAsked]);
  });

  const LONG =
    'The ward is cleaned each day at seven by two people who note it in the book that lies at the desk beside the front door.';
  test.each([
    ['Make a controlled document', null],
    [`Make a controlled document\n${LONG}`, LONG],
    ['Make a controlled document\nShort text.', null],
    ['Make a controlled document\nVersion: 2\nOwner: Bo', null],
    [`Make a controlled document: ${LONG} ${LONG}`, `${LONG} ${LONG}`],
    [`Make a controlled document: ${LONG}`, null],
  ])('holds a document behind its request, or none: %j', (message, text) => {
    expect(sources.pastedText(message)).toBe(text);
  });

  test('gives values by its request, never by the document in it', () => {
    expect(sources.requestPart(`Make a controlled document\n${LONG}\nVersion: 9`)).toBe('Make a controlled document\n');
    expect(sources.requestPart('Make it\nVersion: 2')).toBe('Make it\nVersion: 2');
  });
});

test('a file that is no text document, or too long, is refused with what to send', () => {
  expect(() => readSource('a.pdf', Buffer.from('x'))).toThrow(FileError);
  expect(() => readSource('a.txt', Buffer.from('x'.repeat(1_000_001)))).toThrow(/too long/);
  expect(readSource('a.txt', Buffer.from('x'.repeat(1000))).length).toBeGreaterThan(0);
});

test('a long line of spaces is searched for values at once', () => {
  const begun = performance.now();
  expect(readRequestValues(`${' '.repeat(16_000)}x${' '.repeat(16_000)}\n  Version:  2  `)).toEqual({
    version: { value: '2', from: 'request' },
  });
  expect(readRequestValues(`Version${' '.repeat(392)}: 2`)).toEqual({});
  expect(performance.now() - begun).toBeLessThan(1000);
});
