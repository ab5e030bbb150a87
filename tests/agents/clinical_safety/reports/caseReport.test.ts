import { describe, expect, test } from '@jest/globals';
import { readWordDocument } from '../../../../bot/agents/clinical_safety/ooxml/wordDocument.ts';
import { ReadingBudget } from '../../../../bot/agents/clinical_safety/reading/readingBudget.ts';
import { makeCaseReport, nameOfCaseReport } from '../../../../bot/agents/clinical_safety/reports/caseReport.ts';
import type { ReportInput } from '../../../../bot/agents/clinical_safety/reports/reportInput.ts';
import { writeCaseReport } from '../../../../bot/agents/clinical_safety/reports/writeCaseReport.ts';
import { countGaps, type WordBlock, type WordRun } from '../../../../bot/engine/files/wordDocument.ts';
import { readZipDirectory } from '../../../../bot/engine/files/zipArchive.ts';
import { makeFinding, makeHazard, makeProposal, makeResult } from '../../../factories/analysisResult.ts';

const input = (result: Parameters<typeof makeResult>[0] = {}, more: Partial<ReportInput> = {}): ReportInput => ({
  result: makeResult(result),
  analysis: { id: 7, createdAt: '2026-11-20T10:00:00.000Z', logFileName: 'Ward log v2.1.xlsx', isSample: false },
  accepted: {},
  decisions: [],
  writtenAt: '2026-05-26T23:30:00.000Z',
  timeZone: 'Europe/London',
  newerLog: null,
  ...more,
});
const textOf = (runs: readonly WordRun[]) => runs.map((run) => (typeof run === 'string' ? run : run.text)).join('');
const blocksOf = (given: ReportInput) => makeCaseReport(given).parts.flatMap(({ blocks }) => blocks);
const isTable = (block: WordBlock) => block.kind === 'table';
/** The rows of the table whose caption begins so, as text. */
function rowsOf(given: ReportInput, caption: string): string[][] {
  const table = blocksOf(given)
    .filter(isTable)
    .find((block) => block.caption.startsWith(caption));
  return (table?.rows ?? []).map((row) =>
    row.map((cell) => (typeof cell === 'string' ? cell : cell.lines.map(textOf).join('\n'))),
  );
}
const paragraphs = (given: ReportInput): string[] =>
  blocksOf(given).flatMap((block) => (block.kind === 'text' ? [textOf(block.runs)] : []));
const paragraph = (given: ReportInput, pattern: RegExp) => paragraphs(given).find((text) => pattern.test(text));

const RATED = { severity: 'Major', likelihood: 'Low', risk: 3, expectedRisk: 3 };
const UNRATED = { severity: null, likelihood: null, risk: null, expectedRisk: null };

describe('a safety case report', () => {
  test('has the sections of the NHS report in their order, and the log and the findings as appendices', () => {
    const headings = blocksOf(input()).flatMap((block) =>
      block.kind === 'heading' && block.level === 1 ? [block.text] : [],
    );
    expect(headings).toEqual([
      'Document control',
      '1 Introduction',
      '2 System description',
      '3 Scope',
      '4 Clinical risk management system and team',
      '5 Hazard identification and summary of the log',
      '6 Clinical risk analysis',
      '7 Clinical risk evaluation',
      '8 Clinical risk control',
      '9 Residual risks',
      '10 Test and issues',
      '11 Configuration',
      '12 Summary safety statement',
      '13 Approval',
      'Appendix A: Hazard log',
      'Appendix B: Open findings',
    ]);
  });

  test('names on its cover the log, every version that it states, its whole digest, and that it is a draft', () => {
    const versions = [
      { source: 'file name', version: '2.1', place: null },
      { source: 'Cover', version: '2.0', place: null },
    ];
    const report = makeCaseReport(input({ log: { versions } }));
    const cover = Object.fromEntries(report.cover.map(({ label, runs }) => [label, textOf(runs)]));
    expect(report.state).toBe('Draft, not approved');
    expect(cover).toMatchObject({
      'Hazard log': 'Ward log v2.1.xlsx',
      'Version of the log': '2.1 (file name); 2.0 (Cover)',
      'Digest of the log (SHA-256)': input().result.analysisMetadata.logDigest,
      Written: '27 May 2026 by Arc, as a draft for a Clinical Safety Officer',
    });
    expect(cover['Newer log']).toBeUndefined();
    const older = makeCaseReport(input({ log: { versions: [] } }, { newerLog: 'Ward log v3.xlsx' }));
    const coverOfOlder = Object.fromEntries(older.cover.map(({ label, runs }) => [label, textOf(runs)]));
    expect(coverOfOlder['Version of the log']).toBe('The log states no version.');
    expect(coverOfOlder['Newer log']).toMatch(/^Ward log v3\.xlsx was uploaded after this analysis/);
    expect(nameOfCaseReport('Ward log v2.1.xlsx')).toBe('Safety case report (draft), Ward log v2.1.docx');
  });

  test('counts hazards by the risks that the log records, unrated ones apart, and never by those of the matrix', () => {
    const hazards = [
      makeHazard({ id: 'A', residual: { ...RATED, risk: 2, expectedRisk: 3 } }),
      makeHazard({ id: 'B', residual: { ...RATED, risk: 3 } }),
      makeHazard({ id: 'C', residual: UNRATED, initial: UNRATED }),
    ];
    const given = input({ hazards });
    expect(rowsOf(given, 'Hazards by recorded residual risk')).toEqual([
      ['3', '1'],
      ['2', '1'],
      ['not recorded', '1'],
    ]);
    expect(rowsOf(given, 'Hazards by recorded initial risk')).toEqual([
      ['3', '2'],
      ['not recorded', '1'],
    ]);
    expect(paragraph(given, /recorded residual risk is not the one/)).toMatch(/^For 1 hazard /);
    expect(paragraph(given, /recorded initial risk is not the one/)).toBeUndefined();
    const each = rowsOf(given, 'Each hazard before and after');
    expect(each.map(([id, , , , , risk]) => [id, risk])).toEqual([
      ['C', 'not recorded'],
      ['B', '3'],
      ['A', '2 (matrix: 3)'],
    ]);
  });

  test('puts each hazard into the cell of its words, and names those that have no cell', () => {
    const odd = { ...RATED, severity: 'Enormous' };
    const given = input({
      hazards: [makeHazard({ id: 'A' }), makeHazard({ id: 'B' }), makeHazard({ id: 'C', initial: odd })],
    });
    const low = rowsOf(given, 'Hazards by initial severity').find(([likelihood]) => likelihood === 'Low');
    expect(low?.filter((cell) => cell.includes('hazard'))).toEqual(['Risk 3\n2 hazards\nA, B']);
    expect(paragraph(given, /no place in this matrix/)).toMatch(/^1 hazard has no place .*: C\.$/);
  });

  test('names at most twelve hazards in a cell, and counts the others', () => {
    const cellFor = (count: number) => {
      const hazards = Array.from({ length: count }, (_, at) => makeHazard({ id: `H${at + 1}` }));
      return rowsOf(input({ hazards }), 'Hazards by initial severity')
        .flat()
        .find((cell) => cell.includes('hazards'));
    };
    expect(cellFor(12)).toMatch(/H12$/);
    expect(cellFor(13)).toMatch(/H12, and 1 more$/);
  });

  test('draws no matrix where the log has none', () => {
    const matrix = { source: 'none' as const, name: 'none', place: null, severities: [], likelihoods: [], cells: [] };
    const given = input({ log: { matrix } });
    expect(rowsOf(given, 'Hazards by initial severity')).toEqual([]);
    expect(paragraph(given, /no matrix is drawn/)).toBeDefined();
  });

  test('gives the log’s rationale for a residual risk, asks the officer for one from 3 on, and below 3 says there is none', () => {
    const residual = (risk: number) => ({ ...RATED, risk, expectedRisk: risk });
    const given = input({
      hazards: [
        makeHazard({ id: 'A', residual: residual(3), rationale: 'Further change is impractical' }),
        makeHazard({ id: 'B', residual: residual(3) }),
        makeHazard({ id: 'C', residual: residual(2) }),
      ],
    });
    expect(rowsOf(given, 'Each hazard before and after').map((row) => [row[0], row[6]])).toEqual([
      ['A', 'Further change is impractical'],
      ['B', '[Clinical Safety Officer: why this residual risk is borne, or that it is not]'],
      ['C', 'none in the log'],
    ]);
  });

  test('names what is transferred, by the hazard or by one of its controls', () => {
    const [control] = makeHazard().controls;
    const given = input({
      hazards: [
        makeHazard({ id: 'A', status: 'Transferred' }),
        makeHazard({
          id: 'B',
          controls: [{ ...(control as NonNullable<typeof control>), status: 'Transferred to site' }],
        }),
        makeHazard({ id: 'C', status: 'Open' }),
      ],
    });
    expect(paragraph(given, /as transferred/)).toMatch(/^The log marks 2 hazards as transferred.*: A, B\.$/);
    expect(paragraph(input(), /transferred\.$/)).toBe('The log marks nothing as transferred.');
  });

  test('lists open findings by level, and accepted ones apart with reason and name', () => {
    const findings = [
      makeFinding({ id: 'n', level: 'note', title: 'A note' }),
      makeFinding({ id: 'f', level: 'fix', title: 'A fault', clause: '4.4.1' }),
      makeFinding({ id: 'a', level: 'check', title: 'Taken as it is' }),
    ];
    const accepted = { a: { reason: 'Agreed with the ward', by: 'Ada Okafor', at: '2026-05-20T23:30:00.000Z' } };
    const given = input({ findings }, { accepted });
    expect(rowsOf(given, '2 open findings').map(([level, finding]) => [level, finding?.split('\n')[0]])).toEqual([
      ['To fix', 'A fault'],
      ['Note', 'A note'],
    ]);
    expect(rowsOf(given, '1 finding accepted')).toEqual([
      ['Taken as it is', 'Agreed with the ward', 'Ada Okafor', '21 May 2026'],
    ]);
    expect(paragraph(given, /check of the log found/)).toBe(
      'Arc’s check of the log found 1 point to fix, 1 to check and 1 to note. 2 of them are open; Appendix B lists them.',
    );
  });

  test('keeps proposed hazards out of its counts, and says what was decided on them', () => {
    const newHazards = ['p1', 'p2', 'p3'].map((id) => makeProposal({ id }));
    const decisions = [
      { id: 'p1', outcome: 'accepted' as const },
      { id: 'p2', outcome: 'rejected' as const },
    ];
    const given = input({ newHazards }, { decisions });
    expect(paragraph(given, /were proposed/)).toMatch(
      /3 new hazards were proposed: 1 accepted, 1 rejected, 1 without a decision that was sent/,
    );
    expect(paragraph(given, /^The log holds/)).toBe(
      'The log holds 1 hazard with 1 cause entry and 1 control entry. A cell that lists several is one entry.',
    );
  });

  test('lists a thousand hazards at most, those of the highest residual risk first, and still counts all', () => {
    const of = (count: number) =>
      input({ hazards: Array.from({ length: count }, (_, at) => makeHazard({ id: `H${at + 1}` })) });
    expect(rowsOf(of(1000), 'Each hazard before and after')).toHaveLength(1000);
    expect(paragraph(of(1000), /The table has the first/)).toBeUndefined();
    expect(paragraph(of(1000), /as it was read/)).toMatch(/^Every hazard of/);
    const more = of(1001);
    expect(rowsOf(more, 'Each hazard before and after')).toHaveLength(1000);
    expect(rowsOf(more, '1,001 hazards')).toHaveLength(1000);
    expect(paragraph(more, /The table has the first/)).toMatch(
      /^The table has the first 1000 of 1001 hazards; every count/,
    );
    expect(paragraph(more, /as they were read/)).toMatch(/^The first 1000 hazards of/);
    expect(rowsOf(more, 'Hazards by recorded residual risk')).toEqual([['2', '1001']]);
  });

  test('leaves the statement to the officer and never calls the product safe or a risk acceptable', () => {
    const all = paragraphs(input());
    const statement = all.filter((text) => /\bsafe\b|\bis acceptable|are acceptable/i.test(text));
    expect(statement).toEqual([
      'Whether the risks of this release are acceptable is for the Clinical Safety Officer alone to state. Arc makes no statement.',
    ]);
    const cells = blocksOf(input())
      .filter(isTable)
      .flatMap(({ caption }) => rowsOf(input(), caption).flat());
    expect(cells.filter((text) => /\bsafe\b/i.test(text))).toEqual([]);
  });
});

describe('the file of a report', () => {
  test('counts every marked place, as many as its text has', async () => {
    const { bytes, gaps } = await writeCaseReport(input());
    const { blocks } = readWordDocument(readZipDirectory(bytes), new ReadingBudget('document', null));
    const text = JSON.stringify(blocks);
    expect(gaps).toBe(text.split('[Clinical Safety Officer: ').length - 1);
    expect(gaps).toBe(countGaps(makeCaseReport(input())));
    expect(gaps).toBeGreaterThan(20);
  });

  test('is written from names and texts that XML could not hold', async () => {
    const name = 'Dose <b>&\u0000\uD800 wrong';
    const { bytes } = await writeCaseReport(
      input({ hazards: [makeHazard({ name, description: 'Line one\nline two' })] }),
    );
    const { blocks } = readWordDocument(readZipDirectory(bytes), new ReadingBudget('document', null));
    const text = JSON.stringify(blocks);
    expect(text).toContain('Dose <b>&\uFFFD wrong');
    expect(text).toContain('Line one\\nline two');
  });

  test('has headings that Word recognises, and the rows of the log', async () => {
    const { bytes, contentType } = await writeCaseReport(input({ hazards: [makeHazard({ id: 'HAZ-9' })] }));
    const { blocks } = readWordDocument(readZipDirectory(bytes), new ReadingBudget('document', null));
    const headings = blocks.flatMap((block) => ('heading' in block && block.heading === 1 ? [block.text] : []));
    expect(headings).toHaveLength(16);
    const tables = blocks.flatMap((block) => ('table' in block ? [block.table] : []));
    expect(tables.some((rows) => rows.some(([first]) => first?.startsWith('HAZ-9')))).toBe(true);
    expect(contentType).toMatch(/wordprocessingml/);
  });
});
