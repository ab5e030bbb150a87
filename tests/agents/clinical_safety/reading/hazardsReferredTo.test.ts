import { describe, expect, test } from '@jest/globals';
import { findFindings } from '../../../../bot/agents/clinical_safety/findings/findFindings.ts';
import { readLog } from '../../../../bot/agents/clinical_safety/reading/readLog.ts';

const read = (...lines: string[]) => readLog(new TextEncoder().encode(lines.join('\n')), 'file.md');
const table = (...rows: string[]) => {
  const [head = '', ...others] = rows;
  return ['', head, head.replace(/[^|]+/g, '---'), ...others, ''].join('\n');
};
type Log = Awaited<ReturnType<typeof read>>;
const rules = (log: Log, level: string) =>
  findFindings({ log, asOf: null, report: null }).flatMap((one) => (one.level === level ? [one.rule] : []));
const ratings = ({ hazards }: Log) =>
  hazards.map(({ id, initial, residual }) => [
    id,
    [initial.severity, initial.likelihood, initial.risk],
    [residual.severity, residual.likelihood, residual.risk],
  ]);

const REGISTER = table(
  '| Hazard ID | Hazard | Hazardous situation | Foreseeable event sequence |',
  '| H-01 | Wrong dose | Shown too high | Nurse gives it, patient is overdosed |',
  '| H-02 | Wrong dose | Shown too low | Nurse gives it, pain goes on |',
  '| H-03 | No list | Server is down | Round is late |',
);
const BEFORE = table(
  '| Hazard | Severity | Probability | Risk |',
  '| H-01 (too high) | 4 | 3 | 12 |',
  '| H-02 (too low) | 3 | 3 | 9 |',
  '| H-03 (no list) | 2 | 3 | 6 |',
);
const AFTER = table(
  '| Hazard | Severity | Probability (after control) | Risk |',
  '| H-01 | 4 | 1 | 4 |',
  '| H-02 | 3 | 1 | 3 |',
  '| H-03 | 2 | 2 | 4 |',
);

describe('a register with estimates before and after controls, each in a table of its own', () => {
  test('is one log: names of the register, ratings of the two tables by the ids in them', async () => {
    const log = await read(
      '## Hazards',
      REGISTER,
      '## Initial risk estimates (before mitigation)',
      BEFORE,
      '## Residual risk after controls',
      AFTER,
    );
    expect(log.hazards.map(({ id, name, description, causes }) => [id, name, description, causes[0]?.text])).toEqual([
      ['H-01', 'Wrong dose', 'Shown too high', 'Nurse gives it, patient is overdosed'],
      ['H-02', 'Wrong dose', 'Shown too low', 'Nurse gives it, pain goes on'],
      ['H-03', 'No list', 'Server is down', 'Round is late'],
    ]);
    expect(ratings(log)).toEqual([
      ['H-01', ['4', '3', 12], ['4', '1', 4]],
      ['H-02', ['3', '3', 9], ['3', '1', 3]],
      ['H-03', ['2', '3', 6], ['2', '2', 4]],
    ]);
    expect(log.hazards[1]?.initial.risk).toBe(9);
    // Two hazards of one name in two situations are no id that was dragged down.
    expect(log.counted).toEqual([]);
    expect(rules(log, 'check')).not.toContain('id-counted-up-by-dragging');
    expect(rules(log, 'fix')).toEqual([]);
  });

  test('takes no ratings as those after controls from a table whose title does not say so', async () => {
    const log = await read('## Hazards', REGISTER, '## Estimates', BEFORE, '## Second estimates', AFTER);
    expect(ratings(log).map(([id, , residual]) => [id, residual])).toEqual([
      ['H-01', [null, '1', null]],
      ['H-02', [null, '1', null]],
      ['H-03', [null, '2', null]],
    ]);
  });
});

describe('estimates that name their hazards by ids', () => {
  const LIST = table(
    '| Hazard ID | Hazard Description | Hazardous Situation |',
    '| H001 | Electric shock | Live parts are touched |',
    '| H002 | Fire | Battery is overcharged |',
    '| H003 | Data loss | Link breaks |',
  );
  const ESTIMATES = table(
    '| Risk ID | Hazard | Harm | Severity | Probability | Risk |',
    '| R001 | H001 | Shock | 4 | 1 | 4 |',
    '| R002 | H002 | Burns | 5 | 1 | 5 |',
    '| R003 | H003 | Late care | 3 | 3 | 9 |',
  );

  test('get the names and situations of the list of hazards, and keep ids and ratings of their own', async () => {
    const log = await read('## Identified hazards', LIST, '## Estimates', ESTIMATES);
    expect(
      log.hazards.map(({ id, name, description, clinicalImpact }) => [id, name, description, clinicalImpact]),
    ).toEqual([
      ['R001', 'Electric shock', 'Live parts are touched', 'Shock'],
      ['R002', 'Fire', 'Battery is overcharged', 'Burns'],
      ['R003', 'Data loss', 'Link breaks', 'Late care'],
    ]);
    expect(log.hazards.map(({ initial }) => initial.risk)).toEqual([4, 5, 9]);
    expect(log.hazards[0]?.textPlaces.name?.sheet).toContain('table 1');
    expect(log.shape.remarks.join(' ')).toContain('The log names its hazards by ids under “Hazard”.');
  });

  test('stay as they are where two lists call the hazards differently', async () => {
    const other = LIST.replace('Electric shock', 'Shock of the user');
    const log = await read('## Identified hazards', LIST, '## Older list', other, '## Estimates', ESTIMATES);
    expect(log.hazards.map(({ name }) => name)).toEqual(['H001', 'H002', 'H003']);
  });

  test('a summary of all risks in the section of one gives that one no control of the others', async () => {
    const log = await read(
      '## Identified hazards',
      LIST,
      '## Estimates',
      ESTIMATES,
      '#### R003: Data loss',
      'Summary of all:',
      table(
        '| Risk ID | Initial Risk | Controls | Residual Risk |',
        '| R001 | 4 | Double insulation | 2 |',
        '| R002 | 5 | Charger with a limit | 3 |',
        '| R003 | 9 | Kept on the device | 4 |',
      ),
    );
    expect(log.hazards.map(({ controls }) => [...new Set(controls.map(({ text }) => text))])).toEqual([
      ['Double insulation'],
      ['Charger with a limit'],
      ['Kept on the device'],
    ]);
    expect(log.hazards.map(({ residual }) => residual.risk)).toEqual([2, 3, 4]);
  });
});
