import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { findFindings } from '../../../../bot/agents/clinical_safety/findings/findFindings.ts';
import { readLog } from '../../../../bot/agents/clinical_safety/reading/readLog.ts';

const read = (text: string, name = 'risks.md') => readLog(new TextEncoder().encode(text), name);
const table = (...rows: string[]) => [rows[0], rows[0]?.replace(/[^|]+/g, '---'), ...rows.slice(1)].join('\n');
const HAZARDS = (ids = 'Risk Control ID(s)', ...refs: string[]) =>
  table(
    `| ID | Hazard | Harm | P | S | ${ids} |`,
    `| 1 | Wrong dose | Overdose | 3 | 4 | ${refs[0] ?? '1, 2'} |`,
    `| 2 | Late alert | Delay | 2 | 2 | ${refs[1] ?? '2'} |`,
  );
const CONTROLS = table('| ID | Description | Type |', '| 1 | Limits on doses | Design |', '| 2 | Leaflet | Training |');
const MODES = table(
  '| ID | Failure Mode | Hazard ID(s) |',
  '| 7 | Units mixed up | 1 |',
  '| 8 | Queue is full | 1, 2 |',
);
const shown = (log: Awaited<ReturnType<typeof read>>) =>
  log.hazards.map(({ id, causes, controls }) => [
    id,
    causes.map(({ id: own, text }) => `${own} ${text}`),
    controls.map(({ text, kind, place }) => `${text} (${kind}) ${place?.sheet} ${place?.cell}`),
  ]);
const file = (...parts: string[]) => parts.join('\n\n');

describe('tables that refer to each other by id', () => {
  test('give the hazards their controls and causes, which is said, and the tables are still listed', async () => {
    const log = await read(file('## Modes', MODES, '## Hazards', HAZARDS(), '## Risk control measures', CONTROLS));
    expect(shown(log)).toEqual([
      [
        '1',
        ['7 Units mixed up', '8 Queue is full'],
        ['Limits on doses (design) risks.md (table 3) B2', 'Leaflet (training) risks.md (table 3) B3'],
      ],
      ['2', ['8 Queue is full'], ['Leaflet (training) risks.md (table 3) B3']],
    ]);
    expect(log.shape.remarks).toEqual(
      expect.arrayContaining([
        'Controls were read from “risks.md (table 3)” by the ids under “Risk Control ID(s)”.',
        'Causes were read from “risks.md (table 1)” by the ids of their hazards.',
      ]),
    );
    expect(log.findUnread().flatMap(({ what, note }) => (what === 'sheet' ? [note] : []))).toEqual([
      '3 rows, read for causes alone',
      '3 rows, read for controls alone',
    ]);
    const rules = findFindings({ log, asOf: null, report: null }).map(({ rule }) => rule);
    expect(rules.filter((rule) => ['no-controls', 'missing-cause'].includes(rule))).toEqual([]);
  });

  test('say which ids the other table does not have', async () => {
    const log = await read(file(HAZARDS('Mitigation refs', '1, 9', ''), '# Mitigations', CONTROLS));
    expect(log.hazards.map(({ controls }) => controls.length)).toEqual([1, 0]);
    expect(log.shape.remarks.join(' ')).toContain('under “Mitigation refs”. It has no control 9 (1).');
  });

  test.each([
    ['two tables have the ids', file(HAZARDS(), '# Controls', CONTROLS, '# More controls', CONTROLS)],
    ['the other table says nothing of controls', file(HAZARDS(), '# People', CONTROLS)],
    ['the ids are others', file(HAZARDS('Risk Control ID(s)', '5', '6'), '# Controls', CONTROLS)],
  ])('are left alone where %s', async (_, text) => {
    const log = await read(text);
    expect(log.hazards.map(({ controls }) => controls.length)).toEqual([0, 0]);
    expect(log.findUnread().some(({ what }) => what === 'sheet')).toBe(true);
  });

  test('of a public FMEA template are read as one hazard with its causes and its control', async () => {
    const path = '../shared/data/device-risk/openregulatory_risk_table_fmea.md';
    if (!existsSync(path)) return console.info(`Skipped: ${path} is absent.`);
    const log = await readLog(readFileSync(path), 'fmea.md');
    expect(log.hazards.map(({ causes, controls }) => [causes.length, controls.length])).toEqual([[2, 1]]);
  });

  test('of a public table of hazards and harms have their two probabilities, and one of measures alone is refused', async () => {
    const folder = '../shared/data/device-risk';
    if (!existsSync(folder)) return console.info(`Skipped: ${folder} is absent.`);
    const log = await readLog(readFileSync(`${folder}/rai_hazard-to-harm.csv`), 'harms.csv');
    expect(log.hazards.map(({ initial }) => initial.likelihood?.slice(0, 3))).toEqual(Array(8).fill('P1 '));
    expect(log.findUnread()).toEqual([]);
    const measures = readLog(readFileSync(`${folder}/rai_risk-control-measures.csv`), 'measures.csv');
    await expect(measures).rejects.toMatchObject({ code: 'not_a_hazard_log' });
  });
});

describe('a table whose cells are the ids of hazards, whatever their heading', () => {
  const LOG = table(
    '| ID | Hazard | Harm | Severity | Likelihood |',
    '| HZ-1 | Wrong dose | Overdose | 4 | 3 |',
    '| HZ-2 | Late alert | Delay | 2 | 2 |',
  );
  const causesOf = async (...rows: string[]) => {
    const log = await read(file('## Hazards', LOG, '## Causes', table(...rows)));
    return log.hazards.map(({ causes }) => causes.map(({ text }) => text));
  };

  test('gives them its causes', async () => {
    const rows = ['| Number | HZ | Cause |', '| a | HZ-1 | Units mixed up |', '| b | HZ-2 | Queue is full |'];
    expect(await causesOf(...rows)).toEqual([['Units mixed up'], ['Queue is full']]);
  });

  test('gives nothing where fewer than four of five are ids, or where two columns are', async () => {
    const some = [
      '| Number | HZ | Cause |',
      '| a | HZ-1 | Units |',
      '| b | HZ-2 | Queue |',
      '| c | see below | Network |',
    ];
    expect(await causesOf(...some)).toEqual([[], []]);
    const two = ['| From | HZ | Cause |', '| HZ-2 | HZ-1 | Units |', '| HZ-1 | HZ-2 | Queue |'];
    expect(await causesOf(...two)).toEqual([[], []]);
  });
});

test('an id of two parts that no hazard has is listed, and is no hazard’s where a table names it', async () => {
  const log = table(
    '| ID | Hazard | Harm | Severity |',
    '| IMG-H01 | Wrong folder | Delay | 4 |',
    '| IMG-H02 | Not shown | Delay | 3 |',
  );
  const causes = table(
    '| Cause ID | Hazard ID | Cause |',
    '| C1 | IMG-H01 | Typed by hand |',
    '| C2 | IMG-H12 | Moved |',
  );
  const found = await read(file('## Hazards', log, '## Causes', causes));
  expect(found.hazards.map(({ id, causes: own }) => [id, own.map(({ text }) => text)])).toEqual([
    ['IMG-H01', ['Typed by hand']],
    ['IMG-H02', []],
  ]);
  const ids = found.findUnread().filter(({ what }) => what === 'id');
  expect(ids.map(({ label }) => label)).toEqual(['IMG-H12']);
});
