/** @environment store */
import { describe, expect, test } from '@jest/globals';
import { checkReport } from '../../../../bot/agents/clinical_safety/reportCheck/checkReport.ts';
import { describeReport } from '../../../../bot/agents/clinical_safety/reportCheck/describe.ts';
import { writeCaseReport } from '../../../../bot/agents/clinical_safety/reports/writeCaseReport.ts';
import type { AnalysisResult } from '../../../../models/contracts/clinical_safety/hazards.ts';
import type { ReportCheck } from '../../../../models/contracts/clinical_safety/reportCheck.ts';
import { codeOf } from '../../../factories/account.ts';
import { makeHazard, makeResult } from '../../../factories/analysisResult.ts';
import { describeReal, realFile } from '../realFiles.ts';

const check = (text: string, result: AnalysisResult | null = null) =>
  checkReport({ bytes: Buffer.from(text), fileName: 'report.md', log: result && { fileName: 'log.xlsx', result } });

const WORDS = 'This part says what was done, by whom, with which outcome, and where it is recorded.';
const SECTIONS = [
  'Document control',
  'Introduction',
  'System definition',
  'Scope',
  'Clinical risk management system',
  'Clinical risk analysis',
  'Clinical risk evaluation',
  'Clinical risk control',
  'Hazard log',
  'Test issues',
  'Summary safety statement',
  'Quality assurance and document approval',
  'Configuration control',
];
/** A report with every section; a text stands in for the usual one. */
const makeReport = (texts: Record<string, string> = {}, title = 'Clinical Safety Case Report for Quillmere') =>
  [`# ${title}`, ...SECTIONS.map((name) => `## ${name}\n\n${texts[name] ?? WORDS}\n`)].join('\n\n');

const states = ({ sections }: ReturnType<typeof check>) =>
  Object.fromEntries(sections.filter(({ state }) => state !== 'found').map(({ id, state }) => [id, state]));

describe('the sections of a report', () => {
  test('are all found in a report that has them, whatever their numbers', () => {
    expect(states(check(makeReport()))).toEqual({});
    const numbered = ['CLINICAL SAFETY CASE REPORT', ...SECTIONS.map((name, at) => `${at + 1}. ${name}\n${WORDS}`)];
    expect(states(check(numbered.join('\n')))).toEqual({});
  });

  test('are missing without a heading, and empty with nothing under it but a template’s words', () => {
    const text = makeReport({
      Scope: 'TBC',
      'Test issues': 'Summary of any outstanding test issues and the impact on clinical safety.',
      'Configuration control': '',
    }).replace('## Clinical risk evaluation', '**Not a heading**');
    expect(states(check(text))).toEqual({
      scope: 'empty',
      evaluation: 'missing',
      test: 'empty',
      configuration: 'empty',
    });
  });

  test('that are one heading together are all found, and lines of a table of contents are none', () => {
    const text = makeReport()
      .replace('## Clinical risk analysis', '## Clinical Risk Analysis, evaluation and control')
      .replace('## Clinical risk evaluation', '')
      .replace('## Clinical risk control', '');
    expect(states(check(text))).toEqual({});
    const contents = makeReport()
      .replace('## Scope', '')
      .replace('# Clinical', 'Scope ........ 4\nScope    4\n\n# Clinical');
    expect(states(check(contents))).toEqual({ scope: 'missing' });
  });

  test('count a table by its filled rows', () => {
    const table = (rows: string[]) => ['| Role | Name |', '|---|---|', ...rows].join('\n');
    const approval = 'Quality assurance and document approval';
    expect(states(check(makeReport({ [approval]: table(['| Officer | |', '| | |']) })))).toEqual({ approval: 'empty' });
    const filled = table(['| Officer | Ada Okafor |', '| Owner | Bo Lind |']);
    expect(states(check(makeReport({ [approval]: filled })))).toEqual({});
  });
});

describe('a document', () => {
  test.each([
    ['Memo: comments on the Clinical Safety Case Report', 'a memo'],
    ['Minutes of the safety case report meeting', 'minutes of a meeting'],
    ['Clinical Risk Management Plan', 'a clinical risk management plan'],
  ])('“%s” is no report, and is told so', (title, seems) => {
    const checked = check(makeReport({}, title), makeResult());
    expect(checked).toMatchObject({ isReport: false, seems, sections: [], checks: [], placeholderCount: 0 });
    expect(describeReport(checked)).toBe(
      `report.md is not a safety case report: it reads as ${seems}. Nothing else was judged.`,
    );
  });

  test('that only mentions a safety case report is none', () => {
    const checked = check(
      'Dear all,\n\nplease find the Clinical Safety Case Report attached. The hazard log follows.\n',
    );
    expect(checked).toMatchObject({ isReport: false, seems: null });
    expect(describeReport(checked)).toMatch(/has too few of a report’s sections/);
  });

  test('with a title needs two sections of risk management, and four without one', () => {
    const only = (title: string, count: number) =>
      [`# ${title}`, ...SECTIONS.slice(4, 4 + count).map((name) => `## ${name}\n${WORDS}`)].join('\n');
    expect(check(only('Clinical Safety Case Report', 1)).isReport).toBe(false);
    expect(check(only('Clinical Safety Case Report', 2)).isReport).toBe(true);
    expect(check(only('Quillmere', 3)).isReport).toBe(false);
    expect(check(only('Quillmere', 4)).isReport).toBe(true);
  });

  test('that is a PDF, a picture or nothing is refused with what to do', async () => {
    const read = async (bytes: Uint8Array) => checkReport({ bytes, fileName: 'x', log: null });
    expect(await codeOf(read(Buffer.from('%PDF-1.7 x')))).toBe('not_a_report_file');
    expect(await codeOf(read(Buffer.from([0x89, 0x50, 0, 0, 0, 0])))).toBe('not_a_report_file');
    expect(await codeOf(read(Buffer.alloc(0)))).toBe('not_a_report_file');
  });
});

describe('what a report says of itself', () => {
  test('is read from its title, its tables and its text', () => {
    const text = makeReport({
      'Document control': [
        '| Version | Date | Author |',
        '|---|---|---|',
        '| 0.1 | 01/02/2026 | A |',
        '| 1.2 | 03/04/2026 | B |',
        '',
        '| Status | Issued |',
        '|---|---|',
        '',
        '| Name | Title |',
        '|---|---|',
        '| Dr Ada Okafor | Clinical Safety Officer |',
        '| Bo Lind | Developer |',
      ].join('\n'),
      'Hazard log': 'The hazard log v2.3 (Quillmere hazard log v2.3.xlsx) holds 11 hazards. It is kept by the team.',
    });
    expect(check(text).facts).toEqual({
      title: 'Clinical Safety Case Report for Quillmere',
      product: 'Quillmere',
      version: '1.2',
      status: 'Issued',
      date: '03/04/2026',
      officers: ['Dr Ada Okafor'],
      hazardCount: 11,
      logVersion: '2.3',
      logDigest: null,
      documents: expect.arrayContaining([expect.stringMatching(/hazard log v2\.3\.xlsx$/)]),
    });
  });

  test('counts every place that was left open, with its heading', () => {
    const checked = check(
      makeReport({ Scope: `${WORDS} TBC. [Insert the product] {{name}} To be confirmed.`, Introduction: 'XXX' }),
    );
    expect(checked.placeholderCount).toBe(5);
    expect(checked.placeholders.map(({ text }) => text)).toEqual([
      'XXX',
      'TBC',
      '[Insert the product]',
      '{{name}}',
      'To be confirmed',
    ]);
    expect(checked.placeholders[1]?.under).toBe('Scope');
  });

  test('lists two hundred open places and counts all', () => {
    const checked = check(makeReport({ Scope: 'TBC '.repeat(201) }));
    expect([checked.placeholders.length, checked.placeholderCount]).toEqual([200, 201]);
  });
});

describe('a report beside the log', () => {
  const RATED = { severity: 'Major', likelihood: 'Low', risk: 3, expectedRisk: 3 };
  const log = (more: Parameters<typeof makeResult>[0] = {}) =>
    makeResult({
      hazards: [makeHazard({ id: 'HAZ-1' }), makeHazard({ id: 'HAZ-2', residual: { ...RATED, risk: 2 } })],
      log: { versions: [{ source: 'file name', version: '2.3', place: null }] },
      ...more,
    });
  const table = (rows: string) => `| Hazard | Initial risk | Residual risk |\n|---|---|---|\n${rows}`;
  const of = (text: string, id: ReportCheck['id'], result = log()) =>
    check(makeReport({ 'Hazard log': `${WORDS} ${text}` }), result)
      .checks.filter((one) => one.id === id)
      .map(({ outcome, title }) => [outcome, title]);

  test('agrees or differs in the number of hazards, also where parts of them are counted', () => {
    expect(of('It has 2 hazards.', 'hazard-count')).toEqual([['agrees', 'Both count 2 hazards.']]);
    expect(of('1 hazard is open; it has 2 hazards.', 'hazard-count')[0]?.[0]).toBe('agrees');
    expect(of('It has 3 hazards; 2 hazards are closed.', 'hazard-count')).toEqual([
      ['differs', 'The report counts 3 hazards, and elsewhere 2, as the log does. Check which is the total.'],
    ]);
    expect(of('It has 3 hazards.', 'hazard-count')).toEqual([
      ['differs', 'The report counts 3 hazards; the log has 2.'],
    ]);
    expect(of('5 Hazards\n\nIt has 2 hazards.', 'hazard-count')[0]?.[0]).toBe('agrees');
    expect(of('It has some.', 'hazard-count')[0]?.[0]).toBe('not-stated');
  });

  test('agrees or differs in the version of the log; 2.3.0 is 2.3', () => {
    expect(of('See hazard log v2.3.0 here.', 'log-version')[0]?.[0]).toBe('agrees');
    expect(of('See hazard log v2.4 here.', 'log-version')).toEqual([
      ['differs', 'The report names version 2.4 of the log; the log states 2.3 (file name).'],
    ]);
    expect(of('See it.', 'log-version')[0]?.[0]).toBe('not-stated');
    expect(of('See hazard log v2.3 here.', 'log-version', log({ log: { versions: [] } }))[0]?.[0]).toBe('not-stated');
  });

  test('names the hazards that it lacks, and those that the log lacks', () => {
    expect(of('HAZ-1 and HAZ 2 and HAZ2.', 'hazard-ids')).toEqual([
      ['agrees', 'The report names all 2 hazards of the log.'],
    ]);
    expect(of('HAZ-1 and HAZ-7, by ISO 14971.', 'hazard-ids')).toEqual([
      ['differs', 'The report does not name 1 hazard of the log: HAZ-2.'],
    ]);
    expect(of('HAZ-1 and HAZ-7, by DCB0129.', 'unknown-ids')).toEqual([
      ['differs', 'The report names 1 hazard that the log does not have: HAZ7.'],
    ]);
    expect(of('None.', 'hazard-ids')[0]?.[0]).toBe('not-stated');
  });

  test('differs in each risk that is not the recorded one', () => {
    const risks = (rows: string, result = log()) => of(`\n\n${table(rows)}\n`, 'risks', result);
    expect(risks('| HAZ-1 | 3 | 2 |\n| HAZ-2 | 3 | 2 |')).toEqual([
      ['agrees', 'The risks that the report gives for 2 hazards are those of the log.'],
    ]);
    expect(risks('| HAZ-1 | 3 | 2 |\n| HAZ-2 | 3 | 1 |')).toEqual([
      ['differs', 'HAZ-2: the report gives the residual risk 1, the log 2.'],
    ]);
    expect(risks('| HAZ-9 | 3 | 2 |')[0]?.[0]).toBe('not-stated');
    // An id that the log has twice stands for neither.
    const twice = log({ hazards: [makeHazard({ id: 'HAZ-1' }), makeHazard({ id: 'HAZ-1' })] });
    expect(risks('| HAZ-1 | 9 | 9 |', twice)[0]?.[0]).toBe('not-stated');
  });

  test('has to list what the log transfers in a section on it', () => {
    const result = log({ hazards: [makeHazard({ id: 'HAZ-1', status: 'Transferred' })] });
    const report = (section: string) =>
      check(`${makeReport()}\n${section}`, result).checks.find(({ id }) => id === 'transferred');
    expect(report('## Transferred controls\nThe site does this for HAZ-1.')?.outcome).toBe('agrees');
    expect(report('## Other\nHAZ-1')?.outcome).toBe('differs');
    expect(check(makeReport(), log()).checks.some(({ id }) => id === 'transferred')).toBe(false);
  });

  test('is not compared where there is no log, and says so', () => {
    const checked = check(makeReport());
    expect(checked).toMatchObject({ comparedWith: null, checks: [] });
    expect(describeReport(checked)).toContain(
      'There is no analysis of a hazard log yet, so nothing was compared with one.',
    );
  });

  test('that Arc wrote from the same log agrees with it in all, and its marked places are open', async () => {
    const result = log();
    result.analysisMetadata.logDigest = 'ab'.repeat(32);
    const { bytes, gaps } = await writeCaseReport({
      result,
      analysis: { id: 1, createdAt: '2026-11-20T00:00:00.000Z', logFileName: 'log v2.3.xlsx', isSample: false },
      accepted: {},
      decisions: [],
      writtenAt: '2026-11-26T00:00:00.000Z',
      timeZone: 'Europe/London',
      newerLog: null,
    });
    const checked = checkReport({ bytes, fileName: 'draft.docx', log: { fileName: 'log.xlsx', result } });
    expect(checked.checks.filter(({ outcome }) => outcome !== 'agrees')).toEqual([]);
    expect(checked.checks.map(({ id }) => id)).toEqual([
      'hazard-count',
      'log-version',
      'log-digest',
      'hazard-ids',
      'risks',
    ]);
    expect(checked.placeholderCount).toBe(gaps);
    expect(states(checked)).toMatchObject({ statement: 'empty', approval: 'empty', system: 'empty' });
  });
});

describeReal('published safety case reports', () => {
  const read = (name: string) => checkReport({ ...realFile(`cscr/${name}`), log: null });

  test('a template is a report whose sections are open', () => {
    const checked = read('gstt_csc_cscr_template.md');
    expect(checked.isReport).toBe(true);
    expect(states(checked)).toEqual({
      system: 'empty',
      scope: 'empty',
      test: 'empty',
      statement: 'empty',
      approval: 'empty',
      configuration: 'empty',
    });
    expect(checked.placeholderCount).toBe(5);
  });

  test('a report in prose lacks three sections, and its plan is no report', () => {
    expect(states(read('rcpch_dgc_cscr.md'))).toEqual({
      evaluation: 'missing',
      control: 'missing',
      configuration: 'missing',
    });
    expect(read('rcpch_dgc_crmp.md')).toMatchObject({ isReport: false, seems: 'a clinical risk management plan' });
  });
});
