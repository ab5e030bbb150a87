import { describe, expect, test } from '@jest/globals';
import ExcelJS from 'exceljs';
import { exportNewHazards } from '../../../../bot/agents/clinical_safety/export/exportNewHazards.ts';
import { exportTickets } from '../../../../bot/agents/clinical_safety/export/exportTickets.ts';
import { parseCsv } from '../../../../bot/agents/clinical_safety/reading/csv.ts';
import { analyseLog } from '../../../../bot/agents/clinical_safety/worker/analyseLog.ts';
import { neutralise } from '../../../../bot/engine/files/neutralise.ts';
import { SHEET_TYPES } from '../../../../models/contracts/files.ts';
import { makePossible } from '../../../factories/analysisResult.ts';
import { digestOf, makeWideLog } from '../../../factories/hazardLog.ts';

const bytes = makeWideLog([{ id: 'HAZ01' }]);
const analyse = () =>
  analyseLog({
    log: { bytes, fileName: 'My log.xlsx', digest: digestOf(bytes) },
    tickets: {
      records: [
        { key: 'EPS-1', summary: '=cmd|backup restore is corrupt', description: '' },
        { key: 'EPS-2', summary: 'Bump, "eslint"', description: '' },
      ],
      source: 'Jira',
      digest: 'd',
    },
  });
const open = async (from: Uint8Array) => {
  const workbook = new ExcelJS.Workbook();
  await workbook.xlsx.load(Buffer.from(from) as unknown as ArrayBuffer);
  return workbook;
};

describe('new hazards as a workbook', () => {
  test('have each proposal with its evidence and its outcome, without formulas', async () => {
    const result = await analyse();
    const [hazard] = result.newHazards;
    const output = await exportNewHazards({
      result,
      rows: [{ id: hazard?.id ?? '', outcome: 'edited', values: { name: '=1+1' } }],
    });
    const workbook = await open(output.bytes);
    const sheet = workbook.getWorksheet('Proposals');
    const headers = sheet?.getRow(5).values as string[];
    const of = (name: string) => sheet?.getRow(6).getCell(headers.indexOf(name)).value;
    expect([of('Proposed id'), of('Outcome'), of('Name'), of('Status')]).toEqual([
      'HAZ02',
      'edited',
      '=1+1',
      'Proposed – CSO review',
    ]);
    expect(workbook.getWorksheet('Evidence')?.getCell('D2').value).toBe('=cmd|backup restore is corrupt');
    for (const { address, type } of [
      { address: 'C6', type: sheet?.getCell('C6').type },
      { address: 'D2', type: workbook.getWorksheet('Evidence')?.getCell('D2').type },
    ])
      expect([address, type]).toEqual([address, ExcelJS.ValueType.String]);
    expect(String(sheet?.getCell('A2').value)).toContain('language model used: no');
  });

  test('name who decided each proposal, when and where, and nobody where nobody did', async () => {
    const result = await analyse();
    const [hazard] = result.newHazards;
    const id = hazard?.id ?? '';
    const read = async (rowReviews?: Parameters<typeof exportNewHazards>[0]['rowReviews']) => {
      const rows = [{ id, outcome: 'accepted' as const }];
      const { bytes } = await exportNewHazards({ result, rows, ...(rowReviews ? { rowReviews } : {}) });
      const sheet = (await open(bytes)).getWorksheet('Proposals');
      return [5, 6].map((row) => ((sheet?.getRow(row).values ?? []) as string[]).slice(19));
    };
    const reviewer = 'Bo Lind';
    expect(await read({ [id]: { reviewer, decidedAt: '2026-05-03T09:04:05.000Z', surface: 'slack' } })).toEqual([
      ['Decided by', 'Decided at', 'Where'],
      ['Bo Lind', '2026-05-03 09:04:05 UTC', 'Slack'],
    ]);
    expect(await read()).toEqual([[], []]);
    expect(await read({ other: { reviewer, decidedAt: '2026-05-03T09:04:05.000Z' } })).toEqual([
      ['Decided by', 'Decided at', 'Where'],
      [],
    ]);
  });

  test('have the same bytes for the same result', async () => {
    const result = await analyse();
    const [first, second] = [
      await exportNewHazards({ result, rows: [] }),
      await exportNewHazards({ result, rows: [] }),
    ];
    expect(digestOf(first.bytes)).toBe(digestOf(second.bytes));
  });
});

describe('verdicts on tickets', () => {
  test('are exported as CSV that Excel reads', async () => {
    const { bytes: csv, fileName } = await exportTickets({ result: await analyse(), format: 'csv' });
    expect(fileName).toBe('My log-tickets.csv');
    const text = Buffer.from(csv).toString();
    expect(text.startsWith('\uFEFF')).toBe(true);
    const [headers, first, second] = parseCsv(text.slice(1), ',');
    expect(headers?.slice(0, 3)).toEqual(['Ticket', 'Summary', 'Relevance']);
    expect(first?.slice(0, 3)).toEqual(['EPS-1', "'=cmd|backup restore is corrupt", 'relevant']);
    expect(second?.slice(0, 3)).toEqual(['EPS-2', 'Bump, "eslint"', 'not']);
    const possible = headers?.indexOf('Possible hazards (not counted)') ?? -1;
    const result = await analyse();
    result.tickets = result.tickets.map((ticket) => ({ ...ticket, possibleHazardIds: ['HAZ01', 'HAZ02'] }));
    const again = Buffer.from((await exportTickets({ result, format: 'csv' })).bytes).toString();
    expect(parseCsv(again.slice(1), ',')[1]?.[possible]).toBe('HAZ01, HAZ02');
  });

  test('are exported as a workbook with the coverage figures on top', async () => {
    const workbook = await open((await exportTickets({ result: await analyse(), format: 'xlsx' })).bytes);
    expect(workbook.getWorksheet('Tickets')?.getCell('B5').value).toBe('=cmd|backup restore is corrupt');
    expect(String(workbook.getWorksheet('Tickets')?.getCell('A2').value)).toContain('Covered 0 of 1 relevant');
  });
});

describe('every cell', () => {
  const cellsOf = async (from: Uint8Array, name: string) => {
    const rows: unknown[][] = [];
    (await open(from)).getWorksheet(name)?.eachRow((row) => rows.push((row.values as unknown[]).slice(1)));
    return rows;
  };

  test('of a ticket: what covers it, which hazards, what was proposed', async () => {
    const result = await analyse();
    const [first] = result.tickets;
    const verdict = {
      ...first!,
      summary: 'Words',
      relevance: 'relevant' as const,
      score: 0.9,
      coveredBy: null,
      hazardIds: [],
      possibleHazardIds: [],
      kbIds: ['A-1', 'B-2'],
      quote: 'Words',
    };
    result.tickets = [
      { ...verdict, key: 'T-1', coveredBy: 'link', hazardIds: ['H1', 'H2'] },
      {
        ...verdict,
        key: 'T-2',
        coveredBy: 'match',
        possibleHazardIds: ['H3', 'H4'],
        possible: [makePossible({ hazardId: 'H3' }), makePossible({ hazardId: 'H4' })],
      },
      { ...verdict, key: 'T-3', coveredBy: 'person', relevance: 'unsure' },
      { ...verdict, key: 'T-4', possibleHazardIds: undefined, kbIds: [] } as unknown as typeof verdict,
      { ...verdict, key: 'T-5', relevance: 'unsure' },
      { ...verdict, key: 'T-6', summary: 'a "b"\nc', quote: 'x,y' },
    ];
    const [proposal] = result.newHazards;
    result.newHazards = [
      { ...proposal!, proposedId: 'HAZ02', evidence: [{ ticketKey: 'T-6', summary: '', quote: '' }] },
    ];
    const SPEAKS = 'H3 “The dose is lost” (Log!C5); T-2 “wrong dose”\nH4 “The dose is lost” (Log!C5); T-2 “wrong dose”';
    const rows = [
      ['T-1', 'Words', 'relevant', '0.9', 'link', 'H1, H2', '', 'A-1, B-2', 'Words', '', ''],
      ['T-2', 'Words', 'relevant', '0.9', 'match (earlier method)', '', 'H3, H4', 'A-1, B-2', 'Words', '', SPEAKS],
      ['T-3', 'Words', 'unsure', '0.9', 'a person', '', '', 'A-1, B-2', 'Words', '', ''],
      ['T-4', 'Words', 'relevant', '0.9', '', '', '', '', 'Words', 'without a kind', ''],
      ['T-5', 'Words', 'unsure', '0.9', '', '', '', 'A-1, B-2', 'Words', '', ''],
      ['T-6', 'a "b"\nc', 'relevant', '0.9', '', '', '', 'A-1, B-2', 'x,y', 'HAZ02', ''],
    ];
    const csv = Buffer.from((await exportTickets({ result, format: 'csv' })).bytes).toString();
    expect(parseCsv(csv.slice(1), ',').slice(1)).toEqual(rows);
    expect(csv).toContain('T-1,Words,relevant,0.9,link,"H1, H2",,"A-1, B-2",Words,,\r\n');
    const { bytes: sheet, contentType, fileName } = await exportTickets({ result, format: 'xlsx' });
    expect([contentType, fileName]).toEqual([SHEET_TYPES.xlsx, 'My log-tickets.xlsx']);
    expect(
      (await cellsOf(sheet, 'Tickets')).slice(-6).map((cells) => Array.from(cells, (cell) => `${cell ?? ''}`)),
    ).toEqual(rows.map((cells) => cells.slice(0, cells.findLastIndex((cell) => cell !== '') + 1)));
  });

  test.each([
    [{ possible: 4, none: 7 }, 'Possible 4 (near from 2.5), none 7: not counted.'],
    [{ possible: undefined, none: undefined }, 'Possible 0 (near from 2.5), none 0: not counted.'],
  ])('of the coverage figures: %j', async (figures, said) => {
    const result = await analyse();
    Object.assign(result.analysisMetadata.coverage, figures, { covered: 2, relevant: 9, unsure: 3 });
    const { relevanceThreshold, unsureThreshold } = result.analysisMetadata.coverage;
    const { bytes: sheet } = await exportTickets({ result, format: 'xlsx' });
    const { standard, engineVersion } = result.analysisMetadata;
    expect((await cellsOf(sheet, 'Tickets')).slice(0, 2)).toEqual([
      ['What was decided about each ticket'],
      [
        `Covered 2 of 9 relevant: named in the log or the ticket, or confirmed by a person. ${said} Relevant from ${relevanceThreshold}, unsure from ${unsureThreshold} (3 tickets). ${standard}, engine ${engineVersion}.`,
      ],
    ]);
  });

  test('of a proposal: its decision, or that it has none yet', async () => {
    const result = await analyse();
    const [proposal] = result.newHazards;
    const [candidate] = proposal!.candidates;
    const other = { ...candidate!, kbId: 'X-1', title: 'Another' };
    const named = (id: string, sure: boolean) => ({ ...proposal!, id, sure, candidates: [candidate!, other] });
    result.newHazards = [named('p1', true), named('p2', false), named('p3', false), named('p4', true)];
    const {
      bytes: sheet,
      fileName,
      contentType,
    } = await exportNewHazards({
      result,
      rows: [
        { id: 'p2', outcome: 'rejected', reason: 'We have it' },
        { id: 'p3', outcome: 'edited', values: { name: 'Own words' } },
        { id: 'p4', outcome: 'accepted' },
      ],
    });
    expect([fileName, contentType]).toEqual(['My log-new-hazards.xlsx', SHEET_TYPES.xlsx]);
    const both = `${candidate!.kbId} ${candidate!.title}\nX-1 Another`;
    const rows = (await cellsOf(sheet, 'Proposals')).slice(-4);
    expect(
      rows.map((cells) => [cells[1], cells[2], cells[13], cells[15], cells[16]].map((cell) => cell ?? '')),
    ).toEqual([
      ['not yet reviewed', proposal!.values.name, '', '', 'p1'],
      ['rejected', proposal!.values.name, both, 'We have it', 'p2'],
      ['edited', 'Own words', both, '', 'p3'],
      ['accepted', proposal!.values.name, '', '', 'p4'],
    ]);
    const { severity, likelihood, risk } = proposal!.suggested!;
    expect(rows[0]?.[14]).toBe(`${severity} / ${likelihood}, risk ${risk} before controls`);
  });

  test('of an addition has no new id and no rating, unless it was turned into a hazard', async () => {
    const result = await analyse();
    const [proposal] = result.newHazards;
    const cause = {
      id: 'cause:HAZ01',
      as: 'cause' as const,
      hazardId: 'HAZ01',
      hazardName: 'Old',
      values: { name: 'New cause of HAZ01: Old', cause: 'Lost' },
      says: null,
    };
    const [ticket] = result.tickets;
    const evidence = [{ ticketKey: ticket!.key, summary: '', quote: 'Q' }];
    const asCause = { ...proposal!, additions: [cause], proposedAs: cause.id, evidence };
    result.newHazards = [
      { ...asCause, id: 'p1', proposedId: 'HAZ02' },
      { ...asCause, id: 'p2', proposedId: 'HAZ03' },
    ];
    const { bytes: sheet } = await exportNewHazards({
      result,
      rows: [{ id: 'p2', outcome: 'edited', choice: proposal!.kbId }],
    });
    const rows = await cellsOf(sheet, 'Proposals');
    expect(rows[0]).toEqual(['2 additions to existing hazards, for review by the Clinical Safety Officer']);
    const { severity, likelihood, risk } = proposal!.suggested!;
    expect(rows.slice(-2).map((cells) => [cells[0], cells[2], cells[14], cells[17]].map((cell) => cell ?? ''))).toEqual(
      [
        ['', 'New cause of HAZ01: Old', '', 'New cause of HAZ01'],
        ['HAZ03', proposal!.values.name, `${severity} / ${likelihood}, risk ${risk} before controls`, 'New hazard'],
      ],
    );
    const named = (await cellsOf(sheet, 'Evidence')).slice(-2).map((cells) => cells[0] ?? '');
    expect(named).toEqual(['', 'HAZ03']);
    const csv = Buffer.from((await exportTickets({ result, format: 'csv' })).bytes).toString();
    expect(parseCsv(csv.slice(1), ',')[1]?.[9]).toBe('New cause of HAZ01');
  });

  test.each([
    ['Jira', false, ' and Jira', 'no'],
    [null, 'model-1', '', 'model-1'],
  ])('of its origin: tickets of %s, language model %s', async (source, modelUsed, from, model) => {
    const result = await analyse();
    const metadata = result.analysisMetadata;
    Object.assign(metadata, { modelUsed, jiraAnalysis: { ...metadata.jiraAnalysis, source } });
    const { bytes: sheet } = await exportNewHazards({ result, rows: [] });
    expect((await cellsOf(sheet, 'Proposals'))[1]).toEqual([
      `From My log.xlsx (SHA-256 ${metadata.logDigest})${from}. ${metadata.standard}, engine ${metadata.engineVersion}, language model used: ${model}.`,
    ]);
  });
});

describe('cells', () => {
  test.each([
    '=1+1',
    '@SUM(1,1)',
    '\t=1+1',
    '＝1+1',
    '+1+1',
    '-2+3',
    ' =x',
    "=cmd|' /C calc'!A0",
    '\r=1',
    '-cmd|x',
    '+A1',
  ])('%j is neutralised', (text) => {
    expect(neutralise(text).startsWith("'")).toBe(true);
  });

  test.each([
    '-- minus text that is legitimate',
    '+ plus text legitimate',
    '- first\n- second',
    '0.5 mg',
    '',
    'a = b',
    '1) None',
  ])('%j is unchanged', (text) => {
    expect(neutralise(text)).toBe(text);
  });
});

test('tickets say what a model chose, in the cell and in the note, and which model was used', async () => {
  const result = await analyse();
  const [ticket] = result.tickets;
  const choice = {
    hazardId: 'HAZ01',
    ticketQuote: 'restore is corrupt',
    hazardQuote: 'Restore fails',
    model: 'azure:m',
  };
  const chosen = {
    ...result,
    tickets: ticket ? [{ ...ticket, possible: [makePossible()], choice }] : [],
    analysisMetadata: { ...result.analysisMetadata, modelUsed: 'azure:m' },
  };
  const workbook = await open((await exportTickets({ result: chosen, format: 'xlsx' })).bytes);
  const sheet = workbook.getWorksheet('Tickets');
  const all = JSON.stringify(sheet?.getSheetValues());
  expect(all).toContain('language model used: azure:m.');
  expect(all).toContain('azure:m chose HAZ01, and may be wrong.');
  const plain = await open((await exportTickets({ result, format: 'xlsx' })).bytes);
  expect(JSON.stringify(plain.getWorksheet('Tickets')?.getSheetValues())).not.toContain('model');
});
