import { expect, test } from '@jest/globals';
import { runStorm } from '../chaos/storm.ts';

test('two kills with everything running lose nothing acknowledged and do nothing twice', async () => {
  const storm = await runStorm(2, Math.random, () => undefined);
  expect(storm.faults).toEqual([]);
  const { messages, answers, slack, teams, ledger, chains } = storm;
  expect(messages.acknowledged).toBeGreaterThan(10);
  expect(messages.once).toBe(messages.acknowledged);
  expect([answers.standing, answers.audited]).toEqual([answers.acknowledged, answers.acknowledged]);
  expect([slack.answered, teams.answered]).toEqual([slack.acknowledged, teams.acknowledged]);
  // A post that was on its way to the platform at the kill is sent again: at most one per kill.
  expect(slack.twice).toBeLessThanOrEqual(storm.kills);
  expect(teams.twice).toBeLessThanOrEqual(storm.kills);
  expect([ledger.agreeing, chains.whole, storm.leftOver]).toEqual([ledger.accounts, chains.accounts, 0]);
}, 120_000);
