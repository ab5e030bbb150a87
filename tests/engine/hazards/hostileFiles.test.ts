import { describe, expect, test } from '@jest/globals';
import { analyseLog } from '../../../bot/engine/hazards/analyse.ts';
import { HAZARD_FILE_ERROR_CODES, HazardFileError } from '../../../bot/engine/hazards/errors.ts';
import { inspect } from '../../../bot/engine/hazards/inspect.ts';
import { HOSTILE_FILES } from '../../factories/hostileFiles.ts';

const MOST_MILLISECONDS = 2000;

/** What a refusal may be: these say that our own part failed, not that the file was refused. */
const OWN_FAULTS = ['worker_failed', 'worker_timeout', 'out_of_memory'];

/** Time of the processor, so that a busy machine does not fail a fast reading. */
async function timed<T>(work: () => Promise<T>): Promise<{ outcome: T | HazardFileError; milliseconds: number }> {
  const start = process.cpuUsage();
  const outcome = await work().catch((error: unknown) => {
    if (error instanceof HazardFileError) return error;
    throw error;
  });
  const { user, system } = process.cpuUsage(start);
  return { outcome, milliseconds: (user + system) / 1000 };
}

describe('a hostile file is read, or refused with a sentence, within two seconds of processor time', () => {
  test('there are at least sixty of them', () => {
    expect(HOSTILE_FILES.length).toBeGreaterThanOrEqual(60);
  });

  test.each(HOSTILE_FILES)('$what', async ({ fileName, make }) => {
    const bytes = make();
    const seen = await timed(() => inspect(bytes, fileName));
    expect(seen.milliseconds).toBeLessThan(MOST_MILLISECONDS);
    const { outcome } = seen;
    if (outcome instanceof HazardFileError) {
      expect(HAZARD_FILE_ERROR_CODES.filter((code) => !OWN_FAULTS.includes(code))).toContain(outcome.code);
      expect(outcome.message).toMatch(/^[A-Z].{30,}[.!]$/s);
    } else if (outcome.kind === 'hazard-log') {
      const analysed = await timed(() => analyseLog({ log: { bytes, fileName, digest: 'd' }, tickets: null }));
      expect(analysed.milliseconds).toBeLessThan(MOST_MILLISECONDS);
    }
  });
});
