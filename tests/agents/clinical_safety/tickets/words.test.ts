import { describe, expect, test } from '@jest/globals';
import { nextIds, splitNumber } from '../../../../bot/agents/clinical_safety/tickets/nextIds.ts';
import { quoteFrom } from '../../../../bot/agents/clinical_safety/tickets/quote.ts';
import { cleanTickets, readTickets } from '../../../../bot/agents/clinical_safety/tickets/readTickets.ts';
import { plainText, stem, termsOf, wordsOf } from '../../../../bot/agents/clinical_safety/tickets/words.ts';

describe('the stem', () => {
  test.each(
    Object.entries({
      // As short as this, only a plural goes.
      dose: 'dose',
      beds: 'bed',
      pass: 'pass',
      bus: 'bus',
      used: 'used',
      gaps: 'gap',
      plus: 'plus',
      // Plurals.
      allergies: 'allergy',
      doses: 'dose',
      boxes: 'box',
      classes: 'class',
      dishes: 'dish',
      batches: 'batch',
      quizzes: 'quizz',
      wards: 'ward',
      status: 'status',
      access: 'access',
      series: 'sery',
      // Forms of verbs, with a doubled letter undone where it was doubled.
      being: 'being',
      lying: 'lying',
      rating: 'rat',
      falling: 'fall',
      dropping: 'drop',
      logged: 'log',
      missed: 'miss',
      added: 'ad',
      rated: 'rat',
      freed: 'fre',
      aided: 'aid',
      // Too short for a past form once the plural is gone.
      seeds: 'seed',
      // Adverbs.
      badly: 'badly',
      wrongly: 'wrong',
      // British and American.
      immunisation: 'immuniz',
      immunizations: 'immuniz',
      organised: 'organiz',
      organize: 'organiz',
      colour: 'color',
      anaemia: 'anemia',
      paediatric: 'pediatric',
      // An e at the end.
      medicine: 'medicin',
      table: 'tabl',
      missing: 'miss',
    }),
  )('of “%s” is “%s”', (word, root) => {
    expect(stem(word)).toBe(root);
  });
});

describe('plain text', () => {
  test.each([
    ['camelCaseWord and HTTPServer2Go', 'camel Case Word and HTTP Server2 Go'],
    ['ÄrzteListe wird ÜBERNommen', 'Ärzte Liste wird ÜBER Nommen'],
    ['snake_case_word', 'snake case word'],
    ['See https://example.org/a?b and www.example.org now', 'See   and   now'],
    ['before ```const x = 1``` after', 'before   after'],
    ['a ```x``` b ```y``` c', 'a   b   c'],
    ['```x``` at once', '  at once'],
    ['never ```closed', 'never ```closed'],
    ['a {code:java}x{code} b', 'a   b'],
    ['a {code}x{code} b {noformat}y{noformat} c', 'a   b   c'],
    ['a {code never', 'a {code never'],
    ['a {code} never', 'a {code} never'],
    ['[text|http://y.z] and [name](http://y.z) and [bare]', 'text and name and [bare]'],
    ['{color:red}red{color} <b>bold</b> one&nbsp;two', ' red   bold  one two'],
    ['Merge pull request 5; merge requests', 'Merge  pr  5;  pr '],
    ['Done\nSigned-off-by: A\nCo-authored-by: B\ngit-svn-id: 7\nEnd', 'Done\n \n \n \nEnd'],
    ['ﬁle', 'file'],
  ])('of %j is %j', (text, plain) => {
    expect(plainText(text)).toBe(plain);
  });

  test.each([
    ["The patient's dose isn't Shown", ['the', "patient's", 'dose', "isn't", 'shown']],
    ['Müllers Größe, 5 mg', ['müllers', 'größe', '5', 'mg']],
    ['l’été', ['l', 'été']],
    ['?!', []],
  ])('has the words: %j', (text, words) => {
    expect(wordsOf(text)).toEqual(words);
  });

  test.each([
    ["The patient's allergies aren't shown", ['patient', 'allergy', 'aren', 'shown']],
    ['The patient’s doses', ['patient', 'dose']],
    ['Not shown after the same other only', ['not', 'shown', 'after', 'same', 'other', 'only']],
    ['a x 12 123 b2 of mg', ['b2', 'mg']],
    [`${'x'.repeat(60)} ${'y'.repeat(61)}`, ['x'.repeat(60)]],
  ])('is found by the stems: %j', (text, terms) => {
    expect(termsOf(text)).toEqual(terms);
  });
});

describe('the number that an id ends with', () => {
  test.each([
    ['H09', { prefix: 'H', digits: '09' }],
    ['52', { prefix: '', digits: '52' }],
    ['H123456789', { prefix: 'H', digits: '123456789' }],
    ['H1234567890', null],
    ['H1b', null],
    ['', null],
  ])('of “%s” is %j', (id, parts) => {
    expect(splitNumber(id)).toEqual(parts);
  });

  test.each([
    // The pattern that most ids have; of two that are used as often, the one that counts highest.
    [
      ['A1', 'A2', 'B9'],
      ['A3', 'A4'],
    ],
    [
      ['A1', 'B9', 'A2', 'B10'],
      ['B11', 'B12'],
    ],
    [
      ['A7', 'B2'],
      ['A8', 'A9'],
    ],
    [
      ['A2', 'B7'],
      ['B8', 'B9'],
    ],
    // Filled up with noughts as far as the widest that begins with one.
    [
      ['H08', 'H9'],
      ['H10', 'H11'],
    ],
    [
      ['H1', 'H02'],
      ['H03', 'H04'],
    ],
    [
      ['H12', 'H13'],
      ['H14', 'H15'],
    ],
    [
      ['H007', 'H08'],
      ['H009', 'H010'],
    ],
    [
      ['H98', 'H09'],
      ['H99', 'H100'],
    ],
    [[' H1 '], ['H2', 'H3']],
    // What is there already in other letters or with spaces is not given again.
    [
      ['H1', 'H2', 'h 3'],
      ['H4', 'H5'],
    ],
    [
      ['h5', 'H4', 'H3'],
      ['H6', 'H7'],
    ],
    [
      ['row 7', 'X1'],
      ['X2', 'X3'],
    ],
    [['none'], ['H01', 'H02']],
  ])('after %j come %j', (existing, next) => {
    expect(nextIds(existing, 2)).toEqual(next);
  });

  test('as many as are asked for', () => {
    expect(nextIds(['H1'], 0)).toEqual([]);
    expect(nextIds(['H1'], 3)).toEqual(['H2', 'H3', 'H4']);
  });
});

describe('a quote', () => {
  const about = new Set(termsOf('allergy panel empty service fails prescribing'));
  const quote = (summary: string, description = '') => quoteFrom({ key: 'A-1', summary, description }, about);

  test.each([
    [
      'the summary, where the description says no more',
      ' Allergy panel is empty ',
      'The allergy panel is empty.',
      'Allergy panel is empty',
    ],
    ['the summary, where neither says anything', 'Screen is wrong', 'Nothing else is known of it.', 'Screen is wrong'],
    [
      'a sentence that says clearly more',
      'Wrong',
      'Intro to it. The allergy panel is empty. Bye now to all.',
      'The allergy panel is empty.',
    ],
    [
      'the first of two sentences that say as much',
      'Wrong',
      'The allergy panel is empty\nThe empty panel of allergy',
      'The allergy panel is empty',
    ],
    ['an item of a list, without its mark', 'Wrong', '* > The allergy panel is empty', 'The allergy panel is empty'],
    [
      'words of the summary that weigh a little more than the description’s',
      'Allergy',
      'The allergy panel was there',
      'Allergy',
    ],
    ['nothing that is shorter than twelve letters', 'Wrong', 'Panel empty', 'Wrong'],
    ['twelve letters', 'Wrong', 'Panel empty!', 'Panel empty!'],
    ['the description, where there is no summary', '', 'It is about a panel.', 'It is about a panel.'],
    ['nothing, where the description says nothing and there is no summary', '', 'Nothing else is known of it.', ''],
    ['nothing after eight thousand letters', 'Wrong', `${'x'.repeat(7990)}\nThe allergy panel is empty`, 'Wrong'],
    [
      'words up to eight thousand letters',
      'Wrong',
      `${'x'.repeat(7973)}\nThe allergy panel is empty`,
      'The allergy panel is empty',
    ],
  ])('is %s', (_what, summary, description, words) => {
    expect(quote(summary, description)).toBe(words);
  });

  test('has at most 240 letters and is cut at a word, where that leaves more than eighty', () => {
    const words = (first: number, rest: number) => `${'a'.repeat(first)} ${'b'.repeat(rest)}`;
    expect(quote('a'.repeat(240))).toHaveLength(240);
    expect(quote('a'.repeat(241))).toHaveLength(240);
    expect(quote(words(81, 200))).toBe('a'.repeat(81));
    expect(quote(words(80, 200))).toBe(words(80, 159));
    expect(quote(words(240, 20))).toBe('a'.repeat(240));
    expect(quote(words(239, 20))).toBe('a'.repeat(239));
    expect(quote(`${'a'.repeat(100)}  ${'b'.repeat(200)}`)).toBe('a'.repeat(100));
  });

  test('weighs a long sentence less for what else it says', () => {
    const rest = 'while users of many other wards wait hours near lifts beside stairs under lamps';
    const long = `The allergy panel is empty ${rest}`;
    expect(quote('', `${long}\nThe allergy panel there`)).toBe('The allergy panel there');
  });
});

describe('reading tickets', () => {
  const read = (...rows: string[]) => readTickets(new Uint8Array(Buffer.from(`${rows.join('\n')}\n`)), 'tickets.csv');

  test.each([
    ['Key,Summary,Description', 'one,Words,more', { key: 'one', summary: 'Words', description: 'more' }, false],
    ['Key,Summary,Sprint', 'EPS-1,Words,4', { key: 'EPS-1', summary: 'Words' }, true],
    ['ID,Title,Sprint', 'EPS-1,Words,4', { key: 'EPS-1', summary: 'Words' }, true],
    ['ID,Title,Colour', 'EPS-1,Words,red', { key: 'EPS-1', summary: 'Words' }, false],
    ['ID,Title,Sprint,Team', 'one,Words,4,Core', { key: 'one', summary: 'Words' }, false],
    ['Issue key,Title', 'EPS-1,Words', { key: 'EPS-1', summary: 'Words' }, true],
    ['ID,Title,Issue Type,Body', 'one,Words,Bug,more', { type: 'Bug', description: 'more' }, true],
    [
      'Key,Subject,Labels,Body,Type',
      'EPS-1,Words,ward,more,Task',
      { labels: 'ward', type: 'Task', description: 'more' },
      false,
    ],
    ['Title,Name,Key', 'Words,Other,EPS-1', { key: 'EPS-1', summary: 'Words' }, false],
    ['ID,Key,Title', '7,EPS-1,Words', { key: 'EPS-1', summary: 'Words' }, false],
    ['Key,Summary,Summary', 'EPS-1,First,Second', { summary: 'First' }, true],
  ])('with the headings %s is sure of itself or not', async (head, row, record, sure) => {
    expect(await read(head, row)).toMatchObject({ records: [record], sure });
  });

  test.each([
    ['ID,Title,Sprint', 'one,Words,4'],
    ['Key,Summary,Colour', 'one,Words,red'],
    ['Key,Description,Issue Type', 'EPS-1,Words,Bug'],
    ['Summary,Description,Issue Type', 'Words,more,Bug'],
    ['Key,Summary,Colour', ',Words,red'],
  ])('does not take %s for the headings of a tracker', async (head, row) => {
    await expect(read(head, row)).rejects.toMatchObject({ code: 'not_tickets' });
  });

  test('looks for headings in thirty rows and no further', async () => {
    const above = (count: number) => Array.from({ length: count }, (_, at) => `Note ${at},,`);
    expect((await read(...above(29), 'Key,Summary,Sprint', 'EPS-1,Words,4')).records).toHaveLength(1);
    await expect(read(...above(30), 'Key,Summary,Sprint', 'EPS-1,Words,4')).rejects.toMatchObject({
      code: 'not_tickets',
    });
  });

  test('judges keys by the first 39 rows', async () => {
    const rows = (good: number, bad: number) => [
      ...Array.from({ length: good }, (_, at) => `EPS-${at + 1},Words,red`),
      ...Array.from({ length: bad }, (_, at) => `n${at},Words,red`),
    ];
    expect((await read('Key,Summary,Colour', ...rows(24, 60))).records).toHaveLength(84);
    await expect(read('Key,Summary,Colour', ...rows(23, 60))).rejects.toMatchObject({ code: 'not_tickets' });
    expect((await read('Key,Summary,Colour', ...rows(3, 2))).sure).toBe(true);
    await expect(read('Key,Summary,Colour', ...rows(2, 2))).rejects.toMatchObject({ code: 'not_tickets' });
  });

  const ticket = (key: string, summary: string, description = '') => ({ key, summary, description });

  test('names a ticket without a key by its place, and takes the first line for a summary', () => {
    expect(
      cleanTickets([
        ticket('', ' ', ' '),
        ticket(' ', 'Words'),
        ticket(' A-1 ', '  ', `  ${'x'.repeat(200)}\nmore `),
        ticket('A-2', ' Words ', ' more '),
        ticket('a-2', 'Others', 'less'),
        ticket('A-2 ', 'Others', 'more.'),
        ticket('A-2', 'Others', 'fewer'),
      ]),
    ).toEqual({
      records: [
        ticket('row 2', 'Words'),
        ticket('A-1', 'x'.repeat(160), `${'x'.repeat(200)}\nmore`),
        ticket('A-2', 'Words', 'more.'),
      ],
      duplicates: 3,
      empty: 1,
    });
  });
});
