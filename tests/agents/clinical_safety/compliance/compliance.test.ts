import { describe, expect, test } from '@jest/globals';
import ExcelJS from 'exceljs';
import { assessClauses, countStandings } from '../../../../bot/agents/clinical_safety/compliance/assessClauses.ts';
import { CLAUSE_ROWS, isOfClause } from '../../../../bot/agents/clinical_safety/compliance/clauseRows.ts';
import type { ComplianceInput } from '../../../../bot/agents/clinical_safety/compliance/complianceInput.ts';
import { writeComplianceSheet } from '../../../../bot/agents/clinical_safety/compliance/writeComplianceSheet.ts';
import type { ExistingHazard } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { makeFinding, makeHazard, makeResult } from '../../../factories/analysisResult.ts';

const RATED = { severity: 'Major', likelihood: 'Low', risk: 3, expectedRisk: 3 } as ExistingHazard['initial'];
const UNRATED = { severity: null, likelihood: null, risk: null, expectedRisk: null } as ExistingHazard['initial'];

function input(change: Partial<ComplianceInput> = {}): ComplianceInput {
  return {
    result: makeResult({ hazards: [makeHazard({ initial: RATED, residual: RATED })], findings: [] }),
    analysis: {
      id: 7,
      createdAt: '2026-05-03T09:00:00.000Z',
      logFileName: 'Ward log.xlsx',
      logVersion: '1.7',
      isSample: false,
    },
    accepted: [],
    decisions: [],
    reviewedBy: null,
    officer: null,
    documents: [],
    reports: [],
    versions: [{ id: 7, createdAt: '2026-05-03T09:00:00.000Z', logVersion: '1.7', isMerged: false }],
    madeAt: '2026-05-03T23:30:00.000Z',
    timeZone: 'Europe/London',
    ...change,
  };
}
const clauseOf = (clause: string, change: Partial<ComplianceInput> = {}) => {
  const row = assessClauses(input(change)).find((it) => it.clause === clause);
  if (!row) throw new Error(`no clause ${clause}`);
  return row;
};
const withHazards = (hazards: ExistingHazard[]) => ({ result: makeResult({ hazards, findings: [] }) });

describe('the clauses', () => {
  test('are all that ask for something, once each, in order, with their section', () => {
    expect(CLAUSE_ROWS).toHaveLength(58);
    expect(CLAUSE_ROWS[0]).toMatchObject({ clause: '2.1.1', section: '2.1 Clinical risk management process' });
    expect(CLAUSE_ROWS.at(-1)?.clause).toBe('7.3.4');
    const numbers = CLAUSE_ROWS.map(({ clause }) => clause);
    expect([...numbers].sort((one, other) => one.localeCompare(other, 'en', { numeric: true }))).toEqual(numbers);
    // A heading is no clause of its own, and 3.2 has none below it.
    expect(numbers).toContain('3.2');
    expect(numbers).not.toContain('3.3');
  });

  test('a finding belongs to its clause or the one above, and to no other', () => {
    expect(isOfClause('3.2.1', '3.2')).toBe(true);
    expect(isOfClause('4.4.1', '4.4.1')).toBe(true);
    for (const [found, clause] of [
      ['4.4.10', '4.4.1'],
      ['3.21', '3.2'],
      [null, '3.2'],
      ['3.2', '3.2.1'],
    ] as const)
      expect(isOfClause(found, clause)).toBe(false);
  });
});

describe('a clause', () => {
  test.each([
    ['2.1.1', 'Clinical risk management process v2.docx', 'Process map.docx'],
    ['3.2', 'CRMP_v1.docx', 'Project plan.docx'],
    ['2.4.2', 'Training-records.xlsx', 'Training.pptx.md'],
    ['2.5.1', 'SOUP list.csv', 'Soups.csv'],
    ['3.6.1', 'Incident log.xlsx', 'Accidental.xlsx'],
    ['4.1.2', 'Hazard workshop minutes 3 May.docx', 'Minutes of the board.docx'],
    ['4.2.2', 'Intended use.md', 'Use cases.md'],
    ['7.1.1', 'Release review 2.3.docx', 'Press release.docx'],
    ['7.2.1', 'Post-market monitoring.docx', 'Monitors.docx'],
  ])('%s finds the document “%s” by its name, and not “%s”', (clause, named, other) => {
    const found = clauseOf(clause, { documents: [named, other] }).found;
    expect(found).toEqual([expect.stringMatching(/by its name; Arc has not read it\.$/)]);
    expect(found[0]).toContain(named);
    expect(clauseOf(clause, { documents: [other] }).found).toEqual([]);
    expect(clauseOf(clause).missing[0]).toMatch(/^No document in Arc is named like /);
  });

  test('stands as found, in part, not found, or for a person', () => {
    expect(clauseOf('4.4.1')).toMatchObject({
      standing: 'found',
      found: ['1 of 1 hazard has severity, likelihood and initial risk.'],
      missing: [],
    });
    const half = withHazards([makeHazard({ initial: RATED }), makeHazard({ id: 'H2', initial: UNRATED })]);
    expect(clauseOf('4.4.1', half)).toMatchObject({
      standing: 'part',
      found: ['1 of 2 hazards has severity, likelihood and initial risk.'],
      missing: ['1 hazard without severity, likelihood and initial risk.'],
    });
    expect(clauseOf('4.4.1', withHazards([makeHazard({ initial: UNRATED })])).standing).toBe('nothing');
    expect(clauseOf('2.3.4')).toMatchObject({ standing: 'person', found: [], missing: [] });
  });

  test('a rating that lacks one of its three parts is none', () => {
    for (const part of ['severity', 'likelihood', 'risk'] as const)
      expect(clauseOf('4.4.1', withHazards([makeHazard({ initial: { ...RATED, [part]: null } })])).standing).toBe(
        'nothing',
      );
  });

  test('has the open findings of its clause against it, and accepted ones apart', () => {
    const titles = ['A', 'B', 'C', 'D', 'E', 'F'];
    const findings = titles.map((title, at) =>
      makeFinding({ id: `f${at}`, clause: '3.3.1', level: at < 5 ? 'fix' : 'check', title }),
    );
    const note = makeFinding({ id: 'n', clause: '3.3.1', level: 'note', title: 'Note' });
    const result = makeResult({ hazards: [makeHazard()], findings: [...findings, note] });
    expect(clauseOf('3.3.1', { result })).toMatchObject({
      standing: 'part',
      missing: ['5 findings to fix: A; B; C; D; E.', '1 finding to check: F.'],
    });
    const accepted = clauseOf('3.3.1', { result, accepted: ['f0', 'f5', 'n'] });
    expect(accepted.missing).toEqual(['4 findings to fix: B; C; D; E.']);
    expect(accepted.found).toContain('2 findings were accepted with a reason: see the evidence pack of the analysis.');
    const six = makeResult({
      hazards: [makeHazard()],
      findings: findings.map((one) => ({ ...one, level: 'fix' as const })),
    });
    expect(clauseOf('3.3.1', { result: six }).missing).toEqual(['6 findings to fix: A; B; C; D; E. And 1 more.']);
    expect(clauseOf('4.4.1', { result }).missing.join()).not.toContain('finding');
  });

  test('on approvals is never found: Arc holds none', () => {
    const everything = {
      documents: ['CRMP.docx', 'Safety case report.docx', 'Approval of the hazard log.pdf'],
      reports: ['Safety case report (draft), Ward log.docx'],
      officer: { name: 'Ada Okafor', profession: 'Nurse', register: 'NMC', registrationNumber: '12A' },
    };
    for (const clause of ['3.2', '3.3.2', '3.5.2'])
      expect(clauseOf(clause, everything).missing.join()).toMatch(/Arc holds no approval of/);
  });

  test('on the report takes a person’s document as possible evidence, and Arc’s own draft never', () => {
    const reports = ['Safety case report (draft), Ward log.docx'];
    expect(clauseOf('3.5.1', { reports })).toMatchObject({ standing: 'nothing', found: [] });
    expect(clauseOf('3.5.1', { reports }).missing[1]).toMatch(/is a draft that Arc wrote/);
    expect(clauseOf('3.5.1', { documents: ['CSCR v2.docx'] }).standing).toBe('found');
    expect(clauseOf('3.5.1', { reports, documents: ['CSCR v2.docx'] }).standing).toBe('part');
  });

  test('on the officer says who is appointed, with the registration as entered', () => {
    const officer = { name: 'Ada Okafor', profession: 'Nurse', register: 'NMC', registrationNumber: '12A' };
    expect(clauseOf('2.2.1', { officer }).found).toEqual([
      'Ada Okafor is appointed in Arc as Clinical Safety Officer.',
    ]);
    expect(clauseOf('2.3.2', { officer }).found[0]).toContain('Ada Okafor, Nurse: NMC 12A, as entered in Arc.');
    expect(clauseOf('2.2.1').standing).toBe('nothing');
    expect(clauseOf('2.3.2').standing).toBe('nothing');
  });

  test('on foreseeable hazards says what the tickets showed', () => {
    const tickets = (covered: number, relevant: number, analysed: number) => {
      const result = makeResult({
        hazards: [makeHazard()],
        findings: [],
        coverage: { covered, relevant },
        coverageScore: relevant === 0 ? null : 50,
      });
      const { analysisMetadata } = result;
      return {
        ...result,
        analysisMetadata: {
          ...analysisMetadata,
          jiraAnalysis: { ...analysisMetadata.jiraAnalysis, ticketsAnalyzed: analysed },
        },
      };
    };
    expect(clauseOf('4.3.1', { result: tickets(1, 3, 9) })).toMatchObject({
      standing: 'part',
      found: ['1 of 3 relevant tickets is covered by a hazard of the log, of 9 read.'],
      missing: ['2 relevant tickets not covered for certain.'],
    });
    expect(clauseOf('4.3.1', { result: tickets(3, 3, 9) }).standing).toBe('found');
    expect(clauseOf('4.3.1', { result: tickets(0, 0, 0) }).missing).toEqual(['No tickets were compared with the log.']);
  });
});

describe('the sheet', () => {
  const read = async (change: Partial<ComplianceInput> = {}) => {
    const { bytes, fileName, standings } = await writeComplianceSheet(input(change));
    const book = new ExcelJS.Workbook();
    await book.xlsx.load(bytes as never);
    const rows = (name: string) => (book.getWorksheet(name)?.getSheetValues() ?? []) as string[][];
    return { book, fileName, standings, rows };
  };

  test('has each clause once, every answer “Awaiting” from a list, and counts how they stand', async () => {
    const { book, fileName, standings, rows } = await read();
    expect(fileName).toBe('DCB0129 compliance (draft), Ward log.xlsx');
    const sheet = book.getWorksheet('DCB0129');
    const clauses = rows('DCB0129').slice(2);
    expect(clauses.map((row) => row[1])).toEqual(CLAUSE_ROWS.map(({ clause }) => clause));
    expect(new Set(clauses.map((row) => row[7]))).toEqual(new Set(['Awaiting']));
    expect(sheet?.getCell('G2').dataValidation).toMatchObject({
      type: 'list',
      formulae: ['"Yes,No,Partial,Not applicable,Awaiting"'],
    });
    expect(sheet?.getCell('G59').dataValidation?.type).toBe('list');
    expect(standings).toEqual(countStandings(assessClauses(input())));
    expect(Object.values(standings).reduce((sum, count) => sum + count, 0)).toBe(58);
    const about = Object.fromEntries(
      rows('About')
        .slice(2)
        .map((row) => [row[1], row[2]]),
    );
    expect(about.Status).toBe(
      'Draft of 4 May 2026. Arc claims no compliance: each answer is the Clinical Safety Officer’s.',
    );
    expect(about['Hazard log']).toBe('Ward log.xlsx, version 1.7');
    expect(about['Nothing found']).toBe(String(standings.nothing));
  });

  test('hands over what the log transfers, and says where it transfers nothing', async () => {
    const transferred = makeHazard({ id: 'H9', name: 'Wrong ward', status: 'Transferred', residual: RATED });
    const { rows } = await read(withHazards([makeHazard({ id: 'H1' }), transferred]));
    const handed = rows('For DCB0160').slice(2);
    expect(handed[0]?.slice(1, 4)).toEqual(['H9', 'Wrong ward', '3']);
    expect(handed).toHaveLength(2);
    expect(handed[1]?.[1]).toMatch(/Arc does not hold its clauses/);
    const none = (await read()).rows('For DCB0160').slice(2);
    expect(none[0]?.[1]).toBe('No hazard or control of the log says that it is transferred.');
  });

  test('writes words of the log as texts: no formula, nothing that a workbook can’t hold', async () => {
    const { book, rows } = await read(
      withHazards([makeHazard({ id: '=1+1', name: '@SUM(A1)\u0007', status: 'Transferred' })]),
    );
    expect(rows('For DCB0160')[2]?.slice(1, 3)).toEqual(['=1+1', '@SUM(A1)']);
    expect(book.getWorksheet('For DCB0160')?.getCell('A2').type).toBe(ExcelJS.ValueType.String);
  });
});
