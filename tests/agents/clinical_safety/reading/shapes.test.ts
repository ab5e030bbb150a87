import { describe, expect, test } from '@jest/globals';
import type { ReadLog } from '../../../../bot/agents/clinical_safety/reading/logModel.ts';
import { readLog } from '../../../../bot/agents/clinical_safety/reading/readLog.ts';
import { readRecords } from '../../../../bot/agents/clinical_safety/reading/records.ts';
import { makeGrid } from '../../../factories/grid.ts';
import { makePackage, type SheetSpec } from '../../../factories/hazardLog.ts';

const bytes = (text: string) => new Uint8Array(Buffer.from(text));
const markdown = (...lines: string[]) => readLog(bytes(lines.join('\n')), 'log.md');
const workbook = (...sheets: SheetSpec[]) => readLog(makePackage({ sheets }), 'log.xlsx');
const named = ({ hazards }: ReadLog) => hazards.map(({ id, name }) => `${id} ${name}`);
const HEAD = ['ID', 'Hazard name', 'Cause', 'Effect', 'Severity', 'Likelihood', 'Risk'];
const LATE = ['H1', 'Late result', 'Queue', 'Delay', 'Major', 'Low', 3];
const LOST = ['H2', 'Lost result', 'Crash', 'Harm', 'Minor', 'Low', 1];
const WRONG = ['H3', 'Wrong patient', 'Typo', 'Harm', 'Major', 'High', 4];
const row = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;
const RULE = `|${'---|'.repeat(HEAD.length)}`;

describe('a log over several tables', () => {
  test('on several sheets is one log, whose hazards know their sheet and cell', async () => {
    const log = await workbook(
      { name: 'Hazard Log', rows: [HEAD, LATE, LOST] },
      { name: 'Pharmacy', rows: [[], HEAD, WRONG] },
    );
    expect(named(log)).toEqual(['H1 Late result', 'H2 Lost result', 'H3 Wrong patient']);
    expect(log.hazards[2]).toMatchObject({
      causes: [{ text: 'Typo', place: { sheet: 'Pharmacy', cell: 'C3' } }],
      initial: { severity: 'Major', risk: 4 },
      rows: { sheet: 'Pharmacy', first: 3, last: 3 },
    });
    // A blank cell is where it would stand: in its hazard's row.
    expect(log.place(log.hazards[2]?.rowNumbers[0] ?? 0, 'owner').sheet).toBe('Pharmacy');
    expect(log.shape).toMatchObject({ sheet: 'Hazard Log', firstDataRow: 2, lastDataRow: 3, rowCount: 3 });
    expect(log.shape.remarks).toContain(
      'The log was read from 2 sheets or tables: “Hazard Log”, “Pharmacy”. A merge writes into the first.',
    );
    expect(log.findUnread()).toEqual([]);
  });

  test('may have other columns and another order, which are matched by what they mean', async () => {
    const log = await workbook(
      { name: 'Hazard Log', rows: [HEAD, LATE] },
      {
        name: 'More',
        rows: [
          ['Effect', 'Hazard name', 'Owner', 'ID', 'Cause'],
          ['Harm', 'Lost', 'Ada', 'H7', 'Crash'],
        ],
      },
    );
    expect(log.hazards[1]).toMatchObject({ id: 'H7', name: 'Lost', clinicalImpact: 'Harm', owner: 'Ada' });
  });

  test.each<[string, SheetSpec]>([
    ['that repeats an id of the log', { name: 'Version 1', rows: [HEAD, ['h 1', ...WRONG.slice(1)]] }],
    ['that is called a template', { name: 'Template', rows: [HEAD, WRONG] }],
    ['that is hidden', { name: 'More', hidden: true, rows: [HEAD, WRONG] }],
    ['without hazards', { name: 'More', rows: [HEAD] }],
  ])('does not include a sheet %s', async (_what, other) => {
    const log = await workbook({ name: 'Hazard Log', rows: [HEAD, LATE, LOST] }, other);
    expect(named(log)).toEqual(['H1 Late result', 'H2 Lost result']);
    expect(log.findUnread().map(({ label }) => label)).toContain(other.name);
  });

  test('where there are no ids, a repeated name marks another version', async () => {
    const head = HEAD.slice(1);
    const sheets = (name: string) => [
      { name: 'Hazard Log', rows: [head, LATE.slice(1)] },
      { name: 'More', rows: [head, [name, ...WRONG.slice(2)]] },
    ];
    expect((await workbook(...sheets('Wrong patient'))).hazards).toHaveLength(2);
    expect((await workbook(...sheets('late  RESULT'))).hazards).toHaveLength(1);
  });

  test('in Markdown is one log', async () => {
    const log = await markdown(
      '## Ward',
      row(HEAD),
      RULE,
      row(LATE),
      '',
      '## Pharmacy',
      row(HEAD),
      RULE,
      row(LOST),
      row(WRONG),
    );
    expect(named(log)).toEqual(['H1 Late result', 'H2 Lost result', 'H3 Wrong patient']);
  });

  test('a blank line in a Markdown table does not end it; other text does', async () => {
    const log = await markdown(row(HEAD), RULE, row(LATE), '', row(LOST), 'Text', row(WRONG));
    expect(named(log)).toEqual(['H1 Late result', 'H2 Lost result']);
  });

  test('headings that are repeated further down are no hazard', async () => {
    const log = await workbook({ name: 'Hazard Log', rows: [HEAD, LATE, HEAD, LOST] });
    expect(named(log)).toEqual(['H1 Late result', 'H2 Lost result']);
  });
});

describe('a log without rows', () => {
  const card = (title: string, severity: string) => [
    `### ${title}`,
    '',
    '**Cause:** Queue',
    '- a full disk',
    `**Effect**: Delay`,
    `- **Severity:** ${severity}`,
    'Likelihood: Low',
    '',
  ];
  test('of cards in Markdown has a hazard for each, with its id, name and lines', async () => {
    const log = await markdown(
      '# Hazards',
      'Some words.',
      ...card('HAZ-01: Late result', 'Major'),
      ...card('HAZ-02 Lost result', 'Minor'),
    );
    expect(named(log)).toEqual(['HAZ-01 Late result', 'HAZ-02 Lost result']);
    expect(log.hazards[0]).toMatchObject({
      causes: [{ text: 'Queue\na full disk', place: { sheet: 'log.md', cell: 'A5' } }],
      clinicalImpact: 'Delay',
      initial: { severity: 'Major', likelihood: 'Low', expectedRisk: 3 },
      rows: { sheet: 'log.md', first: 3, last: 3 },
    });
    expect(log.shape.remarks.join()).toContain('each card or column was read as one hazard');
    expect(log.isPutTogether).toBe(true);
  });

  test('of cards in Markdown may have their fields as sub-headings, filled in or not', async () => {
    const hazard = (title: string, severity: string) => [
      `### Hazard: ${title}`,
      'https://issues.test/51',
      '#### What we did',
      'Nothing: yet',
      '#### Severity',
      severity,
      '#### Likelihood',
      '',
      'Low',
      '---',
      '#### Residual Risk Level',
      '',
    ];
    const log = await markdown(
      '# Safety case',
      '## Hazards',
      ...hazard('Late result', 'Major'),
      ...hazard('Lost result', ''),
      '## Summary',
      'All: good',
    );
    expect(log.hazards).toMatchObject([
      { name: 'Late result', hasId: false, initial: { severity: 'Major', likelihood: 'Low' }, rows: { first: 3 } },
      { name: 'Lost result', initial: { severity: null, likelihood: 'Low' } },
    ]);
    expect(log.hazards).toHaveLength(2);
    expect(
      named(
        await markdown(
          ...hazard('A', 'Minor').with(0, '### Hazard 7 - A'),
          ...hazard('B', '').with(0, '### RISK 8: B'),
        ),
      ),
    ).toEqual(['7 A', '8 B']);
  });

  test('of cards whose titles are names alone has hazards without ids', async () => {
    const log = await markdown(...card('Late result', 'Major'));
    expect(log.hazards).toMatchObject([{ hasId: false, name: 'Late result' }]);
  });

  test('of a table on its side has a hazard for each column', async () => {
    const turned = HEAD.map((heading, at) => [heading, LATE[at] ?? '', LOST[at] ?? '', WRONG[at] ?? '']);
    const log = await workbook({ name: 'Cover', rows: [['Ward app']] }, { name: 'Hazards', rows: turned });
    expect(named(log)).toEqual(['H1 Late result', 'H2 Lost result', 'H3 Wrong patient']);
    expect(log.hazards[1]?.causes[0]?.place).toEqual({ sheet: 'Hazards', cell: 'C3' });
    expect(log.hazards[1]?.initial).toMatchObject({ severity: 'Minor', likelihood: 'Low', risk: 1 });
  });

  test('of cards below each other on a sheet has a hazard for each', async () => {
    const cardOf = (hazard: (string | number)[]) => HEAD.map((heading, at) => [`${heading}:`, hazard[at] ?? '']);
    const apart = await workbook({ name: 'Hazards', rows: [...cardOf(LATE), [], ...cardOf(LOST)] });
    expect(named(apart)).toEqual(['H1 Late result', 'H2 Lost result']);
    const together = await workbook({ name: 'Hazards', rows: [...cardOf(LATE), ...cardOf(LOST)] });
    expect(named(together)).toEqual(['H1 Late result', 'H2 Lost result']);
  });

  test('of cards in a web page has a hazard for each table', async () => {
    const table = (hazard: (string | number)[]) =>
      `<table>${HEAD.map((heading, at) => `<tr><td>${heading}</td><td>${hazard[at]}</td></tr>`).join('')}</table>`;
    const log = await readLog(bytes(`<html><body>${table(LATE)}<p>${table(LOST)}</body></html>`), 'log.html');
    expect(named(log)).toEqual(['H1 Late result', 'H2 Lost result']);
  });

  test('of cards has a hazard for one without a name too: it does not join the one above', async () => {
    const card = (effect: string, name: string) => [
      ['Cause', 'Queue'],
      ['Effect', effect],
      ['Severity', 'Major'],
      ['Likelihood', 'Low'],
      ['Hazard', name],
    ];
    const log = await workbook({ name: 'Hazards', rows: [...card('Delay', 'Late'), [], ...card('Harm', '')] });
    expect(log.hazards.map(({ clinicalImpact }) => clinicalImpact)).toEqual(['Delay', 'Harm']);
  });

  test('says what was not read of it, and where: unknown fields, lines between the cards, and sections by their titles', async () => {
    const text = [
      '# Our log',
      'For the board.',
      '### H1: Late',
      '**Cause:** Queue',
      '**Effect:** Delay',
      '**Owner:** Ada',
      '**Sprint:** 7',
      '## Summary',
      'One is left out.',
    ];
    expect((await markdown(...text)).findUnread()).toEqual([
      { what: 'column', label: 'Sprint', note: '1 filled cell', place: { sheet: 'log.md', cell: 'A7' } },
      { what: 'rows', label: 'Our log', note: 'lines 1 to 2', place: { sheet: 'log.md', cell: 'A1' } },
      { what: 'rows', label: 'Summary', note: 'lines 8 to 9', place: { sheet: 'log.md', cell: 'A8' } },
    ]);
    const cardOf = (hazard: (string | number)[]) => HEAD.map((heading, at) => [heading, hazard[at] ?? '']);
    const sheet = {
      name: 'Hazards',
      rows: [['Hazards of the app'], ...cardOf(LATE), ['Sprint', 'S1'], [], ['Agreed by the board']],
    };
    const log = await workbook(sheet, { name: 'Cover', rows: [['Ward app']] });
    expect(log.findUnread()).toEqual([
      { what: 'sheet', label: 'Cover', note: '1 row', place: { sheet: 'Cover', cell: 'A1' } },
      { what: 'column', label: 'Sprint', note: '1 filled cell', place: { sheet: 'Hazards', cell: 'B9' } },
      { what: 'rows', label: 'Hazards of the app', note: 'row 1', place: { sheet: 'Hazards', cell: 'A1' } },
      { what: 'rows', label: 'Agreed by the board', note: 'row 11', place: { sheet: 'Hazards', cell: 'A11' } },
    ]);
  });

  test('in Markdown names ids that stand in its notes, above its cards, below them and beside a table', async () => {
    const cards = await markdown(
      'Read with HAZ-07.',
      '### HAZ-01: Late',
      'Once called HAZ-06.',
      '**Cause:** Queue',
      '**Effect:** Delay',
      '**Owner:** Ada',
      '**Notes:** replaces HAZ-09,',
      'and HAZ-01 as it was',
      'or haz-09 | HAZ-10',
      '## Notes',
      '- HAZ-08 was rejected.',
    );
    expect(named(cards)).toEqual(['HAZ-01 Late']);
    const unread = (log: typeof cards) => log.findUnread().map(({ label, note, place }) => [label, note, place.cell]);
    expect(unread(cards)).toEqual([
      ['Read with HAZ-07.', 'line 1', 'A1'],
      ['Once called HAZ-06.', 'line 3', 'A3'],
      ['Notes', 'lines 10 to 11', 'A10'],
      ['HAZ-07', 'named once', 'A1'],
      ['HAZ-06', 'named once', 'A3'],
      ['HAZ-09', 'named 2 times', 'A7'],
      ['HAZ-10', 'named once', 'A9'],
      ['HAZ-08', 'named once', 'A11'],
    ]);
    const table = await markdown(
      'Without HAZ-3.',
      '| Hazard ID | Hazard | Cause | Effect |',
      '|---|---|---|---|',
      '| HAZ-1 | Late | see HAZ-2 | Delay |',
      '',
      '| HAZ-4 | Lost | Crash | Harm |',
    );
    expect(named(table)).toEqual(['HAZ-1 Late', 'HAZ-4 Lost']);
    expect(unread(table)).toEqual([
      ['Without HAZ-3.', 'line 1', 'A1'],
      ['HAZ-2', 'named once', 'C2'],
      ['HAZ-3', 'named once', 'A1'],
    ]);
  });

  test('is read to line 20,000 of a sheet', () => {
    const card = HEAD.map((heading, at) => [heading, LATE[at] ?? null]);
    const below = (lines: number) =>
      readRecords([makeGrid('Log', [...Array.from({ length: lines }, () => ['Words']), ...card])])?.rows.length ?? 0;
    expect(below(19_999 - HEAD.length)).toBe(3);
    expect(below(20_000)).toBe(0);
  });

  test('is none where a list has three known terms', async () => {
    const terms = [
      ['Hazard', 'What can harm'],
      ['Cause', 'Why it happens'],
      ['Effect', 'What it does'],
    ];
    await expect(workbook({ name: 'Terms', rows: terms })).rejects.toMatchObject({ code: 'not_a_hazard_log' });
  });

  test('is not looked for beside a log in rows', async () => {
    const guide = HEAD.map((heading) => [heading, `What to write under ${heading}`]);
    const log = await workbook({ name: 'Guide', rows: guide }, { name: 'Hazard Log', rows: [HEAD, LATE] });
    expect(named(log)).toEqual(['H1 Late result']);
  });
});

test('a CSV with a comment above its headings is read in rows', async () => {
  const csv = `# Hazard log: export\n# Board: ward\n${HEAD.join(',')}\n${LATE.join(',')}\n`;
  const log = await readLog(bytes(csv), 'log.csv');
  expect(log.shape.format).toBe('csv');
  expect(named(log)).toEqual(['H1 Late result']);
});

test('a hazard may have more rows than a call has arguments', async () => {
  const log = await readLog(bytes(`ID,Hazard,Cause,Effect\nH1,A,b,c\n${',,x,y\n'.repeat(150_000)}`), 'log.csv');
  expect(log.hazards).toMatchObject([{ rows: { first: 2, last: 150_002 } }]);
});

test('how far a control lowers a rating is no rating: a list of controls is no log', async () => {
  const head = ['ID', 'Description', 'Type', 'Probability Reduction', 'Severity Reduction'];
  await expect(workbook({ name: 'Controls', rows: [head, ['1', 'Retry', 'Design', 2, 0]] })).rejects.toMatchObject({
    code: 'not_a_hazard_log',
  });
});

test('levels that are codes are words of the log’s own, and not multiplied', async () => {
  const log = await workbook({ name: 'Log', rows: [HEAD, ['H1', 'Late', 'Queue', 'Delay', 'S2', 'P4', 8]] });
  expect(log.shape.matrix.source).toBe('none');
  expect(log.hazards[0]?.initial).toEqual({ severity: 'S2', likelihood: 'P4', risk: 8, expectedRisk: null });
});

describe('headings in other languages', () => {
  test.each<[string, string[]]>([
    [
      'German',
      ['Lfd. Nr.', 'Gefährdung', 'Ursache', 'Schaden', 'Schweregrad', 'Wahrscheinlichkeit', 'Risiko', 'Maßnahmen'],
    ],
    [
      'French',
      ['Numéro', 'Danger', 'Causes possibles', 'Effets', 'Gravité', 'Probabilité', 'Risque', 'Mesures de maîtrise'],
    ],
    ['Spanish', ['Número', 'Peligro', 'Causas', 'Daño', 'Gravedad', 'Probabilidad', 'Riesgo', 'Medidas de control']],
    ['Italian', ['Numero', 'Pericolo', 'Causa', 'Danno', 'Gravità', 'Probabilità', 'Rischio', 'Misure di controllo']],
    ['Dutch', ['Nummer', 'Gevaar', 'Oorzaak', 'Gevolg', 'Ernst', 'Kans', 'Risico', 'Beheersmaatregelen']],
  ])('%s are read', async (_language, head) => {
    const log = await workbook({ name: 'Log', rows: [head, [...LATE, 'Retry']] });
    expect(log.hazards).toMatchObject([
      {
        id: 'H1',
        name: 'Late result',
        causes: [{ text: 'Queue' }],
        clinicalImpact: 'Delay',
        initial: { severity: 'Major', likelihood: 'Low', risk: 3 },
        controls: [{ text: 'Retry' }],
      },
    ]);
    expect(log.findUnread()).toEqual([]);
  });

  test('name the risk before and after controls', async () => {
    const head = ['ID', 'Gefährdung', 'Ursache', 'Schaden', 'Ausgangsrisiko', 'Restrisiko'];
    const log = await workbook({ name: 'Log', rows: [head, ['G1', 'Spät', 'Stau', 'Verzug', 8, 4]] });
    expect(log.hazards).toMatchObject([{ initial: { risk: 8 }, residual: { risk: 4 } }]);
  });
});
