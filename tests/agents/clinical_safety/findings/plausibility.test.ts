import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { findFindings } from '../../../../bot/agents/clinical_safety/findings/findFindings.ts';
import { findImplausible } from '../../../../bot/agents/clinical_safety/reading/implausible.ts';
import { readLog } from '../../../../bot/agents/clinical_safety/reading/readLog.ts';

const FOLDER = new URL('../../../fixtures/unseenLogs/', import.meta.url);
const FILES = readdirSync(FOLDER).filter((name) => !name.endsWith('.json'));

const table = (...rows: string[]) => {
  const [head = '', ...others] = rows;
  return [head, head.replace(/[^|]+/g, '---'), ...others].join('\n');
};
const findingsOf = async (...lines: string[]) => {
  const log = await readLog(new TextEncoder().encode(lines.join('\n\n')), 'log.md');
  return findFindings({ log, asOf: null, report: null });
};
const titles = (findings: Awaited<ReturnType<typeof findingsOf>>) =>
  findings.flatMap(({ rule, title }) => (rule === 'reading-may-be-wrong' ? [title] : []));
const levelOf = (findings: Awaited<ReturnType<typeof findingsOf>>, name: string) =>
  findings.find(({ rule }) => rule === name)?.level;

describe('a log that looks misread', () => {
  test('with ratings for names: nothing found in it is to fix', async () => {
    const findings = await findingsOf(
      table(
        '| ID | Hazard | Harm | Severity | Likelihood |',
        '| H1 | Major | A dose is missed | 3 | 2 |',
        '| H2 | Minor | A letter is late |  | 2 |',
        '| H2 | Catastrophic | A wrong limb is marked | 5 | 1 |',
      ),
    );
    expect(titles(findings)).toContain('The hazards may not be hazards');
    expect(findings.filter(({ level }) => level === 'fix')).toEqual([]);
    expect(levelOf(findings, 'duplicate-id')).toBe('check');
  });

  test('with states for controls', async () => {
    const rows = (...controls: string[]) =>
      table(
        '| ID | Hazard | Harm | Severity | Likelihood | Controls |',
        ...controls.map((control, at) => `| H${at + 1} | Bed ${'abc'[at]} is lost | A wait | 3 | 2 | ${control} |`),
      );
    expect(titles(await findingsOf(rows('Open', 'Done', '3')))).toEqual(['The controls may not be controls']);
    // Written in each row, they are those of the file.
    expect(titles(await findingsOf(rows('A clock', 'A clock', 'A clock')))).toEqual([]);
    expect(titles(await findingsOf(rows('A clock', 'A bell', 'A second check')))).toEqual([]);
  });

  test('with most hazards worse after controls: the two may have changed places', async () => {
    const rated = (...pairs: [number, number][]) =>
      findingsOf(
        table(
          '| ID | Hazard | Harm | Initial severity | Initial likelihood | Initial risk | Residual severity | Residual likelihood | Residual risk |',
          ...pairs.map(
            ([before, after], at) =>
              `| H${at + 1} | Bed ${at} is lost | A wait | 2 | ${before} | ${2 * before} | 2 | ${after} | ${2 * after} |`,
          ),
        ),
      );
    const swapped = await rated([1, 4], [2, 5], [1, 3], [2, 3], [4, 3]);
    expect(titles(swapped)).toEqual(['The ratings before and after controls may have changed places']);
    expect(levelOf(swapped, 'residual-above-initial')).toBe('check');
    const single = await rated([1, 4], [5, 2], [3, 1], [4, 3], [2, 1]);
    expect(titles(single)).toEqual([]);
    expect(levelOf(single, 'residual-above-initial')).toBe('fix');
  });

  test('with the controls of all hazards at one', () => {
    const place = { sheet: 'Log', cell: 'A1' };
    const hazard = (id: string, count: number) => ({
      ...{ id, name: `Bed ${id}`, initial: {}, residual: {} },
      controls: Array.from({ length: count }, (_, at) => ({ text: `Bell ${at}`, place: { ...place, cell: `A${at}` } })),
    });
    const found = (...counts: number[]) => {
      const hazards = counts.map((count, at) => hazard(`H${at}`, count));
      const table = { columns: [{ canonical: 'name' }], unmatched: [] };
      return findImplausible({ hazards, table, counted: [], isFalling: false } as never).map(({ title }) => title);
    };
    expect(found(4, 0, 0)).toEqual(['One hazard has all the controls']);
    expect(found(3, 0, 0)).toEqual([]);
    expect(found(4, 1, 0)).toEqual([]);
  });

  test('with one name for all hazards', async () => {
    const named = (...names: string[]) =>
      findingsOf(
        table(
          '| ID | Hazard | Harm | Severity | Likelihood |',
          ...names.map((name, at) => `| ${['HZ-40', 'HZ-12', 'HZ-77'][at]} | ${name} | A wait | 3 | 2 |`),
        ),
      );
    expect(titles(await named('Bed is lost', 'Bed is lost', 'Bed is lost'))).toContain(
      'Every hazard has the same name',
    );
    expect(titles(await named('Bed is lost', 'Bed is lost', 'Bed is old'))).toEqual([]);
  });

  test('with the risk for a severity in every row', async () => {
    const findings = await findingsOf(
      table(
        '| ID | Hazard | Harm | Severity | Likelihood | Risk |',
        '| H1 | Bed is lost | A wait | 6 | 2 | 6 |',
        '| H2 | Bed is found | A wait | 12 | 3 | 12 |',
        '| H3 | Bed is old | A wait | 8 | 4 | 8 |',
      ),
    );
    expect(titles(findings)).toContain('The severities may be the risks');
  });
});

test('a card with the number of a chapter for an id, among cards that say more, may be no hazard: its gaps are to check', async () => {
  const card = (id: string) =>
    [
      `### ${id} — Seal the lid ${id}`,
      table(
        '| | |',
        `| **Failure mode** | Lid ${id} leaks |`,
        '| **Effect** | A wait |',
        '| **Severity (S)** | 8 |',
        '| **Cause** | Wear |',
        '| **Occurrence (O)** | 3 |',
        '| **Prevention control** | A clamp |',
        '| **Detection (D)** | 3 |',
        '| **RPN** | 72 |',
        '| **Owner** | A. Person |',
      ),
    ].join('\n\n');
  const findings = await findingsOf(
    '# Design FMEA',
    '## 3. Rating scales',
    '**Severity (S)**',
    table('| Rank | Criterion |', '| 10 | Death |', '| 1 | Nothing |'),
    '**Occurrence (O)**',
    table('| Rank | Criterion |', '| 10 | Always |', '| 1 | Never |'),
    '**Detection (D)** — note the turn: 1 is certain detection, 10 is none.',
    table('| Rank | Criterion |', '| 10 | Not seen |', '| 1 | Always seen |'),
    '## 4. Analysis',
    ...['DF-001', 'DF-002', 'DF-003'].map(card),
  );
  expect(findings.flatMap(({ level, rule }) => (level === 'fix' ? [rule] : []))).toEqual([]);
  expect(findings.find(({ rule }) => rule === 'row-may-be-no-hazard')?.title).toBe('“3” may be no hazard');
});

test('sentences for severities, and an id in a line of its own that was not read: nothing is to fix', async () => {
  const findings = await findingsOf(
    table(
      '| | HZ-001 |',
      '| Hazard | Two allergies are shown as one |',
      '| Clinical effect | A wrong drug is given |',
      '| Severity rationale | *"Raised by one step, as the record is live on the panel that everybody reads when they prescribe."* |',
      '| Proposed control | Show both |',
    ),
  );
  expect(titles(findings)).toEqual(['The severities may not be ratings']);
  expect(findings.filter(({ level }) => level === 'fix')).toEqual([]);
});

describe('what most hazards lack', () => {
  const log = (...more: string[]) =>
    findingsOf(
      '# Hazards of the ward board',
      table(
        '| ID | Hazard | Cause | Effect |',
        '| H1 | Bed is lost | No clock | A wait |',
        '| H2 | Bed is found twice | Two screens | A mix-up |',
      ),
      ...more,
    );

  test('is to check where a table that was not read is headed so', async () => {
    const scored = table('| Ref | Scoring of severity |', '| H1 | three of five |', '| H2 | four of five |');
    expect(levelOf(await log('## Other', scored), 'no-ratings')).toBe('check');
  });

  test('is to fix where nothing in the file speaks of it, and beside the meaning of a scale alone', async () => {
    expect(levelOf(await log(), 'no-ratings')).toBe('fix');
    const scale = table('| Severity | Meaning |', '| Low | A wait |', '| High | A death |');
    expect(levelOf(await log('## Scale', scale), 'no-ratings')).toBe('fix');
  });
});

describe('a log that is read as its author means it', () => {
  test.each(FILES)('%s doesn’t look misread', async (name) => {
    const log = await readLog(new Uint8Array(readFileSync(new URL(name, FOLDER))), name);
    expect(titles(findFindings({ log, asOf: null, report: null }))).toEqual([]);
  });
});
