import { expect } from '@jest/globals';
import { readSample } from '../../bot/agents/clinical_safety/sample/readSample.ts';
import { holdRecording } from '../factories/holdRecording.ts';
import type { FileNameDriver } from './fileNames.ts';

/** A merge that is asked for right after the review was answered waits until that is recorded. */
export async function expectMergeWaits(driver: FileNameDriver): Promise<void> {
  const { log, tickets } = await readSample();
  await driver.drop('log.xlsx', log.bytes);
  await driver.replied(/hazard log with 25/i);
  await driver.drop('tickets.csv', tickets.bytes);
  await driver.replied(/ticket export with/i);
  await driver.say('analyse');
  await driver.replied(/Please review|Review the proposed/);
  const { release, mergeToBegin } = holdRecording();
  try {
    await driver.say('accept all');
    await driver.say('merge');
    await mergeToBegin();
    expect(driver.out()).not.toMatch(/Review recorded|Merge complete|waiting for a review/);
  } finally {
    release();
  }
  await driver.replied(/Merge complete/);
  const out = driver.out();
  expect(out.indexOf('Review recorded')).toBeGreaterThan(0);
  expect(out.indexOf('Review recorded')).toBeLessThan(out.indexOf('Merge complete'));
}
