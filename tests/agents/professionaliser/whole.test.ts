import { describe, expect, test } from '@jest/globals';
import { countToFill } from '../../../bot/agents/professionaliser/control/writeControlled.ts';
import { describePlan, summarise } from '../../../bot/agents/professionaliser/workflows/describePlan.ts';
import { askSpellings, toAsk } from '../../../bot/agents/professionaliser/workflows/spellingQuestions.ts';
import { control, linesOf, markupOf, p, wordFile } from './wordFiles.ts';

const TEXT = `# Cold chain

Owner: Priya Shah

Status: Approved

## 2) Rule

The Clinical Lead (CL) keeps the vaccines  between 2 and 8 °C, as needed. An e-mail goes to the ITU on 03/04/2026.

## Annex A

The clinical lead reads the email. See section 2 and section 7. The the end .

| Alarm | 9 °C |
|---|---|
| TBC | **bold** |

- one
  - two
`;
const { plan, written } = control(TEXT, {}, 'Chain.md');
const accepted = linesOf(written, 'accepted');
const from = (line: string) => accepted.slice(accepted.lastIndexOf(line));
const rowsOf = (title: string, columns: number, until: string) => {
  const cells = from(title).slice(1);
  const whole = cells.slice(0, cells.indexOf(until));
  return Array.from({ length: Math.floor(whole.length / columns) }, (_, row) =>
    whole.slice(row * columns, (row + 1) * columns),
  );
};

describe('a whole document', () => {
  test('begins with its control block and its history', () => {
    expect(accepted.slice(0, accepted.indexOf('Rule'))).toEqual([
      ...['Cold chain', 'Draft of 26 Nov 2026, not approved', 'Document control', '', 'Title', 'Cold chain'],
      ...['Document number', '[To be filled: document number]', 'Version', '[To be filled: version]', 'Status'],
      '[To be filled: status: the source says “Approved”, and this changed text is a draft]',
      ...['Owner', 'Priya Shah', 'Approved by', '[To be filled: approved by]', 'Effective date'],
      ...['[To be filled: effective date]', 'Next review', '[To be filled: next review]', ''],
      ...['Version', 'Date', 'What changed', 'By', '[To be filled: version]', '26 Nov 2026'],
      'Brought into the form of a controlled document. Each change is tracked; the table at the end lists them.',
      ...['Petra (Arc)', '\n', 'Cold chain'],
    ]);
  });

  test('goes on with its own text, edited, and ends with its terms', () => {
    const text = from('Rule').slice(0, from('Rule').indexOf('Open points'));
    expect(text).toEqual([
      'Rule',
      'The Clinical Lead (CL) keeps the vaccines between 2 and 8 °C, as needed. An e-mail goes to the ITU on 03/04/2026.',
      'Annex A',
      'The Clinical Lead reads the email. See section 2 and section 7. The the end.',
      ...['Alarm', '9 °C', 'TBC', 'bold', '', '• one', '• two', '\n'],
      ...['Terms and abbreviations', 'Term', 'As the document says', 'CL', 'Clinical Lead', ''],
    ]);
  });

  test('lists its open points by section, with the words around them', () => {
    expect(rowsOf('Open points', 3, '')).toEqual([
      ['Section', 'Words', 'To settle'],
      [
        '1',
        '…the vaccines  between 2 and 8 °C, as needed. An e-mail goes to the ITU on 03/04/2026.',
        '“as needed”: Who decides, by what?',
      ],
      ['1', '…needed. An e-mail goes to the ITU on 03/04/2026.', 'Can be read as two different dates.'],
      ['Annex A', '…email. See section 2 and section 7. The the end .', 'A word is repeated.'],
      [
        'Annex A',
        'The clinical lead reads the email. See section 2 and section 7. The the end .',
        'That section is now 1.',
      ],
      [
        'Annex A',
        '…reads the email. See section 2 and section 7. The the end .',
        'No heading of the source has this number.',
      ],
      ['Annex A', 'TBC', '“TBC”: Left open in the source.'],
      ['1', 'ITU', 'An abbreviation that is not explained anywhere.'],
      ['–', 'e-mail (1), email (1)', 'Spelled in more than one way; nobody has chosen.'],
    ]);
  });

  test('lists every change with its place, what was, what is and why', () => {
    expect(rowsOf('Changes made', 4, '')).toEqual([
      ['Section', 'Was', 'Is', 'Why'],
      ['1', '2) Rule', '1 Rule', 'Numbered, level 1; its typed number is replaced.'],
      ['1', 'several spaces', 'one space', 'Typing.'],
      ['Annex A', 'clinical lead', 'Clinical Lead', 'As the document defines it.'],
      ['Annex A', 'a space before a mark', 'none', 'Typing.'],
      ['front', 'Owner: Priya Shah', 'Control block, Owner', 'The control block says it in one place.'],
      ['front', 'Status: Approved', 'Control block, Status', 'The control block says it in one place.'],
      ['–', '–', 'Control block, history, terms, open points and this table', 'The form of a controlled document.'],
    ]);
  });

  test('is told to its reader with counts, what to fill and the first open points', () => {
    const counts = { changes: plan.changes.length, open: plan.openPoints.length, toFill: countToFill(plan) };
    expect(summarise(counts)).toBe('6 kinds of change, 8 open points, 7 places to be filled by a person');
    expect(summarise({ changes: 1, open: 1, toFill: 1 })).toBe(
      '1 kind of change, 1 open point, 1 place to be filled by a person',
    );
    const lines = describePlan(plan, counts).split('\n');
    expect(lines[0]).toBe(`**Cold chain** is in controlled form, as a draft: ${summarise(counts)}.`);
    expect(lines.slice(2, 4)).toEqual([
      'To be filled in the control block: document number, version, status, approved by, effective date, next review, and the version of this draft.',
      'Open points: 1 weak wording, 1 date that can be read in two ways, 1 repeated word, 2 references to check, 1 place left open, 1 abbreviation not written out, 1 spelling to settle. Nothing of them was rewritten. The first:',
    ]);
    expect(lines.slice(4)).toHaveLength(5);
    const clean = control('The ward is white.', {}, 'A.txt').plan;
    expect(describePlan(clean, { changes: 0, open: 0, toFill: 8 })).toContain(
      'No open point was found. That is no review',
    );
  });

  test('asks about spellings: the most frequent first, six at most, each with the sentence that uses it', () => {
    expect(askSpellings(toAsk(plan.terms.variants))).toMatchObject({
      prompt: expect.stringMatching(/^The document spells a word in more than one way/),
      options: [
        { id: 'e-mail', label: 'e-mail', reference: 'Spelling A', action: 'e-mail' },
        { reference: 'Spelling B' },
      ],
      context: {
        points: [
          {
            id: 'email',
            label: 'Word 1: which spelling should stand?',
            why: 'The document uses “e-mail” (1) and “email” (1).',
            options: [{ examples: [{ quote: expect.stringContaining('An e-mail goes') }] }, { examples: [] }],
          },
        ],
      },
    });
    const words = ['organise', 'recognise', 'minimise', 'realise', 'finalise', 'utilise', 'stabilise'];
    const text = words.map((word) => `We ${word} it and ${word.replace('ise', 'ize')} it.`).join(' ');
    const asked = toAsk(control(`${text} They organise.`, {}, 'A.txt').plan.terms.variants);
    expect(asked.map(({ key }) => key)).toEqual([
      'organize',
      'recognize',
      'minimize',
      'realize',
      'finalize',
      'utilize',
    ]);
    const question = askSpellings(asked);
    expect(question.prompt).toMatch(/^The document spells 6 words/);
    expect(question.options).toBeUndefined();
  });
});

describe('what is written', () => {
  test('gives a table of a text its columns, and its styles and numbering whole', () => {
    const { written: file, markup } = control('# A\n\n## B\n\n| a | b |\n|---|---|\n| c | d |', {}, 'A.md');
    expect(markup).toContain('<w:tblGrid><w:gridCol w:w="4500"/><w:gridCol w:w="4500"/></w:tblGrid>');
    expect(markupOf(file, 'word/styles.xml').match(/w:name w:val="heading \d"/g)).toEqual(
      [1, 2, 3, 4].map((level) => `w:name w:val="heading ${level}"`),
    );
    expect(markupOf(file, 'word/numbering.xml').match(/w:lvlText w:val="[^"]+"/g)).toEqual(
      ['%1', '%1.%2', '%1.%2.%3', '%1.%2.%3.%4'].map((text) => `w:lvlText w:val="${text}"`),
    );
    const bare = control(wordFile(p('1. A') + p('b'), { 'word/styles.xml': '<w:styles></w:styles>' })).written;
    expect(markupOf(bare, 'word/styles.xml').match(/styleId="\w+"><w:name w:val="heading \d"/g)).toEqual(
      [1, 2, 3, 4].map((level) => `styleId="ArcHeading${level}"><w:name w:val="heading ${level}"`),
    );
  });

  test('marks each inserted row, paragraph and its end, and highlights what is to be filled', () => {
    const { markup } = control('The ward is white.', {}, 'A.txt');
    const rows = markup.match(/<w:trPr>.*?<\/w:trPr>/g) ?? [];
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) expect(row).toMatch(/<w:ins w:id="\d+" w:author="Petra \(Arc\)"/);
    expect(markup.match(/<w:highlight w:val="yellow"\/>/g)).toHaveLength(8);
    const ids = markup.match(/<w:(?:ins|del) w:id="\d+"/g) ?? [];
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('reads cells in content controls, and keeps lines that an editor wrapped as one', () => {
    const cell = `<w:tbl><w:tr><w:sdt><w:sdtContent><w:tc>${p('in  a control')}</w:tc></w:sdtContent></w:sdt></w:tr></w:tbl>`;
    expect(linesOf(control(wordFile(cell + p('x'))).written, 'accepted')).toContain('in a control');
    const long = 'This line is longer than sixty signs, as an editor would wrap it there';
    const source = (text: string) => linesOf(control(text, {}, 'A.txt').written, 'rejected');
    expect(source(`${long}\n${long}\nand ends.`)).toEqual([`${long} ${long} and ends.`]);
    expect(source(`${long}\n- ${long}`)).toEqual([long, `• ${long}`]);
    expect(source('Short line\nand another')).toEqual(['Short line', 'and another']);
  });

  test('lists at most 400 open points, and says how many more there are', () => {
    const lines = (count: number) =>
      linesOf(control('Clean it as needed.\n'.repeat(count), {}, 'A.txt').written, 'accepted');
    expect(lines(400)).not.toContain('…');
    expect(lines(401)).toContain('1 more, not listed here');
  });
});
