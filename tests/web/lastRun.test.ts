import { expect, test } from '@jest/globals';
import { lastRunText } from '../../web/parts/automation/lastRun.ts';

const ran = { lastRunAt: '2020-03-02T09:00:00Z', timeZone: 'Europe/London' };

test.each([
  ['Not run: its question waits.', 'Last 2 Mar 2020, 09:00: Not run: its question waits.'],
  ['Not run: no hazard log', 'Last 2 Mar 2020, 09:00: Not run: no hazard log.'],
  [null, 'Last 2 Mar 2020, 09:00: started.'],
])('a last run ends with one full stop: %j', (lastOutcome, text) => {
  expect(lastRunText({ ...ran, lastOutcome })).toBe(text);
});

test('a job that has not run yet shows no last run', () => {
  expect(lastRunText({ ...ran, lastRunAt: null, lastOutcome: null })).toBeNull();
});
