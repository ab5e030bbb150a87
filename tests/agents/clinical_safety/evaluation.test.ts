import { beforeAll, describe, expect, test } from '@jest/globals';
import { LOG_BARS } from '../../../bot/agents/clinical_safety/evaluation/evaluate.ts';
import { LAYOUTS } from '../../../bot/agents/clinical_safety/evaluation/logs/layouts.ts';
import {
  type LogOutcome,
  measureLog,
  measureLogs,
  pool,
} from '../../../bot/agents/clinical_safety/evaluation/logs/measureLogs.ts';
import { makeTrueHazards, NHS_SCALE } from '../../../bot/agents/clinical_safety/evaluation/logs/trueLog.ts';

describe('reading made-up logs', () => {
  let outcomes: LogOutcome[];
  beforeAll(async () => {
    outcomes = await measureLogs();
  });

  test('covers at least 80 files in at least 12 layouts, with faults in most of them', () => {
    expect(outcomes.length).toBeGreaterThanOrEqual(80);
    expect(LAYOUTS.length).toBeGreaterThanOrEqual(12);
    expect(outcomes.filter(({ planted }) => planted > 0).length).toBeGreaterThan(40);
  });

  test.each(LAYOUTS.map(({ name }) => name))('%s: every hazard is read as it stands in the file', (name) => {
    const own = outcomes.filter(({ layout }) => layout === name);
    expect(own.flatMap(({ differences }) => differences)).toEqual([]);
    expect(pool(own).read).toBe(1);
  });

  test('finds the faults, and nothing to fix that is right', () => {
    const figures = pool(outcomes);
    expect(figures.precision).toBeGreaterThanOrEqual(LOG_BARS.precision);
    expect(figures.recall).toBeGreaterThanOrEqual(LOG_BARS.recall);
  });
});

describe('the measure itself', () => {
  const [layout] = LAYOUTS;
  if (!layout) throw new Error('no layout');
  const written = (change: (hazards: ReturnType<typeof makeTrueHazards>) => ReturnType<typeof makeTrueHazards>) =>
    measureLog({ ...layout, write: (hazards) => layout.write(change([...hazards])) }, 7);

  test('notices a hazard that is missing, one that is not in the truth, and one that reads otherwise', async () => {
    const whole = await written((hazards) => hazards);
    expect(whole).toMatchObject({ read: whole.hazards, invented: 0, differences: [] });
    const less = await written((hazards) => hazards.slice(1));
    expect(less).toMatchObject({ hazards: whole.hazards, read: whole.hazards - 1, invented: 0 });
    const more = await written((hazards) => [...hazards, { ...makeTrueHazards(1, 1, NHS_SCALE)[0]!, id: 'HZ-99' }]);
    expect(more).toMatchObject({ read: whole.hazards, invented: 1 });
    const other = await written(([first, ...rest]) => [{ ...first!, effect: 'Another' }, ...rest]);
    expect(other).toMatchObject({ read: whole.hazards - 1 });
    expect(other.differences).toEqual([expect.stringContaining('effect of HZ-01 is “Another”')]);
  });

  test('counts a finding to fix about a sound hazard as wrong', async () => {
    const outcome = await written((hazards) =>
      hazards.map((hazard) => ({ ...hazard, severity: 'Minor', likelihood: 'Low', risk: 2 })),
    );
    expect(outcome.wrong).toBeGreaterThan(0);
  });

  test('pools shares over all files', () => {
    const one = { layout: 'a', hazards: 3, read: 2, invented: 1, planted: 4, found: 3, wrong: 1, differences: [] };
    expect(pool([one, one])).toEqual({ files: 2, hazards: 8, read: 0.5, precision: 0.75, recall: 0.75 });
    expect(pool([])).toEqual({ files: 0, hazards: 0, read: 1, precision: 1, recall: 1 });
  });
});
