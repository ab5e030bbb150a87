import { describe, expect, test } from '@jest/globals';
import { findFindings } from '../../../bot/agents/clinical_safety/findings/findFindings.ts';
import { monthsBetween, readDay } from '../../../bot/agents/clinical_safety/findings/readDay.ts';
import { capped, compactPlaces, type Draft, listIds } from '../../../bot/agents/clinical_safety/findings/rule.ts';
import type { LogHazard } from '../../../bot/agents/clinical_safety/reading/logModel.ts';
import { readLog } from '../../../bot/agents/clinical_safety/reading/readLog.ts';
import type { Finding } from '../../../models/contracts/clinical_safety/hazards.ts';
import { type HazardRow, MATRIX_SHEET, makePackage, makeWideLog, type SheetCell } from '../../factories/hazardLog.ts';

// The limits of each rule: one more, one less, the first, the last.

async function check(bytes: Uint8Array, asOf: string | null = null): Promise<Finding[]> {
  return findFindings({ log: await readLog(bytes, 'log.xlsx'), asOf, report: null });
}
const of = (findings: Finding[], rule: string) => findings.filter((finding) => finding.rule === rule);
const inTable = (...rows: SheetCell[][]) => makePackage({ sheets: [{ name: 'Hazard Log', rows }, MATRIX_SHEET] });
/** This many sound hazards, the first of them with a fault. */
const some = (sound: number, faulty: number, fault: HazardRow) =>
  makeWideLog(
    Array.from({ length: sound + faulty }, (_, at) => ({
      id: `A${at + 1}`,
      name: `Hazard of kind ${String.fromCharCode(97 + at)}`,
      ...(at < faulty ? fault : {}),
    })),
  );

describe('a date', () => {
  test.each([
    ['2026-01-31', '2026-01-31'],
    ['01/12/2026', '2026-12-01'],
    ['31.1.26', '2026-01-31'],
    ['5-6-99', '2099-06-05'],
    ['1st of March, on 2 Feb 2026', '2026-02-02'],
    ['3rd Sept 2026', '2026-09-03'],
    ['Dec 2026', '2026-12-01'],
    ['January-26', '2026-01-01'],
    ['1990-01-01', '1990-01-01'],
    ['2100-12-31', '2100-12-31'],
    ['1989-12-31', null],
    ['0100-01-01', null],
    ['2101-01-01', null],
    ['2026-00-10', null],
    ['2026-13-10', null],
    ['2026-10-00', null],
    ['2026-10-32', null],
    ['0/5/2026', null],
    ['V1.2', null],
    ['', null],
  ])('“%s” is %s', (text, day) => {
    expect(readDay(text)).toBe(day);
  });

  test('differences count whole months', () => {
    expect(monthsBetween('2025-11-22', '2026-11-21')).toBe(11);
    expect(monthsBetween('2025-11-22', '2026-11-22')).toBe(12);
    expect(monthsBetween('2025-11-22', '2026-11-23')).toBe(12);
    expect(monthsBetween('2025-12-31', '2026-01-01')).toBe(0);
    expect(monthsBetween('2024-02-29', '2026-03-01')).toBe(24);
  });
});

describe('a fault of many hazards', () => {
  const rule = 'severity-lowered-without-design-control';
  const fault: HazardRow = { design: '', residualSeverity: 'Minor', residualLikelihood: 'Low', residualRisk: 1 };

  test('is listed one by one for three, and once for four', async () => {
    expect(of(await check(some(2, 3, fault)), rule).map(({ hazardId }) => hazardId)).toEqual(['A1', 'A2', 'A3']);
    const [finding, ...more] = of(await check(some(2, 4, fault)), rule);
    expect(more).toEqual([]);
    expect(finding).toMatchObject({
      title: 'Severity falls without a design control in 4 hazards',
      message:
        'Training, testing and process make harm less likely, seldom less severe. No design control is named for A1, A2, A3 and A4.',
      hazardId: null,
      found: 'Minor',
      expected: 'Major',
      places: ['N2', 'N3', 'N4', 'N5'].map((cell) => ({ sheet: 'Hazard Log', cell })),
    });
  });

  test('of all hazards is listed once, even if there are two; with only one hazard, by its id', async () => {
    expect(of(await check(some(0, 2, fault)), rule)).toMatchObject([{ hazardId: null }]);
    expect(of(await check(some(0, 1, fault)), rule)).toMatchObject([
      { hazardId: 'A1', title: 'A1: severity falls from Major to Minor without a design control' },
    ]);
  });

  test('names six ids, then how many more', () => {
    const hazards = (count: number) => Array.from({ length: count }, (_, at) => ({ id: `H${at + 1}` }) as LogHazard);
    expect(listIds(hazards(1))).toBe('H1');
    expect(listIds(hazards(2))).toBe('H1 and H2');
    expect(listIds(hazards(6))).toBe('H1, H2, H3, H4, H5 and H6');
    expect(listIds(hazards(8))).toBe('H1, H2, H3, H4, H5, H6 and 2 more');
    expect(listIds([...hazards(2), ...hazards(2)])).toBe('H1 and H2');
  });

  test('is listed up to two hundred times, with a count of the rest', () => {
    const drafts = (count: number): Draft[] =>
      Array.from({ length: count }, (_, at) => ({
        title: `${at}`,
        message: '',
        hazardId: null,
        places: [{ sheet: 'S', cell: `A${at + 1}` }],
        found: null,
        expected: null,
      }));
    expect(capped(drafts(200), 'more')).toHaveLength(200);
    const over = capped(drafts(203), 'more hazards are wrong');
    expect(over).toHaveLength(201);
    expect(over.at(-1)).toMatchObject({
      title: '3 more hazards are wrong',
      message: 'Besides those listed one by one, 3 more hazards are wrong.',
      places: ['A201', 'A202', 'A203'].map((cell) => ({ sheet: 'S', cell })),
    });
  });

  test('names up to two hundred cells; more are written as ranges, by sheet and column', () => {
    const column = (letter: string, from: number, to: number, sheet = 'S') =>
      Array.from({ length: to - from + 1 }, (_, at) => ({ sheet, cell: `${letter}${from + at}` }));
    expect(compactPlaces(column('A', 1, 200))).toHaveLength(200);
    const many = [
      ...column('A', 1, 150),
      ...column('A', 152, 200),
      ...column('B', 201, 203),
      ...column('B', 204, 205, 'T'),
      { sheet: 'T', cell: 'nowhere' },
      { sheet: 'T', cell: 'C9' },
    ];
    expect(compactPlaces(many).map(({ sheet, cell }) => `${sheet}!${cell}`)).toEqual([
      'S!A1:A150',
      'S!A152:A200',
      'S!B201:B203',
      'T!B204:B205',
      'T!C9',
    ]);
  });
});

describe('risk after controls', () => {
  const residual = async (row: HazardRow, rule: string) => of(await check(some(2, 1, row)), rule);

  test('of 3 needs a reason, of 2 does not, of 4 is not acceptable at all', async () => {
    const at = (likelihood: string, risk: number): HazardRow => ({
      notes: '',
      residualLikelihood: likelihood,
      residualRisk: risk,
      likelihood: 'High',
      risk: 4,
    });
    const without = 'residual-risk-without-rationale';
    expect(await residual(at('Very Low', 2), without)).toEqual([]);
    expect(await residual(at('Low', 3), without)).toMatchObject([
      { title: 'A1: residual risk 3 has no rationale', hazardId: 'A1', level: 'check', clause: '6.2.1' },
    ]);
    expect(await residual(at('Low', 3), 'residual-risk-unacceptable')).toEqual([]);
    expect(await residual(at('High', 4), 'residual-risk-unacceptable')).toMatchObject([
      { title: 'A1: residual risk is 4', found: '4', expected: 'at most 3', level: 'fix' },
    ]);
    // The same risk before and after is no rise.
    expect(await residual(at('High', 4), 'residual-above-initial')).toEqual([]);
  });

  test('that is higher than before is reported with both figures and both cells', async () => {
    const row: HazardRow = { likelihood: 'Very Low', risk: 2, residualLikelihood: 'Low', residualRisk: 3 };
    expect(await residual(row, 'residual-above-initial')).toMatchObject([
      {
        title: 'A1: the risk is higher after controls (3) than before (2)',
        places: [{ cell: 'P2' }, { cell: 'I2' }],
        found: '3',
        expected: 'at most 2',
      },
    ]);
  });

  test('has a reason if any row of the hazard has one', async () => {
    const head = ['ID', 'Hazard', 'Causes', 'Severity', 'Likelihood', 'Risk'];
    const both = [...head, 'Residual Severity', 'Residual Likelihood', 'Residual Risk', 'Notes'];
    const row = (cause: string, note: string) => ['H1', 'A', cause, 'Major', 'High', 4, 'Major', 'Low', 3, note];
    const rule = 'residual-risk-without-rationale';
    expect(of(await check(inTable(both, row('a', ''), row('b', 'As low as it goes'))), rule)).toEqual([]);
    expect(of(await check(inTable(both, row('a', ''), row('b', ''))), rule)).toHaveLength(1);
  });
});

describe('ids and names', () => {
  const named = (...rows: [id: string, name: string][]) => makeWideLog(rows.map(([id, name]) => ({ id, name })));

  test('are compared by id without regard to spaces and case', async () => {
    const [finding] = of(await check(named(['A1', 'First'], ['B2', 'Other'], ['a 1', 'Second'])), 'duplicate-id');
    expect(finding).toMatchObject({
      title: 'A1 is the id of 2 different hazards',
      message: 'The id stands for “First” and “Second”. Ids are never used twice; give the later one the next free id.',
      places: [{ cell: 'A2' }, { cell: 'A4' }],
      level: 'fix',
    });
  });

  test('that count up under one name are a drag error, but not with a gap, another name or no name', async () => {
    const dragged = async (...rows: [string, string][]) =>
      of(await check(named(...rows)), 'id-counted-up-by-dragging').map(({ found }) => found);
    expect(await dragged(['H1', 'Same'], ['H2', 'same '], ['H3', 'Same'], ['H4', 'Other'])).toEqual(['H1 to H3']);
    expect(await dragged(['H1', 'Other'], ['H2', 'Same'], ['H3', 'Same'])).toEqual(['H2 to H3']);
    expect(await dragged(['H1', 'Same'], ['H3', 'Same'])).toEqual([]);
    expect(await dragged(['H2', 'Same'], ['H1', 'Same'])).toEqual([]);
    expect(await dragged(['H1', 'Same'], ['H5', 'Other'], ['H2', 'Same'])).toEqual([]);
  });

  test('with one name under two ids are reported once, and not again as a drag error', async () => {
    const asked = async (...rows: [string, string][]) =>
      of(await check(named(...rows)), 'same-name-several-ids').map(({ found }) => found);
    expect(await asked(['H1', 'Same'], ['H5', 'Other'], ['H3', 'Same'])).toEqual(['H1 and H3']);
    expect(await asked(['H1', 'Same'], ['H2', 'Same'])).toEqual([]);
    expect(await asked(['H1', 'Same'], ['H2', 'Same'], ['H9', 'Same'])).toEqual(['H1, H2 and H9']);
  });
});

describe('the numbers of causes and controls', () => {
  const HEAD = ['Num', 'Hazard Name', 'Possible Causes', 'Severity', 'Likelihood', 'Additional controls'];
  const log = (...rows: [cause: string, control: string, id?: string][]) =>
    inTable(HEAD, ...rows.map(([cause, control, id = 'H01']) => [id, `Name ${id}`, cause, 'Major', 'Low', control]));
  const sound = (count: number): [string, string][] =>
    Array.from({ length: count }, (_, at) => [`010${at + 1} Cause ${at}`, `010${at + 1}01 Control ${at}`]);

  test('name a wrong cause once six are numbered', async () => {
    const off = async (...rows: [string, string][]) => of(await check(log(...rows)), 'cause-id-off-pattern');
    expect(await off(...sound(4), ['106 Late', '010601 Retry'])).toEqual([]);
    const [finding, ...more] = await off(...sound(5), ['106 Late', '010601 Retry']);
    expect(more).toEqual([]);
    expect(finding).toMatchObject({
      title: 'H01: cause 106 is not numbered as the others are',
      found: '106',
      expected: '0106',
      hazardId: 'H01',
      places: [{ cell: 'C7' }],
    });
    expect(finding?.message).toContain('are numbered with 4 digits. 106 under H01 is not');
  });

  test('count as slips up to three in ten, and not above', async () => {
    const off = async (wrong: number) =>
      of(
        await check(
          log(
            ...sound(10 - wrong),
            ...Array.from({ length: wrong }, (_, at): [string, string] => [`${200 + at} Late`, 'Retry']),
          ),
        ),
        'cause-id-off-pattern',
      );
    expect(await off(4)).toEqual([]);
    expect(await off(3)).toMatchObject([{ found: '200, 201, 202', expected: '0200, 0201, 0202' }]);
  });

  test('under another cause are listed: one, several, and six of seven', async () => {
    const off = async (wrong: number, right: number) => {
      const rows = [
        ...Array.from({ length: right }, (_, at): [string, string] => [`0101 Cause ${at}`, `0101${10 + at} Control`]),
        ...Array.from({ length: wrong }, (_, at): [string, string] => ['0102 Other', `0109${10 + at} Control`]),
      ];
      return of(await check(log(...rows)), 'control-id-of-another-cause');
    };
    expect(await off(1, 4)).toEqual([]);
    expect(await off(1, 5)).toMatchObject([
      {
        title: 'H01: a control is numbered as of another cause',
        found: '010910 under 0102',
        expected: '0102…',
        places: [{ cell: 'F7' }],
      },
    ]);
    expect((await off(2, 6))[0]?.title).toBe('H01: 2 controls are numbered as of another cause');
    expect((await off(8, 20))[0]?.found).toBe(
      '010910 under 0102, 010911 under 0102, 010912 under 0102, 010913 under 0102, 010914 under 0102, 010915 under 0102 and 2 more',
    );
  });
});

describe('controls', () => {
  const HEAD = ['ID', 'Hazard', 'Causes', 'Severity', 'Likelihood', 'Risk', 'Additional controls'];
  const row = (...more: SheetCell[]): SheetCell[] => ['H1', 'A', 'a', 'Major', 'Low', 3, ...more];
  const other = (...more: SheetCell[]): SheetCell[] => ['H2', 'B', 'b', 'Major', 'Low', 3, ...more];

  test('of a closed hazard are reported with an open action, but not if it is both or closed', async () => {
    const closed = async (hazard: string, action: string) =>
      of(
        await check(
          inTable([...HEAD, 'Action status', 'Status'], row('Check', action, hazard), other('Check', 'Done', 'Open')),
        ),
        'closed-with-open-action',
      );
    expect(await closed('Closed', 'In progress')).toMatchObject([
      {
        title: 'H1: closed, with an action that is in progress',
        found: 'In progress',
        expected: 'closed, as the hazard is',
        places: [{ cell: 'H2' }],
      },
    ]);
    for (const [hazard, action] of [
      ['Closed', 'Pending, then closed'],
      ['Closed', 'Done'],
      ['Closed', ''],
      ['Open', 'Pending'],
      ['To be closed, pending review', 'Pending'],
      ['', 'Pending'],
    ] as const)
      expect(await closed(hazard, action)).toEqual([]);
  });

  test('without an owner are reported; a cell that says there is no control is no control', async () => {
    const owners = async (control: string, owner: string) =>
      of(
        await check(inTable([...HEAD, 'Control owner'], row(control, owner), other('Check', 'Ada'))),
        'control-without-owner',
      );
    expect(await owners('Check', '')).toMatchObject([{ hazardId: 'H1', places: [{ cell: 'H2' }] }]);
    for (const control of ['', 'None', 'N/A']) expect(await owners(control, '')).toEqual([]);
    expect(await owners('Check', 'Ben')).toEqual([]);
  });

  test('are reported for a blank that most control rows fill, but not for one that half of them fill', async () => {
    const gaps = async (...types: [type: string, action: string][]) => {
      const rows = types.map(([type, action], at): SheetCell[] => [
        ...['H1', 'A', `c${at}`, 'Major', 'Low', 3, `Control ${at}`],
        type,
        action,
      ]);
      return of(await check(inTable([...HEAD, 'Control type', 'Action'], ...rows)), 'control-row-incomplete');
    };
    expect(await gaps(['Design', 'Do'], ['', ''])).toEqual([]);
    expect(await gaps(['Design', ''], ['Design', ''], ['', ''])).toMatchObject([
      { title: 'H1: a control has no type', hazardId: 'H1', places: [{ cell: 'H4' }] },
    ]);
    const [both] = await gaps(['Design', 'Do'], ['Design', 'Do'], ['Design', 'Do'], ['', ''], ['Test', '']);
    expect(both?.title).toBe('H1: 2 controls have no type or no action');
    expect(both?.message).toContain('Most controls of this log say their type, action. Under H1 2 have');
    expect(both?.places.map(({ cell }) => cell)).toEqual(['H5', 'I5', 'I6']);
  });

  test('of a log with one hazard and one control are reported without an evidence or a review column', async () => {
    const findings = await check(inTable(HEAD, row('Check')));
    expect(of(findings, 'no-evidence-column')).toMatchObject([{ level: 'note', places: [{ cell: 'A1' }] }]);
    expect(of(findings, 'no-review-date-column')).toMatchObject([{ level: 'note', places: [{ cell: 'A1' }] }]);
    // Without any control, there is nothing that evidence could show.
    expect(of(await check(inTable(HEAD, row(''))), 'no-evidence-column')).toEqual([]);
  });
});

test('findings of one rule, hazard and cell each have their own id', async () => {
  const findings = await check(some(1, 2, { severity: 'Grave', likelihood: 'Rare', risk: 9 }));
  expect(new Set(findings.map(({ id }) => id)).size).toBe(findings.length);
});
