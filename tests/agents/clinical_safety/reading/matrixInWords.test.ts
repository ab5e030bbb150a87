import { describe, expect, test } from '@jest/globals';
import { findFindings } from '../../../../bot/agents/clinical_safety/findings/findFindings.ts';
import { readLog } from '../../../../bot/agents/clinical_safety/reading/readLog.ts';
import { findLevel } from '../../../../models/contracts/clinical_safety/riskWords.ts';

const read = (...lines: string[]) => readLog(new TextEncoder().encode(lines.join('\n')), 'file.md');
const table = (...rows: string[]) => {
  const [head = '', ...others] = rows;
  return ['', head, head.replace(/[^|]+/g, '---'), ...others, ''].join('\n');
};
const differences = (log: Awaited<ReturnType<typeof read>>) =>
  findFindings({ log, asOf: null, report: null }).flatMap(({ rule, level, title, message }) =>
    rule === 'risk-differs-from-matrix' ? [{ level, title, message }] : [],
  );

const MATRIX = table(
  '| | Minor | Moderate | Major | Catastrophic |',
  '| **Likely** | LOW | MEDIUM | HIGH | CRITICAL |',
  '| **Possible** | LOW | MEDIUM | HIGH | HIGH |',
  '| **Unlikely** | LOW | LOW | MEDIUM | HIGH |',
  '| **Rare** | LOW | LOW | LOW | MEDIUM |',
);
const log = (risks: readonly [string, string, string, string, string]) =>
  table(
    '| ID | Hazard | Cause | Effect | Severity | Likelihood | Risk Level | Control Measures | Residual Risk |',
    `| H1 | Wrong drug | Search | Harm | Catastrophic | Possible | ${risks[0]} | Second look | ${risks[4]} |`,
    `| H2 | Wrong dose | Free text | Overdose | Major | Possible | ${risks[1]} | Range check | LOW |`,
    `| H3 | Dose given twice | Two entries | Overdose | Major | Unlikely | ${risks[2]} | One entry a window | LOW |`,
    `| H4 | No list | Outage | Late dose | Moderate | Rare | ${risks[3]} | Paper | LOW |`,
  );

describe('a matrix whose cells are words', () => {
  test('is read, and the words of the log are compared with it: one too low is to be fixed', async () => {
    const read1 = await read('## Hazard log', log(['HIGH', 'MEDIUM', 'Medium', 'low', 'LOW']), '## Matrix', MATRIX);
    expect(read1.matrix).toMatchObject({
      source: 'log',
      basis: 'stated',
      severities: ['Minor', 'Moderate', 'Major', 'Catastrophic'],
      likelihoods: ['Likely', 'Possible', 'Unlikely', 'Rare'],
      levels: [
        ['LOW', 'MEDIUM', 'HIGH', 'CRITICAL'],
        ['LOW', 'MEDIUM', 'HIGH', 'HIGH'],
        ['LOW', 'LOW', 'MEDIUM', 'HIGH'],
        ['LOW', 'LOW', 'LOW', 'MEDIUM'],
      ],
      cells: [
        [1, 2, 3, 4],
        [1, 2, 3, 3],
        [1, 1, 2, 3],
        [1, 1, 1, 2],
      ],
    });
    expect(
      read1.hazards.map(({ initial }) => [initial.risk, initial.riskWord, initial.expectedRisk, initial.expectedWord]),
    ).toEqual([
      [null, 'HIGH', null, 'HIGH'],
      [null, 'MEDIUM', null, 'HIGH'],
      [null, 'Medium', null, 'MEDIUM'],
      [null, 'low', null, 'LOW'],
    ]);
    expect(differences(read1)).toEqual([
      {
        level: 'fix',
        title: 'H2: initial risk is MEDIUM, the matrix gives HIGH',
        message:
          'Initial risk of H2 is recorded as MEDIUM; for Major and Possible the “file.md (table 2)” sheet of this workbook gives HIGH. It is rated lower than the matrix says.',
      },
    ]);
  });

  test('the words are no longer listed as compared with nothing', async () => {
    const words = log(['HIGH', 'HIGH', 'MEDIUM', 'LOW', 'LOW']);
    const unread = async (...lines: string[]) =>
      (await read('## Hazard log', words, ...lines)).findUnread().map(({ label }) => label);
    expect(await unread('## Matrix', MATRIX)).not.toContain('Risk Level (words without a number)');
    expect(await unread()).toContain('Risk Level (words without a number)');
  });

  test('its mildest word alone needs no rating after controls', async () => {
    const rows = log(['HIGH', 'HIGH', 'MEDIUM', 'LOW', '']).replace('| Paper | LOW |', '| Paper | |');
    const found = await read('## Hazard log', rows, '## Matrix', MATRIX);
    const [only, ...others] = findFindings({ log: found, asOf: null, report: null }).filter(
      ({ rule }) => rule === 'missing-residual',
    );
    expect([only?.hazardId, only?.level]).toEqual(['H1', 'check']);
    expect(only?.message).toContain('only “LOW” needs no controls');
    expect(others).toEqual([]);
  });

  test('one too high is said to be higher', async () => {
    const [only, ...others] = differences(
      await read('## Hazard log', log(['CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'LOW']), '## Matrix', MATRIX),
    );
    expect(only?.title).toBe('H1: initial risk is CRITICAL, the matrix gives HIGH');
    expect(only?.message).toContain('It is rated higher than the matrix says.');
    expect(others).toEqual([]);
  });

  test('words that are none of its own are compared with nothing', async () => {
    const risks = ['Acceptable', 'Low–Medium', 'see plan', 'HIGH or LOW', 'Low when locked'] as const;
    expect(differences(await read('## Hazard log', log(risks), '## Matrix', MATRIX))).toEqual([]);
  });

  test('is none where its words do not rise along a side, or a cell is blank', async () => {
    const log1 = log(['HIGH', 'LOW', 'MEDIUM', 'LOW', 'LOW']);
    for (const broken of [
      MATRIX.replace('| LOW | MEDIUM | HIGH | CRITICAL |', '| LOW | HIGH | LOW | CRITICAL |'),
      MATRIX.replace('| LOW | MEDIUM | HIGH | CRITICAL |', '| LOW | | HIGH | CRITICAL |').replace(
        '| LOW | MEDIUM | HIGH | HIGH |',
        '| LOW | | | HIGH |',
      ),
    ]) {
      const { matrix } = await read('## Hazard log', log1, '## Matrix', broken);
      expect(matrix.levels).toBeUndefined();
    }
  });

  test('may have codes for its steps and signs before its words; a sign alone is the word that has it', async () => {
    const read1 = await read(
      '## Criteria',
      table(
        '| | S1 | S2 | S3 |',
        '| **P3** | 🟡 ALARP | 🔴 Unacceptable | 🔴 Unacceptable |',
        '| **P2** | 🟢 Acceptable | 🟡 ALARP | 🔴 Unacceptable |',
        '| **P1** | 🟢 Acceptable | 🟢 Acceptable | 🟡 ALARP |',
      ),
      '## Analysis',
      table(
        '| Risk ID | Hazard | Harm | Initial S | Initial P | Initial Risk | Control | Residual S | Residual P | Residual Risk |',
        '| K1 | Wrong reading | Late care | S3 | P2 | 🔴 Unacceptable | Label | S3 | P1 | 🟡 |',
        '| K2 | Burn | Burn | S2 | P2 | 🟢 | Fuse | S2 | P1 | 🟢 |',
      ),
    );
    expect(differences(read1).map(({ title }) => title)).toEqual([
      'K2: initial risk is 🟢 Acceptable, the matrix gives 🟡 ALARP',
    ]);
  });

  test('“Residual” alone is a heading of the risk after controls', async () => {
    const { hazards } = await read(
      '## Log',
      table(
        '| ID | Hazard | Harm | S | P | RPN | Controls | Residual |',
        '| U1 | Button jams | No input | 1 | 2 | 2 | Better switch | Acceptable |',
        '| U2 | Light fails | Confusion | 1 | 3 | 3 | Test at start | 2 |',
      ),
    );
    expect(hazards.map(({ residual }) => residual.riskWord ?? residual.risk)).toEqual(['Acceptable', 2]);
  });
});

test('a sign that two words have is neither of them', () => {
  expect(findLevel(['🟡 Tolerable', '🟡 ALARP'], '🟡')).toBeNull();
});

test.each([
  ['HIGH', 'High'],
  ['🔴 high', 'High'],
  ['Low — still to be verified', 'Low'],
  ['Low (with alarms)', 'Low'],
  ['low-medium', null],
  ['Lowest', null],
  ['Low or High', null],
  ['', null],
])('“%s” is %s of Low, Medium, High', (recorded, level) => {
  expect(findLevel(['Low', 'Medium', 'High'], recorded)).toBe(level);
});
